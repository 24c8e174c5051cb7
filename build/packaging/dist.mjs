// Packs the app: node build/packaging/dist.mjs [--dir] [--arch x64,arm64] [--no-shim-binary]
//   --dir             only the folder that the installers would install, for this computer; needs no network
//   --arch            processors, by default all that electron-builder.yml names (with --dir this computer's)
//   --no-shim-binary  leave the 100 MB executable of the shim out; people then need Node
// From the environment: VESTNIK_UPDATE_FEED, the address of the update feed that this build shall use (none by default), and what
// electron-builder itself reads for signing (docs/release.md).
import fs from 'node:fs';
import path from 'node:path';
import { Arch, build, createTargets, Platform } from 'electron-builder';
import { bundleAll } from '../bundle.mjs';
import { requireElectron } from '../electron-path.mjs';
import { projectRoot } from '../setup/run.mjs';
import { buildMcpb } from './mcpb.mjs';
import { buildSea } from './sea.mjs';

const stage = path.join(projectRoot, 'release/app');
const ARCHITECTURES = ['x64', 'arm64'];

/** What of package.json the running app needs; scripts and dependencies are nobody's business there. */
const MANIFEST_FIELDS = ['name', 'productName', 'version', 'description', 'license', 'author', 'homepage', 'main'];

/** Bundles for production and writes the manifest: everything that the package holds of ours. */
async function stageApp() {
  await bundleAll({ isProduction: true, outFolder: 'release/app/out' });
  const manifest = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
  const kept = Object.fromEntries(MANIFEST_FIELDS.filter((field) => field in manifest).map((field) => [field, manifest[field]]));
  kept.desktopName = `${manifest.name}.desktop`; // how Linux desktops tie windows and notifications to the launcher
  fs.writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`);
}

/** @param {string[]} architectures @param {{ isLocalNode: boolean, isWanted: boolean }} options */
async function stageShimBinaries(architectures, { isLocalNode, isWanted }) {
  fs.rmSync(path.join(projectRoot, 'release/sea'), { recursive: true, force: true });
  for (const arch of architectures) {
    const platform = `${process.platform}-${arch}`;
    if (isWanted) await buildSea({ platform, isLocalNode });
    else fs.mkdirSync(path.join(projectRoot, 'release/sea', platform), { recursive: true }); // an absent folder would be a warning
  }
}

/**
 * What this very build adds to electron-builder.yml.
 * @param {{ isDir: boolean, feed: string | undefined }} options
 * @returns {import('electron-builder').Configuration}
 */
export function buildOverrides({ isDir, feed }) {
  // Without a feed there is no `app-update.yml` in the package, and nothing is ever asked for.
  const publish = feed ? { publish: { provider: /** @type {const} */ ('generic'), url: feed } } : { publish: null };
  if (!isDir) return publish;
  // The folder is for trying and testing: with the Electron that is here anyway, and never signed.
  const { dist, version } = requireElectron();
  return { ...publish, electronDist: dist, electronVersion: version, mac: { identity: null, notarize: false } };
}

/** A CI hands over secrets it lacks as "", which electron-builder would take for a certificate. @param {NodeJS.ProcessEnv} environment */
export function dropEmptySigning(environment) {
  for (const name of Object.keys(environment)) if (/^(WIN_)?CSC_|^APPLE_/.test(name) && environment[name] === '') delete environment[name];
}

/** @param {string[]} flags */
async function main(flags) {
  dropEmptySigning(process.env);
  const isDir = flags.includes('--dir');
  const archFlag = flags.indexOf('--arch');
  const architectures = archFlag >= 0 ? (flags[archFlag + 1] ?? '').split(',') : isDir ? [process.arch] : ARCHITECTURES;
  for (const arch of architectures) if (!ARCHITECTURES.includes(arch)) throw new Error(`Unknown processor "${arch}". Known: ${ARCHITECTURES.join(', ')}.`);

  await stageApp();
  await stageShimBinaries(architectures, { isLocalNode: isDir, isWanted: !flags.includes('--no-shim-binary') });
  const targets = createTargets([Platform.current()], isDir ? 'dir' : null);
  const byArch = new Map(architectures.map((arch) => [Arch[/** @type {'x64' | 'arm64'} */ (arch)], isDir ? ['dir'] : []]));
  const made = await build({
    projectDir: projectRoot,
    targets: new Map([...targets.keys()].map((platform) => [platform, byArch])),
    config: buildOverrides({ isDir, feed: process.env.VESTNIK_UPDATE_FEED }),
    publish: 'never', // putting files anywhere is the release workflow's step
  });
  if (!isDir) made.push(await buildMcpb());
  for (const file of made) console.log(path.relative(projectRoot, file));
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    process.exitCode = 1;
  }
}
