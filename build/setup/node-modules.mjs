// node_modules: installed when missing, or when it is not what package-lock.json says.
import fs from 'node:fs';
import path from 'node:path';
import { say, withProgress } from './report.mjs';
import { npm, projectRoot } from './run.mjs';

const modulesFolder = path.join(projectRoot, 'node_modules');

/**
 * Why node_modules must be installed, or null if it is as the lockfile says. npm writes `node_modules/.package-lock.json` last,
 * so an interrupted installation counts as missing.
 * @param {string} [root]
 * @returns {string | null}
 */
export function whyOutdated(root = projectRoot) {
  const installedFile = path.join(root, 'node_modules', '.package-lock.json');
  if (!fs.existsSync(installedFile)) return 'node_modules is missing';
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  const installed = readPackages(installedFile);
  for (const [location, entry] of Object.entries(wanted)) {
    if (location === '' || entry.link) continue;
    const present = installed[location];
    // Optional packages are those of other systems, mostly.
    if (!present) {
      if (entry.optional || entry.devOptional || entry.peer) continue;
      return `${location} is not installed`;
    }
    if (present.version !== entry.version) return `${location} is ${present.version}, not ${entry.version}`;
  }
  return null;
}

/** @param {string} file @returns {Record<string, { version?: string, link?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }>} */
function readPackages(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? {};
}

/** Installs node_modules from the lockfile if it must be. No package's own install script runs. */
export async function ensureNodeModules() {
  const reason = whyOutdated();
  if (reason === null) return;
  say(`Installing packages with npm (${reason}) …`);
  const started = Date.now();
  const countInstalled = () => (fs.existsSync(modulesFolder) ? fs.readdirSync(modulesFolder).length : 0);
  // `npm run --silent` hands its silence on to us in the environment: errors must show all the same, hence the explicit level.
  const install = npm(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  await withProgress(install, () => `${countInstalled()} folders in node_modules, ${Math.round((Date.now() - started) / 1000)} s`);
  say(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}
