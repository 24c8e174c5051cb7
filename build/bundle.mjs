// Builds `out/`: node build/bundle.mjs [--production] [--force] [main|preload|renderer|shim|assets …]
// Packing asks for a folder of its own (`outFolder`), so that it never changes what a development run or a test is using.
// Everything is bundled: what is in out/ runs with Electron and without node_modules. A target whose inputs have not changed is skipped.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { build as esbuild } from 'esbuild';

const projectRoot = path.resolve(import.meta.dirname, '..');
const STAMP_FILE = '.inputs.json';

/**
 * Main is CommonJS: bundled dependencies (ws, electron-updater) `require` Node's modules, and an ESM main would be loaded
 * asynchronously, so that a top-level await for 'ready' deadlocks. The sources stay ESM; these two lines keep their import.meta true.
 */
const importMeta = {
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': 'importMetaUrl', 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
};

/** @type {Record<string, { inputs: string[], build: (options: { isProduction: boolean, out: string }) => Promise<void> }>} */
const targets = {
  main: {
    inputs: ['main', 'app', 'package.json'],
    build: ({ isProduction, out }) =>
      bundle(isProduction, {
        entryPoints: ['main/index.ts'],
        outfile: path.join(out, 'main/index.cjs'),
        // Electron is there at run time; the other two are optional native helpers of ws, which goes on without them.
        external: ['electron', 'bufferutil', 'utf-8-validate'],
        // Its CommonJS build hides its parts from a bundler.
        alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
        ...importMeta,
      }),
  },
  preload: {
    inputs: ['preload', 'app/ipc'],
    // A sandboxed preload can only be one CommonJS file.
    build: ({ isProduction, out }) =>
      bundle(isProduction, { entryPoints: ['preload/index.ts'], outfile: path.join(out, 'preload/index.cjs'), external: ['electron'] }),
  },
  renderer: {
    inputs: ['renderer', 'app/ipc'],
    build: async ({ isProduction, out }) => {
      const { build } = await import('vite');
      await build({
        configFile: path.join(projectRoot, 'renderer/vite.config.ts'),
        mode: isProduction ? 'production' : 'development',
        logLevel: 'warn',
        build: { sourcemap: !isProduction, outDir: path.join(out, 'renderer') },
      });
    },
  },
  shim: {
    inputs: ['app', 'build/bundle-shim.mjs', 'build/tools-snapshot.mjs'],
    build: async ({ out }) => {
      const { bundleShim } = await import('./bundle-shim.mjs');
      await bundleShim({ outfile: path.join(out, 'shim/vestnik-mcp.cjs') });
    },
  },
  assets: {
    inputs: ['main/assets'],
    build: async ({ out }) => {
      fs.rmSync(path.join(out, 'assets'), { recursive: true, force: true });
      fs.cpSync(path.join(projectRoot, 'main/assets'), path.join(out, 'assets'), { recursive: true });
    },
  },
};

/** @param {boolean} isProduction @param {import('esbuild').BuildOptions} options */
async function bundle(isProduction, options) {
  await esbuild({
    absWorkingDir: projectRoot,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'utf8',
    // Licences of what is bundled stay in the file; names stay whole, for readable stacks.
    legalComments: 'inline',
    minifySyntax: isProduction,
    minifyWhitespace: isProduction,
    sourcemap: isProduction ? false : 'linked',
    logLevel: 'warning',
    ...options,
  });
}

/** Content hash of files and folders, of the lockfile and of this build itself. @param {string[]} inputs @param {boolean} isProduction */
function hashInputs(inputs, isProduction) {
  const hash = createHash('sha256').update(isProduction ? 'production' : 'development');
  for (const input of [...inputs, 'build/bundle.mjs', 'package-lock.json', 'tsconfig.json']) addToHash(hash, path.join(projectRoot, input));
  return hash.digest('hex');
}

/** @param {import('node:crypto').Hash} hash @param {string} place */
function addToHash(hash, place) {
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) {
    for (const name of fs.readdirSync(place).sort()) addToHash(hash, path.join(place, name));
  } else {
    hash.update(`${path.relative(projectRoot, place)}\0${stat.size}\0`).update(fs.readFileSync(place));
  }
}

/** @param {string} stampFile */
function readStamps(stampFile) {
  try {
    return JSON.parse(fs.readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Builds the named targets (all by default).
 * @param {{ names?: string[], isProduction?: boolean, isForced?: boolean, outFolder?: string }} [options] `outFolder` is relative to the project
 */
export async function bundleAll({ names = Object.keys(targets), isProduction = false, isForced = false, outFolder = 'out' } = {}) {
  const out = path.join(projectRoot, outFolder);
  const stampFile = path.join(out, STAMP_FILE);
  const stamps = readStamps(stampFile);
  for (const name of names) {
    const target = targets[name];
    if (!target) throw new Error(`There is no target "${name}". Targets: ${Object.keys(targets).join(', ')}.`);
    const inputs = hashInputs(target.inputs, isProduction);
    if (!isForced && stamps[name] === inputs && fs.existsSync(path.join(out, name))) continue;
    const started = Date.now();
    await target.build({ isProduction, out });
    stamps[name] = inputs;
    fs.writeFileSync(stampFile, JSON.stringify(stamps));
    process.stderr.write(`[bundle] ${name}: ${Date.now() - started} ms\n`);
  }
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) {
  const flags = process.argv.slice(2);
  const names = flags.filter((flag) => !flag.startsWith('--'));
  try {
    await bundleAll({ ...(names.length > 0 ? { names } : {}), isProduction: flags.includes('--production'), isForced: flags.includes('--force') });
  } catch (error) {
    process.stderr.write(`[bundle] ${error.errors ? 'stopped: see the messages above' : (error.stack ?? error)}\n`);
    process.exitCode = 1;
  }
}
