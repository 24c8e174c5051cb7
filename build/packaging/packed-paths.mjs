// Where `npm run dist:dir` leaves the packed app, and where its variant for tests is.
import path from 'node:path';
import { projectRoot } from '../setup/run.mjs';

const release = path.join(projectRoot, 'release');

/** @param {string} folder @param {string} program @param {string} resources */
function packed(folder, program, resources = 'resources') {
  const root = path.join(release, folder);
  return { folder: root, binary: path.join(root, program), resources: path.join(root, resources), asar: path.join(root, resources, 'app.asar') };
}

/** The folder of this computer's platform, as electron-builder names it. */
function packedHere() {
  const suffix = process.arch === 'x64' ? '' : `-${process.arch}`;
  if (process.platform === 'darwin') return packed(`mac${suffix}`, 'Vestnik.app/Contents/MacOS/Vestnik', 'Vestnik.app/Contents/Resources');
  if (process.platform === 'win32') return packed(`win${suffix}-unpacked`, 'Vestnik.exe');
  return packed(`linux${suffix}-unpacked`, 'vestnik');
}

/** As it would be installed. */
export const packedApp = packedHere();

/** The variant whose inspect fuse is on. */
export const testBuild = packed('vestnik-test-build', 'vestnik-test-build');
