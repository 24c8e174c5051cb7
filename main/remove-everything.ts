import fs from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import type { ClientSetup } from './clients/setup.ts';
import { DEEP_LINK_SCHEME } from './launch-options.ts';
import type { Paths } from './paths.ts';
import { type SelfCommand, setStartAtLogin } from './start-at-login.ts';

const SETTLE_MS = 100;
const MAX_ATTEMPTS = 10;

/** What holds anything of the person's in the data folder, with the copies of it that were kept aside as broken. */
const OUR_FILES = ['settings.json', 'drafts.json', 'chat-access.json', 'sign-in.json', 'pause.json', 'window.json', 'launch.json', 'activity.jsonl'];
const OURS = [...OUR_FILES, 'local.key', 'update-feed.json', 'logs', 'shim', 'downloads', 'crashes', 'Partitions'];

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
   * A folder that was in use before us (`VESTNIK_USER_DATA` may name any) only loses what is ours.
   */
  run({ userData, isOwnFolder }: Pick<Paths, 'userData' | 'isOwnFolder'>): void {
    if (!this.isWanted) return;
    const remove = (): void => {
      try {
        const places = isOwnFolder ? [userData] : oursIn(userData);
        for (const place of places) fs.rmSync(place, { recursive: true, force: true });
      } catch {
        // Something was written into it meanwhile; the last round comes when nothing of Chromium's lives.
      }
    };
    remove();
    app.once('quit', () => {
      for (const { pid } of app.getAppMetrics()) if (pid !== process.pid) endProcess(pid);
      // A helper may write once more while it is dying, so the folder has to stay away for a moment.
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        remove();
        pause(SETTLE_MS);
        if (!isOwnFolder || !fs.existsSync(userData)) break;
      }
      endProcess(process.pid);
    });
  }
}

function oursIn(folder: string): string[] {
  const isOurs = (name: string): boolean => OURS.includes(name) || OUR_FILES.some((file) => name.startsWith(`${path.parse(file).name}.broken-`));
  return fs
    .readdirSync(folder)
    .filter(isOurs)
    .map((name) => path.join(folder, name));
}

/** Blocks: nothing else may run any more. */
function pause(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // already gone
  }
}
