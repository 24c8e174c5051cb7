import { lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

/**
 * Removes downloads older than `days` (strictly). A copy of somebody's correspondence should not stay on the disk for ever (the seed's TTL).
 * Only plain files directly in the folder: no folders, no links, nothing outside. 0 days or fewer: never. A missing folder is an empty one.
 * @param nowMs milliseconds since the epoch
 * @returns how many files were removed
 */
export async function sweepFolder(folder: string, days: number, nowMs: number): Promise<number> {
  if (days <= 0) return 0;
  let removed = 0;
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    try {
      const stats = await lstat(path);
      if (!stats.isFile() || nowMs - stats.mtimeMs <= days * DAY_MS) continue;
      await unlink(path);
      removed += 1;
    } catch {
      // Gone in the meantime, or held by another program: the next sweep comes.
    }
  }
  return removed;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await lstat(folder)).isDirectory() ? await readdir(folder) : [];
  } catch {
    return [];
  }
}
