// Builds `vestnik-mcp`: one dependency-free file with the tools' snapshot inside. CommonJS, because a single-executable
// application (Node SEA) takes nothing else.
import { build } from 'esbuild';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateRawSync, constants } from 'node:zlib';
import { toolsSnapshot } from './tools-snapshot.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
// The file is copied into the user's data folder and starts with every client: it stays small.
const MAX_BYTES = 64 * 1024;

/**
 * @param {object} [options]
 * @param {object} [options.snapshot] `{protocolVersions, initialize, tools}`; by default made from the real server
 * @param {string} [options.outfile] default `out/shim/vestnik-mcp.cjs`
 * @param {string} [options.version] default the package's version
 * @returns {Promise<{outfile: string, bytes: number}>}
 */
export async function bundleShim({ snapshot, outfile = path.join(ROOT, 'out/shim/vestnik-mcp.cjs'), version } = {}) {
  const packed = deflateRawSync(JSON.stringify(snapshot ?? (await toolsSnapshot())), { level: constants.Z_BEST_COMPRESSION }).toString('base64');
  const shimVersion = version ?? JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')).version;
  await build({
    entryPoints: [path.join(ROOT, 'app/shim/index.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    legalComments: 'none',
    define: { __VESTNIK_SHIM_VERSION__: JSON.stringify(shimVersion), __VESTNIK_SNAPSHOT__: JSON.stringify(packed) },
    logLevel: 'warning',
  });
  const { size: bytes } = await stat(outfile);
  if (bytes > MAX_BYTES) throw new Error(`the shim has ${bytes} bytes, more than ${MAX_BYTES}`);
  return { outfile, bytes };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { outfile, bytes } = await bundleShim();
  console.log(`${path.relative(ROOT, outfile)}: ${bytes} bytes`);
}
