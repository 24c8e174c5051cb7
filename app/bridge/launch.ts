import path from 'node:path';
import { BridgeError } from './errors.ts';
import { checkPrivateFolder, ensurePrivateFolder, readPrivateFile, writePrivateFile } from './private-files.ts';

/** Lies in the data folder; its presence marks a folder as one. */
export const LAUNCH_FILE = 'launch.json';

/** How to start the app in the background. The app writes it at every start, because it may have been moved. */
export interface LaunchCommand {
  /** Absolute path of a program. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that the app had and that the launching program may lack, see {@link sessionVariables}. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * What an app with a window needs of the desktop session, and our own settings. MCP clients start their servers with a
 * bare environment (the official SDK passes on HOME, PATH and little else), in which a window would find no display.
 */
const SESSION_VARIABLES = new Set([
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['XDG_RUNTIME_DIR', 'XDG_SESSION_TYPE', 'XDG_CURRENT_DESKTOP', 'XDG_CONFIG_HOME', 'XDG_DATA_DIRS', 'XDG_DOWNLOAD_DIR'],
  ...['LANG', 'LANGUAGE', 'LC_ALL', 'LC_MESSAGES', 'TZ', 'TMPDIR'],
]);

/** The variables of {@link SESSION_VARIABLES} that are set, and all of Vestnik's own. */
export function sessionVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && (SESSION_VARIABLES.has(name) || name.startsWith('VESTNIK_')));
  return Object.fromEntries(kept) as Record<string, string>;
}

function launchFile(folder: string): string {
  return path.join(folder, LAUNCH_FILE);
}

/**
 * Keeps the command for the shim, mode 0600, with the session's variables unless others are given.
 * @throws BridgeError `folder_unsafe`, see `ensurePrivateFolder`
 */
export function writeLaunchCommand(folder: string, { command, args, env = sessionVariables(process.env) }: LaunchCommand): void {
  ensurePrivateFolder(folder);
  writePrivateFile(launchFile(folder), `${JSON.stringify({ version: 1, command, args, env })}\n`);
}

/**
 * Reads the command. It will be run, so it is trusted only where nobody else could have written it.
 * @returns undefined if the app has never run with this data folder
 * @throws BridgeError `folder_unsafe`, `file_unsafe`, `file_malformed`
 */
export function readLaunchCommand(folder: string): LaunchCommand | undefined {
  const file = launchFile(folder);
  const text = readPrivateFile(file);
  if (text === undefined) return undefined;
  checkPrivateFolder(folder);
  const malformed = (): BridgeError => new BridgeError('file_malformed', `${file} is damaged.`, 'Start Vestnik yourself: it writes a new file.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (typeof value !== 'object' || value === null) throw malformed();
  const { command, args, env = {} } = value as Record<string, unknown>;
  if (typeof command !== 'string' || !path.isAbsolute(command)) throw malformed();
  if (!Array.isArray(args) || !args.every((argument): argument is string => typeof argument === 'string')) throw malformed();
  if (typeof env !== 'object' || env === null || !Object.values(env).every((variable) => typeof variable === 'string')) throw malformed();
  return { command, args, env: env as Record<string, string> };
}
