import fs from 'node:fs';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { installShimCopy } from '../../app/bridge/shim-copy.ts';
import type { ServerEntry } from './config-edit.ts';

/** Where the shim's copies lie: outside the installation, because an installer ends whatever runs from inside it. */
export interface ShimCopy {
  /** Stable path that clients' configurations name. */
  readonly script: string;
  /** The single executable, where this build carries one; it needs no Node. */
  readonly binary: string | undefined;
}

/** Copies one file to `<folder>/<version>/` and to the stable path, by rename, so that a running client never sees half a file. */
function install(source: string, folder: string, version: string, mode: number): string {
  const bytes = fs.readFileSync(source);
  const name = path.basename(source);
  const stable = path.join(folder, name);
  for (const target of [path.join(folder, version, name), stable]) {
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    if (fs.existsSync(target) && fs.readFileSync(target).equals(bytes)) continue;
    try {
      writeFileAtomic.sync(target, bytes, { mode });
    } catch (error) {
      // Windows does not replace a program that runs; the stable copy is renewed at a later start, and the versions tell each other apart.
      if (target !== stable || !fs.existsSync(stable)) throw error;
    }
  }
  return stable;
}

/**
 * Puts this version's shim into the data folder.
 * @param sources the script, and the single executable if there is one
 * @returns undefined when the app was built without a shim
 */
export function copyShim(sources: { script: string; binary: string | undefined }, userData: string, version: string): ShimCopy | undefined {
  if (!fs.existsSync(sources.script)) return undefined;
  const folder = path.join(userData, 'shim');
  const script = install(sources.script, folder, version, 0o600);
  // 100 MB: one copy is enough, and it is renewed only when the build's is another.
  const binary = sources.binary && fs.existsSync(sources.binary) ? installShimCopy(sources.binary, userData).file : undefined;
  return { script, binary };
}

/**
 * What a client runs: the single executable, or Node with the script. Paths are absolute, because clients start with odd PATHs.
 * @param dataFolder given along when it is not the default one, so that the shim looks in the right place
 */
export function shimEntry(copy: ShimCopy | undefined, node: string | undefined, dataFolder: string | undefined): ServerEntry | undefined {
  if (!copy) return undefined;
  const env = dataFolder === undefined ? {} : { env: { VESTNIK_USER_DATA: dataFolder } };
  if (copy.binary) return { command: copy.binary, args: [], ...env };
  return node === undefined ? undefined : { command: node, args: [copy.script], ...env };
}

/** Places where Node is installed beside PATH; a program started from a desktop often has a bare PATH. */
const USUAL_PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/opt/homebrew/bin', '/usr/local/bin'],
  linux: ['/usr/local/bin', '/usr/bin'],
  win32: ['C:\\Program Files\\nodejs'],
};

/** Absolute path of the first Node found, without resolving links, so that an upgrade of Node does not break the entry. */
export function findNode(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform, isFile: (file: string) => boolean): string | undefined {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const fromPath = (env['PATH'] ?? env['Path'] ?? '').split(paths.delimiter);
  return [...fromPath, ...(USUAL_PLACES[platform] ?? [])]
    .filter((folder) => paths.isAbsolute(folder))
    .map((folder) => paths.join(folder, platform === 'win32' ? 'node.exe' : 'node'))
    .find(isFile);
}
