// Where the Electron of this clone is. Used by set-up, start, demo and the e2e harness; needs nothing installed.
import fs from 'node:fs';
import path from 'node:path';

const projectRoot = path.resolve(import.meta.dirname, '..');

/** The registry-carried runtime, for development and tests only. */
export const fallbackDist = path.join(projectRoot, '.electron-dist');
export const officialDist = path.join(projectRoot, 'node_modules', 'electron', 'dist');

/** Name of the program inside a dist folder. */
export function binaryName(platform = process.platform) {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** Version of the Electron that package.json pins and that node_modules holds the typings of; null without node_modules. */
export function pinnedVersion() {
  const file = path.join(projectRoot, 'node_modules', 'electron', 'package.json');
  return fs.existsSync(file) ? /** @type {string} */ (JSON.parse(fs.readFileSync(file, 'utf8')).version) : null;
}

/** @param {string} dist @returns {string | null} the version a dist folder says it is; null if there is no whole Electron in it */
export function distVersion(dist) {
  try {
    const version = fs.readFileSync(path.join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
    return fs.existsSync(path.join(dist, binaryName())) ? version : null;
  } catch {
    return null;
  }
}

/**
 * The Electron to use: ELECTRON_OVERRIDE_DIST_PATH if set, then the official one, then the registry-carried one.
 * @returns {{ binary: string, dist: string, version: string, source: 'override' | 'official' | 'registry' } | null}
 */
export function findElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  /** @type {['override' | 'official' | 'registry', string][]} */
  const places = override
    ? [['override', path.resolve(override)]]
    : [
        ['official', officialDist],
        ['registry', fallbackDist],
      ];
  for (const [source, dist] of places) {
    const version = distVersion(dist);
    if (version === null || (source === 'official' && version !== pinnedVersion())) continue;
    return { binary: path.join(dist, binaryName()), dist, version, source };
  }
  return null;
}

/** As findElectron, but throws one clear sentence where there is none. */
export function requireElectron() {
  const electron = findElectron();
  if (electron) return electron;
  const where = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  throw new Error(where ? `There is no Electron in ELECTRON_OVERRIDE_DIST_PATH (${where}).` : 'There is no Electron here yet: run `npm run setup` first.');
}
