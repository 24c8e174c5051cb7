// The steps of set-up, in order.
import { say, SetupError } from './report.mjs';
import { ensureNodeModules } from './node-modules.mjs';
import { ensureElectron } from './electron-runtime.mjs';
import { ensureLinuxPackages } from './linux-packages.mjs';

/** @param {string[]} flags see build/setup.mjs */
export async function main(flags) {
  try {
    const has = (/** @type {string} */ flag) => flags.includes(flag);
    await ensureNodeModules();
    if (has('--modules')) return;
    const electron = await ensureElectron({ retryOfficial: has('--official') });
    const hasDisplay = Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
    const isForTests = has('--tests');
    await ensureLinuxPackages({
      binary: electron.binary,
      xvfb: isForTests || (!hasDisplay && !has('--start')),
      fonts: isForTests || !hasDisplay,
      desktopServices: has('--desktop'),
    });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
