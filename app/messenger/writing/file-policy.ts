import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import nodePath from 'node:path';
import { WritingRefusal } from './types.ts';

/**
 * Which files may be sent (design §4): regular files inside the folders the person allows, no hidden segment below them, up to a size.
 * Both sides are compared after `realpath`, and the file is held open from the check to the last byte, so that what was checked is what is read.
 */

export interface FileRules {
  /** Absolute folders. */
  readonly allowedFolders: readonly string[];
  readonly maxFileBytes: number;
}

/** A file that may be sent, held open. The holder closes it. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly realPath: string;
  readonly name: string;
  readonly sizeBytes: number;
}

type PathModule = Pick<typeof nodePath, 'sep' | 'relative' | 'isAbsolute' | 'normalize' | 'resolve' | 'basename'>;

/** Device names that Windows opens in any folder, with or without an extension. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\..*)?$/i;

/**
 * Opens a file for sending.
 * @param path absolute, as the caller gave it
 * @throws WritingRefusal `invalid_argument file_not_allowed file_missing file_too_large`
 */
export async function openForSending(path: string, rules: FileRules, platform: NodeJS.Platform = process.platform): Promise<OpenFile> {
  requirePlainPath(path, platform);
  const roots = await realRoots(rules.allowedFolders);
  let realPath: string;
  try {
    realPath = await realpath(path);
  } catch (error) {
    // Outside the allowed folders nothing is told, not even whether a file exists.
    const place = nodePath.resolve(path);
    const isAllowedPlace = roots.flatMap(({ configured, real }) => [configured, real]).some((root) => isAllowedBelow(root, place, platform));
    if (isAllowedPlace && isErrno(error, 'ENOENT', 'ENOTDIR')) throw missing();
    throw notAllowed();
  }
  requireAllowed(realPath, roots, platform);
  const handle = await openRegular(realPath);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw notAllowed('It is not a regular file.');
    await requireSameFile(realPath, stat);
    if (stat.size > rules.maxFileBytes) throw tooLarge(stat.size, rules.maxFileBytes);
    return { handle, realPath, name: nodePath.basename(realPath), sizeBytes: stat.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Whether `candidate` lies below `folder` (not the folder itself). Windows and macOS take names regardless of case.
 * Pure; the platform decides how paths are read.
 */
export function isInside(folder: string, candidate: string, platform: NodeJS.Platform): boolean {
  const inside = relativeInside(folder, candidate, platform);
  return inside !== undefined && inside !== '';
}

/** Whether a path below an allowed folder has a segment that starts with a dot, or one that names a stream or device on Windows. */
export function hasForbiddenSegment(folder: string, candidate: string, platform: NodeJS.Platform): boolean {
  const inside = relativeInside(folder, candidate, platform) ?? '';
  const segments = inside.split(platform === 'win32' ? /[\\/]/ : '/').filter(Boolean);
  return segments.some(
    (segment) =>
      segment.startsWith('.') || (platform === 'win32' && (segment.includes(':') || WINDOWS_DEVICE.test(segment.trimEnd()) || /[. ]$/.test(segment))),
  );
}

function isAllowedBelow(folder: string, candidate: string, platform: NodeJS.Platform): boolean {
  return isInside(folder, candidate, platform) && !hasForbiddenSegment(folder, candidate, platform);
}

function relativeInside(folder: string, candidate: string, platform: NodeJS.Platform): string | undefined {
  const paths: PathModule = platform === 'win32' ? nodePath.win32 : nodePath.posix;
  const fold = (path: string) => (platform === 'win32' || platform === 'darwin' ? path.normalize('NFC').toLowerCase() : path);
  const relative = paths.relative(fold(paths.normalize(folder)), fold(paths.normalize(candidate)));
  // Another drive gives an absolute path back.
  return relative === '..' || relative.startsWith(`..${paths.sep}`) || paths.isAbsolute(relative) ? undefined : relative;
}

interface Root {
  readonly configured: string;
  readonly real: string;
}

async function realRoots(folders: readonly string[]): Promise<Root[]> {
  const roots = await Promise.all(
    folders
      .filter((folder) => nodePath.isAbsolute(folder))
      .map(async (configured) => ({ configured, real: await realpath(configured).catch(() => undefined) })),
  );
  // A folder that does not exist allows nothing.
  return roots.flatMap(({ configured, real }) => (real === undefined ? [] : [{ configured, real }]));
}

function requirePlainPath(path: string, platform: NodeJS.Platform): void {
  const paths = platform === 'win32' ? nodePath.win32 : nodePath.posix;
  const isDevicePath = platform === 'win32' && /^[\\/]{2}[.?]/.test(path); // \\.\ and \\?\ go around the file system's own rules
  if (path.includes('\0') || !paths.isAbsolute(path) || isDevicePath) {
    throw new WritingRefusal(
      'invalid_argument',
      '`path` must be the absolute path of a file on this computer.',
      'Pass the full path, as in /home/name/Documents/report.pdf.',
    );
  }
}

function requireAllowed(realPath: string, roots: readonly Root[], platform: NodeJS.Platform): void {
  const holders = roots.filter(({ real }) => isInside(real, realPath, platform));
  if (holders.length === 0) throw notAllowed();
  if (!holders.some(({ real }) => isAllowedBelow(real, realPath, platform))) throw notAllowed('Hidden files and files in hidden folders are never sent.');
}

/** Opens without following a link that came in meanwhile, and without waiting on a pipe. */
async function openRegular(realPath: string): Promise<FileHandle> {
  try {
    return await open(realPath, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) throw missing();
    throw notAllowed(isErrno(error, 'EACCES', 'EPERM') ? 'The system does not let Vestnik read it.' : 'It is not a regular file.');
  }
}

/** The open file is still the one that the path names, and no folder on the way has become a link. */
async function requireSameFile(realPath: string, opened: { dev: number; ino: number }): Promise<void> {
  const [again, named] = await Promise.all([realpath(realPath).catch(() => undefined), lstat(realPath).catch(() => undefined)]);
  if (again !== realPath || !named || named.dev !== opened.dev || named.ino !== opened.ino) throw notAllowed('It changed its place while it was opened.');
}

function notAllowed(why = 'It is not inside a folder from which the person lets agents send files.'): WritingRefusal {
  return new WritingRefusal(
    'file_not_allowed',
    `This file may not be sent. ${why}`,
    'Ask the person to put the file into an allowed folder, or to allow its folder in Vestnik (Settings).',
  );
}

function missing(): WritingRefusal {
  return new WritingRefusal('file_missing', 'There is no such file.', 'Check the path and call again.');
}

function tooLarge(sizeBytes: number, maxBytes: number): WritingRefusal {
  return new WritingRefusal(
    'file_too_large',
    `The file has ${sizeBytes} bytes; the most is ${maxBytes}.`,
    'Send a smaller file, or ask the person to raise the limit in Settings.',
    {
      size: sizeBytes,
      max_size: maxBytes,
    },
  );
}

function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
