import fs from 'node:fs';
import path from 'node:path';
import { app } from 'electron';

/** How this very app is started, for the autostart entry and for the shim. */
export interface SelfCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The command that starts this app hidden. An AppImage runs from a mount that vanishes, so its file is named instead; an unpackaged
 * app also needs its folder, and whatever switches it runs under (`--no-sandbox` of a test).
 */
export function selfCommand(environment: NodeJS.ProcessEnv, extraSwitches: readonly string[]): SelfCommand {
  const appImage = environment['APPIMAGE'];
  return {
    command: appImage && app.isPackaged ? appImage : process.execPath,
    args: [...extraSwitches, ...(app.isPackaged ? [] : [app.getAppPath()]), '--hidden'],
  };
}

/** {@link selfCommand} of this very run. */
export function ownCommand(): SelfCommand {
  return selfCommand(process.env, developmentSwitches());
}

/** Switches this run was started with and a later start would need, too: development and tests only. */
function developmentSwitches(): string[] {
  return app.isPackaged ? [] : process.argv.filter((argument) => /^--(no-sandbox|password-store=)/.test(argument));
}

/** Quotes one argument for the Exec line of a desktop entry (Desktop Entry Specification, "The Exec key"). */
function quoteExec(argument: string): string {
  const escaped = argument.replace(/(["`$\\])/g, '\\$1').replace(/%/g, '%%');
  return `"${escaped.replace(/\\/g, '\\\\')}"`;
}

/** An XDG autostart entry. */
export function autostartEntry({ command, args }: SelfCommand): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Vestnik',
    `Exec=${[command, ...args].map(quoteExec).join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    'Terminal=false',
    '',
  ].join('\n');
}

function autostartFile(): string {
  return path.join(app.getPath('appData'), 'autostart', 'vestnik.desktop');
}

/** Switches starting at login on or off. @throws when the system refuses */
export function setStartAtLogin(isOn: boolean, self: SelfCommand): void {
  if (process.platform === 'linux') {
    const file = autostartFile();
    if (!isOn) {
      fs.rmSync(file, { force: true });
      return;
    }
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, autostartEntry(self), { mode: 0o644 });
    return;
  }
  if (!app.isPackaged && !isOn) return; // nothing of ours is there, and a development build must not touch the installed one's entry
  app.setLoginItemSettings({ openAtLogin: isOn, path: self.command, args: [...self.args] });
}
