import fs from 'node:fs';
import { app } from 'electron';
import type { ClientSetup } from './clients/setup.ts';
import { DEEP_LINK_SCHEME } from './launch-options.ts';
import { type SelfCommand, setStartAtLogin } from './start-at-login.ts';

/** "Remove everything": client entries, the autostart entry, the link scheme, and the data folder with shim copies, drafts and journal. */
export class Remover {
  private isWanted = false;

  /** Takes back what lies outside the data folder. */
  prepare({ clients, self }: { clients: ClientSetup; self: SelfCommand }): void {
    this.isWanted = true;
    clients.disconnectAll();
    setStartAtLogin(false, self);
    if (app.isPackaged) app.removeAsDefaultProtocolClient(DEEP_LINK_SCHEME);
  }

  /** Deletes the data folder, once everything of ours is closed. Chromium writes some of its own files at the very end, so it is done then once more. */
  run(userData: string): void {
    if (!this.isWanted) return;
    const remove = (): void => fs.rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
    remove();
    app.once('quit', remove);
    process.once('exit', remove);
  }
}
