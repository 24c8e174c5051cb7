import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** In the data folder. */
export const SHIM_FOLDER = 'shim';

/** Keeps a program that was replaced while it ran, until it has ended (Windows). */
const ASIDE = /^\.vestnik-mcp.*\.old$/;

/** Up to this size copies are compared byte by byte. */
const COMPARED_BYTES = 1024 * 1024;
/** File systems keep times to two seconds at worst (FAT). */
const MTIME_TOLERANCE_MS = 2_000;

/**
 * Where the MCP clients find the shim: a copy in the data folder, outside the installation, because the Windows installer
 * kills whatever runs under it. The path stays the same over updates, so the clients' configuration stays true.
 * @param fileName of the shim that the app ships, such as `vestnik-mcp.cjs` or `vestnik-mcp.exe`
 */
export function shimCopyPath(dataFolder: string, fileName: string): string {
  return path.join(dataFolder, SHIM_FOLDER, fileName);
}

/**
 * Brings the copy up to the shim that this app ships. Running shims go on with what they have loaded; a client gets the new
 * one when it is started again.
 * @param source the shipped shim
 * @returns the path of the copy, and whether it was written
 * @throws the system's error if the data folder cannot be written
 */
export function installShimCopy(source: string, dataFolder: string): { file: string; isNew: boolean } {
  const file = shimCopyPath(dataFolder, path.basename(source));
  const folder = path.dirname(file);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of fs.readdirSync(folder).filter((entry) => ASIDE.test(entry))) {
    try {
      fs.rmSync(path.join(folder, name), { force: true });
    } catch {
      // still running; the next start of the app tries again
    }
  }
  const shipped = fs.statSync(source);
  if (isSame(file, source, shipped)) return { file, isNew: false };
  const random = randomBytes(6).toString('hex');
  const temporary = path.join(folder, `.${path.basename(file)}.${random}.tmp`);
  try {
    fs.copyFileSync(source, temporary, fs.constants.COPYFILE_EXCL);
    fs.chmodSync(temporary, 0o700);
    fs.utimesSync(temporary, shipped.mtime, shipped.mtime);
    try {
      fs.renameSync(temporary, file);
    } catch (error) {
      if (process.platform !== 'win32') throw error;
      // Windows does not replace a program that runs, but lets it be renamed.
      fs.renameSync(file, path.join(folder, `.vestnik-mcp.${random}.old`));
      fs.renameSync(temporary, file);
    }
  } finally {
    fs.rmSync(temporary, { force: true });
  }
  return { file, isNew: true };
}

/** By content. A single executable has 100 MB, and every start of the app asks: there the size and the time of the build stand for it. */
function isSame(file: string, source: string, shipped: fs.Stats): boolean {
  try {
    const copy = fs.lstatSync(file);
    if (!copy.isFile() || copy.size !== shipped.size) return false;
    if (shipped.size > COMPARED_BYTES) return Math.abs(copy.mtimeMs - shipped.mtimeMs) < MTIME_TOLERANCE_MS;
    return fs.readFileSync(file).equals(fs.readFileSync(source));
  } catch {
    return false; // missing or unreadable: it is written anew
  }
}
