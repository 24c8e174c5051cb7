import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { BridgeError, systemCode } from './errors.ts';

/** Any permission for group or others. */
const OTHERS = 0o077;
/** The sticky bit marks a folder that many users share, such as /tmp. */
const STICKY = 0o1000;
/** Larger than any file of ours; keeps a wrong file from being read into memory. */
const MAX_FILE_BYTES = 64 * 1024;

/** Windows has no such modes: there %APPDATA% is closed to other users by its own access list. */
const hasModes = process.platform !== 'win32';

function isOurs(stats: fs.Stats): boolean {
  return process.getuid === undefined || stats.uid === process.getuid();
}

/**
 * Makes the data folder if it is missing and closes it to everybody else (0700).
 * @throws BridgeError `folder_unsafe` if it is another user's, shared, no folder at all, or cannot be closed
 */
export function ensurePrivateFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new BridgeError('folder_unsafe', `The data folder ${folder} cannot be made (${systemCode(error) ?? 'unknown error'}).`);
  }
  if (!hasModes) return;
  const stats = fs.statSync(folder);
  if (!isOurs(stats)) throw new BridgeError('folder_unsafe', `The data folder ${folder} belongs to another user.`, 'Choose a folder of your own.');
  if (stats.mode & STICKY) throw new BridgeError('folder_unsafe', `The data folder ${folder} is shared by many users.`, 'Choose a folder of its own.');
  if ((stats.mode & OTHERS) === 0) return;
  fs.chmodSync(folder, 0o700);
  if (fs.statSync(folder).mode & OTHERS) {
    throw new BridgeError('folder_unsafe', `The data folder ${folder} cannot be closed to other users.`, 'Choose a folder on a disk that keeps permissions.');
  }
}

/**
 * Refuses a folder that others can enter: whoever can write there can put a file of their own in place of ours.
 * @throws BridgeError `folder_unsafe`; a missing folder is no error, there is nothing to read in it
 */
export function checkPrivateFolder(folder: string): void {
  if (!hasModes) return;
  const stats = fs.statSync(folder, { throwIfNoEntry: false });
  if (!stats) return;
  if (!isOurs(stats)) throw new BridgeError('folder_unsafe', `The folder ${folder} belongs to another user.`, 'Start Vestnik as the same user.');
  if (stats.mode & OTHERS) {
    throw new BridgeError(
      'folder_unsafe',
      `The folder ${folder} is open to other users of this computer.`,
      'Quit Vestnik and start it again: it closes the folder and makes a new secret.',
    );
  }
}

/**
 * Reads a small text file that only we may read. The check is made on the open file, so that it cannot be swapped in between.
 * @returns the text, or undefined if there is no such file
 * @throws BridgeError `file_unsafe` if others can read or write it, it is another user's, or no regular file
 */
export function readPrivateFile(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new BridgeError('file_unsafe', code === 'ELOOP' ? `${file} is a link.` : `${file} cannot be read (${code ?? 'unknown error'}).`);
  }
  try {
    const stats = fs.fstatSync(descriptor);
    const again = 'Quit Vestnik and start it again: it writes a new file.';
    if (!stats.isFile()) throw new BridgeError('file_unsafe', `${file} is not a regular file.`, again);
    if (hasModes && !isOurs(stats)) throw new BridgeError('file_unsafe', `${file} belongs to another user.`, again);
    if (hasModes && stats.mode & OTHERS) throw new BridgeError('file_unsafe', `${file} is open to other users of this computer.`, again);
    if (stats.size > MAX_FILE_BYTES) throw new BridgeError('file_malformed', `${file} is too large to be Vestnik's.`, again);
    return fs.readFileSync(descriptor, 'utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Writes a file of mode 0600 in one step: a reader sees the old text or the new one, never a part. */
export function writePrivateFile(file: string, text: string): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const descriptor = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeSync(descriptor, text);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    replaceFile(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** How often and how long a file that another program has open is tried again: only Windows refuses, and only for that moment. */
const REPLACE_ATTEMPTS = 20;
const REPLACE_PAUSE_MS = 10;

function replaceFile(from: string, to: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      fs.renameSync(from, to);
      return;
    } catch (error) {
      const isBusy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
      if (!isBusy || attempt === REPLACE_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REPLACE_PAUSE_MS);
    }
  }
}
