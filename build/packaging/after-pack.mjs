// electron-builder's hook after the files are in place and before the fuses are set.
import fs from 'node:fs';
import path from 'node:path';

/** Left over from Electron's own folder: its default app would be a way past ours, its version file says nothing to anybody. */
const LEFTOVERS = ['resources/default_app.asar', 'version'];

/** @param {{ appOutDir: string }} context */
export default async function afterPack({ appOutDir }) {
  for (const name of LEFTOVERS) fs.rmSync(path.join(appOutDir, name), { force: true });
}
