import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** How long a core that lingers after its client is given to notice its successor and go. */
const HANDOVER_MS = 1500;
const LOOK_EVERY_MS = 25;

/**
 * The data folder belongs to the core that came last. One that lingers for the person's decision must not write beside its successor, so
 * the name of the holder stands in the folder: who is no longer the holder ends at once.
 */
export class DataFolder {
  readonly #holderFile: string;

  constructor(readonly folder: string) {
    this.#holderFile = path.join(folder, 'core.pid');
  }

  /** Makes the folder, takes it, and waits a moment for an earlier holder that still runs. @throws Error naming a folder that cannot be used */
  async take(): Promise<void> {
    let earlier: number;
    try {
      makeFolder(this.folder);
      earlier = Number(this.#holder());
      writeFileSync(this.#holderFile, String(process.pid), { mode: 0o600 });
    } catch (error) {
      throw new Error(`--data: the folder ${this.folder} cannot be used (${(error as Error).message})`, { cause: error });
    }
    for (const until = Date.now() + HANDOVER_MS; Date.now() < until && isRunning(earlier);) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }

  get isMine(): boolean {
    return this.#holder() === String(process.pid);
  }

  #holder(): string | undefined {
    return existsSync(this.#holderFile) ? readFileSync(this.#holderFile, 'utf8') : undefined;
  }
}

/** Node's own recursive `mkdir` never returns where the system denies a folder with ENOENT, as under /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0); // asks only whether it is there
    return true;
  } catch {
    return false;
  }
}
