import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { BridgeError } from './errors.ts';
import { checkPrivateFolder, readPrivateFile, writePrivateFile } from './private-files.ts';

/** Version of what the two sides say to each other; raised when an old shim cannot talk to a new app or the reverse. */
export const BRIDGE_PROTOCOL = 1;
/** Version of the endpoint file itself. */
const FILE_VERSION = 1;
const SECRET_BYTES = 32;
/** `sun_path` holds 104 bytes on macOS and 108 on Linux, with the closing zero; 100 leaves room on both. */
const MAX_SOCKET_PATH_BYTES = 100;
const SOCKET_PATTERN = /^bridge-[0-9a-f]{16}\.sock$/;
const PRIVATE_SOCKET_PATTERN = /^vestnik-[0-9a-f]{16}$/;

/** What the shim has to know to reach the app. Lives in `bridge.json` in the data folder, readable by its owner only. */
export interface Endpoint {
  /** Socket path, or pipe name on Windows. */
  readonly socket: string;
  readonly secret: Buffer;
  /** Process id of the app that wrote the file; a hint, pids are used again. */
  readonly pid: number;
  readonly appVersion: string;
  readonly protocol: number;
}

/** A place to listen at. `privateFolder` has to be made first (0700) and removed afterwards. */
export interface BridgeAddress {
  readonly socket: string;
  readonly privateFolder?: string;
}

export function endpointFile(folder: string): string {
  return path.join(folder, 'bridge.json');
}

export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/**
 * Where the bridge may listen, best place first. Random for every launch. A data folder with a long path cannot hold a
 * socket, so a private folder in the runtime or temporary folder stands in.
 */
export function addressCandidates(
  folder: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  temporaryFolder: string,
): BridgeAddress[] {
  const random = randomBytes(8).toString('hex');
  if (platform === 'win32') return [{ socket: `\\\\.\\pipe\\vestnik-${randomBytes(16).toString('hex')}` }];
  const inPrivateFolder = (base: string): BridgeAddress => {
    const privateFolder = path.posix.join(base, `vestnik-${random}`);
    return { socket: path.posix.join(privateFolder, 'bridge.sock'), privateFolder };
  };
  const bases = [env.XDG_RUNTIME_DIR, temporaryFolder, '/tmp'].filter((base) => base !== undefined && path.posix.isAbsolute(base));
  return [{ socket: path.posix.join(folder, `bridge-${random}.sock`) }, ...bases.map((base) => inPrivateFolder(base as string))].filter(
    ({ socket }) => Buffer.byteLength(socket) < MAX_SOCKET_PATH_BYTES,
  );
}

/** Whether a path is one that {@link addressCandidates} makes: only such sockets are ever removed. */
export function isOurSocketPath(socket: string): boolean {
  const name = path.basename(socket);
  return SOCKET_PATTERN.test(name) || (name === 'bridge.sock' && PRIVATE_SOCKET_PATTERN.test(path.basename(path.dirname(socket))));
}

/** Publishes the endpoint, mode 0600, in one step. The folder is already private, see `ensurePrivateFolder`. */
export function writeEndpoint(folder: string, endpoint: Endpoint): void {
  const { socket, secret, pid, appVersion, protocol } = endpoint;
  writePrivateFile(
    endpointFile(folder),
    `${JSON.stringify({ version: FILE_VERSION, protocol, socket, secret: secret.toString('base64url'), pid, appVersion })}\n`,
  );
}

/**
 * Reads the endpoint that the app published.
 * @returns undefined if there is none: the app is not running
 * @throws BridgeError `folder_unsafe`, `file_unsafe` if others could have read or written it, `file_malformed` if it is not ours
 */
export function readEndpoint(folder: string): Endpoint | undefined {
  const file = endpointFile(folder);
  if (!fs.existsSync(file)) return undefined;
  checkPrivateFolder(folder);
  const text = readPrivateFile(file);
  return text === undefined ? undefined : parseEndpoint(text, file);
}

/** The pure half of {@link readEndpoint}. Unknown keys are left for newer apps. */
export function parseEndpoint(text: string, file: string): Endpoint {
  const malformed = (): BridgeError => new BridgeError('file_malformed', `${file} is damaged.`, 'Quit Vestnik and start it again: it writes a new file.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (typeof value !== 'object' || value === null) throw malformed();
  const { socket, secret, pid, appVersion, protocol } = value as Record<string, unknown>;
  if (typeof socket !== 'string' || typeof secret !== 'string' || typeof protocol !== 'number') throw malformed();
  const bytes = Buffer.from(secret, 'base64url');
  if (socket === '' || bytes.length !== SECRET_BYTES) throw malformed();
  return { socket, secret: bytes, protocol, pid: typeof pid === 'number' ? pid : 0, appVersion: typeof appVersion === 'string' ? appVersion : 'unknown' };
}

/** Takes the endpoint file away, but only if it is still the one with this secret: a newer instance keeps its own. */
export function removeEndpoint(folder: string, secret: Buffer): void {
  try {
    if (readEndpoint(folder)?.secret.equals(secret)) fs.rmSync(endpointFile(folder), { force: true });
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error; // somebody else's file is not ours to remove
  }
}
