// The shim as a single executable (Node SEA), for people who have no Node: node build/packaging/sea.mjs [platform-arch …] [--local]
// Result: release/sea/<platform>-<arch>/vestnik-mcp[.exe], which electron-builder puts beside the app.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inject } from 'postject';
import { projectRoot } from '../setup/run.mjs';
import { nodeBinary, nodePlatforms } from './node-binaries.mjs';

const host = `${process.platform}-${process.arch}`;
const defaultScript = path.join(projectRoot, 'release/app/out/shim/vestnik-mcp.cjs');

/** What Node looks for in itself; the value is Node's own. */
const SENTINEL_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const BLOB_NAME = 'NODE_SEA_BLOB';

/** @param {string} platform */
export function seaPath(platform) {
  return path.join(projectRoot, 'release/sea', platform, platform.startsWith('win32') ? 'vestnik-mcp.exe' : 'vestnik-mcp');
}

/**
 * Puts the shim's one file into a copy of Node.
 * @param {object} options
 * @param {string} options.platform of the result, `linux-x64` and the like
 * @param {boolean} [options.isLocalNode] use the Node that runs this script: no network, this platform only
 * @param {string} [options.script] the shim's file
 * @param {string} [options.outfile]
 * @returns {Promise<string>} path of the executable
 */
export async function buildSea({ platform, isLocalNode = false, script = defaultScript, outfile = seaPath(platform) }) {
  if (isLocalNode && platform !== host) throw new Error(`The local Node makes an executable for ${host} only, not for ${platform}.`);
  const runtime = isLocalNode ? process.execPath : await nodeBinary(platform);
  const maker = isLocalNode ? process.execPath : await nodeBinary(host);
  fs.mkdirSync(path.dirname(outfile), { recursive: true });
  const blob = makeBlob(maker, script, outfile);
  fs.rmSync(outfile, { force: true });
  fs.copyFileSync(runtime, outfile);
  fs.chmodSync(outfile, 0o755);
  // Node's own signature would no longer fit; the app's signing signs it anew (build for macOS on macOS).
  if (platform.startsWith('darwin') && process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', outfile]);
  await quietly(() => inject(outfile, BLOB_NAME, blob, { sentinelFuse: SENTINEL_FUSE, machoSegmentName: 'NODE_SEA' }));
  if (platform.startsWith('darwin') && process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', outfile]);
  return outfile;
}

/** @param {string} node @param {string} script @param {string} outfile @returns {Buffer} */
function makeBlob(node, script, outfile) {
  const main = `${outfile}.cjs`;
  const output = `${outfile}.blob`;
  const config = `${outfile}.json`;
  try {
    // Node wraps the file in a function, where a hashbang line is a syntax error.
    fs.writeFileSync(main, fs.readFileSync(script, 'utf8').replace(/^#!.*\n/, ''));
    fs.writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
    execFileSync(node, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
    return fs.readFileSync(output);
  } finally {
    for (const file of [main, output, config]) fs.rmSync(file, { force: true });
  }
}

/** postject writes its progress to stdout. @param {() => Promise<unknown>} work */
async function quietly(work) {
  const { log } = console;
  console.log = () => undefined;
  try {
    await work();
  } finally {
    console.log = log;
  }
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) {
  const flags = process.argv.slice(2);
  const named = flags.filter((flag) => !flag.startsWith('--'));
  for (const platform of named.length > 0 ? named : [host]) {
    if (!nodePlatforms.includes(platform)) throw new Error(`Unknown platform ${platform}. Platforms: ${nodePlatforms.join(', ')}.`);
    const file = await buildSea({ platform, isLocalNode: flags.includes('--local') });
    console.log(`${path.relative(projectRoot, file)}: ${Math.round(fs.statSync(file).size / 1e6)} MB`);
  }
}
