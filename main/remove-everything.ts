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

  /**
   * Deletes the data folder, once everything of ours is closed. Chromium writes files of its own after the last event of its shutdown, so the app ends
   * right there, and hard: helpers first (on Windows they hold files open), then the folder, then itself.
   */
  run(userData: string): void {
    if (!this.isWanted) return;
    const remove = (): void => fs.rmSync(userData, { recursive: true, force: true, maxRetries: 5 });
    remove();
    app.once('quit', () => {
      for (const { pid } of app.getAppMetrics()) if (pid !== process.pid) endProcess(pid);
      remove();
      endProcess(process.pid);
    });
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // already gone
  }
}
