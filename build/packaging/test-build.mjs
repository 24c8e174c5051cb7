// A packed app that tests can look into: node build/packaging/test-build.mjs, after `npm run dist:dir`.
// The same files in a folder and under a name of their own, with one fuse the other way: `--inspect` works, which Playwright needs.
// Never shipped: it is made here only, and no target of electron-builder.yml knows it.
import fs from 'node:fs';
import path from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { packedApp, testBuild } from './packed-paths.mjs';

/** Makes the test build anew. Linux only: elsewhere changing a binary also means signing it again, and nothing is done. */
export async function makeTestBuild() {
  if (process.platform !== 'linux') return;
  if (!fs.existsSync(packedApp.binary)) throw new Error('There is no packed app yet: run `npm run dist:dir` first.');
  fs.rmSync(testBuild.folder, { recursive: true, force: true });
  copyLinked(packedApp.folder, testBuild.folder);
  fs.rmSync(path.join(testBuild.folder, path.basename(packedApp.binary)));
  fs.copyFileSync(packedApp.binary, testBuild.binary);
  await flipFuses(testBuild.binary, { version: FuseVersion.V1, [FuseV1Options.EnableNodeCliInspectArguments]: true });
}

/** Hard links: 230 MB need not be copied to be the same files. @param {string} from @param {string} to */
function copyLinked(from, to) {
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copyLinked(source, target);
    else fs.linkSync(source, target);
  }
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) {
  await makeTestBuild();
  console.log(path.relative(process.cwd(), testBuild.binary));
}
