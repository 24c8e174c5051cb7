// The official Electron: electron's own download and its own unpacking, with limits on how long it may keep us waiting.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { megabytes, say, withProgress } from './report.mjs';
import { projectRoot, run } from './run.mjs';

/** Nothing arrived for this long: a firewall swallows the packets, or the connection is dead. */
const SILENCE_LIMIT_MS = 20_000;

/** Downloads (or takes from electron's cache) and unpacks into node_modules/electron/dist. Throws when that cannot be done. */
export async function installOfficial() {
  const electronFolder = path.join(projectRoot, 'node_modules', 'electron');
  const requireAsElectron = createRequire(path.join(electronFolder, 'install.js'));
  const { downloadArtifact } = await import(pathToFileURL(requireAsElectron.resolve('@electron/get')).href);
  const { version } = requireAsElectron('./package.json');

  say(`Fetching Electron ${version} …`);
  const controller = new AbortController();
  const giveUp = () => controller.abort(new Error(`no answer within ${SILENCE_LIMIT_MS / 1000} s`));
  let silence = setTimeout(giveUp, SILENCE_LIMIT_MS);
  let state = 'waiting for an answer';
  const onProgress = ({ transferred, total }) => {
    clearTimeout(silence);
    silence = setTimeout(giveUp, SILENCE_LIMIT_MS);
    state = `${megabytes(transferred)}${total ? ` of ${megabytes(total)}` : ''}`;
  };
  try {
    const download = downloadArtifact({
      version,
      artifactName: 'electron',
      platform: process.platform,
      arch: process.arch,
      cacheRoot: process.env.electron_config_cache,
      checksums: requireAsElectron('./checksums.json'),
      downloadOptions: { quiet: true, signal: controller.signal, getProgressCallback: onProgress },
    });
    await withProgress(download, () => state);
  } finally {
    clearTimeout(silence);
  }
  // Now in electron's cache, so that its own installer only unpacks.
  await run(process.execPath, [path.join(electronFolder, 'install.js')], { quiet: true });
  say(`Electron ${version} is ready.`);
}
