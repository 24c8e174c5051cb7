// Where `npm run dist:dir` leaves the packed app, and where its variant for tests is.
import path from 'node:path';
import { projectRoot } from '../setup/run.mjs';

const release = path.join(projectRoot, 'release');

/** @param {string} folder @param {string} program @param {string} resources @param {string} fuses where the fuses are looked for */
function packed(folder, program, resources = 'resources', fuses = program) {
  const root = path.join(release, folder);
  const at = (/** @type {string[]} */ ...parts) => path.join(root, ...parts);
  return { folder: root, binary: at(program), resources: at(resources), asar: at(resources, 'app.asar'), fuses: at(fuses) };
}

/** The folder of this computer's platform, as electron-builder names it. */
function packedHere() {
  const suffix = process.arch === 'x64' ? '' : `-${process.arch}`;
  if (process.platform === 'darwin') return packed(`mac${suffix}`, 'Vestnik.app/Contents/MacOS/Vestnik', 'Vestnik.app/Contents/Resources', 'Vestnik.app');
  if (process.platform === 'win32') return packed(`win${suffix}-unpacked`, 'Vestnik.exe');
  return packed(`linux${suffix}-unpacked`, 'vestnik');
}

/** As it would be installed. */
export const packedApp = packedHere();

/** The variant whose inspect fuse is on. */
export const testBuild = packed('vestnik-test-build', 'vestnik-test-build');
