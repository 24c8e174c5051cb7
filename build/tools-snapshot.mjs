// What the shim answers while the app is absent: the real server's own `initialize` and `tools/list`, asked for at build
// time from the core without Electron. Neither needs a session, so the core runs against addresses where nobody listens.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CORE = 'tests/core/index.ts';
const CACHE = path.join(ROOT, 'node_modules/.cache/vestnik-tools-snapshot.json'); // out/ is packed, this is not for packing
const TIMEOUT_MS = 60_000;
const NOBODY = '127.0.0.1:9'; // the discard port

/**
 * The snapshot, from the cache if nothing that it depends on has changed.
 * @returns {Promise<{protocolVersions: string[], initialize: object, tools: object[]}>}
 */
export async function toolsSnapshot() {
  if (!existsSync(path.join(ROOT, CORE))) {
    console.warn(`[tools-snapshot] there is no ${CORE} to ask; the shim knows no tools until it meets the app`);
    return {
      protocolVersions: SUPPORTED_PROTOCOL_VERSIONS,
      initialize: { capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'vestnik', version: '0' } },
      tools: [],
    };
  }
  const key = await sourcesKey();
  const cached = await readFile(CACHE, 'utf8').then(JSON.parse, () => undefined);
  if (cached?.key === key) return cached.snapshot;
  const snapshot = await askCore();
  await mkdir(path.dirname(CACHE), { recursive: true });
  await writeFile(CACHE, JSON.stringify({ key, snapshot }));
  return snapshot;
}

/** Everything that can change what the server says. */
async function sourcesKey() {
  const hash = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json', 'build/tools-snapshot.mjs']) hash.update(await readFile(path.join(ROOT, file)));
  for (const folder of ['app', 'tests/core']) {
    const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(path.relative(ROOT, file)).update(await readFile(file));
  }
  return hash.digest('hex');
}

async function askCore() {
  const folder = await mkdtemp(path.join(tmpdir(), 'vestnik-snapshot-'));
  const protocol = path.join(folder, 'protocol.json');
  await writeFile(
    protocol,
    JSON.stringify({
      registryUrl: `http://${NOBODY}/registry/api/`,
      csrfTokenUrl: `http://${NOBODY}/registry/csrf-token/`,
      socketUrl: `ws://${NOBODY}/socket`,
      messengerPageUrl: `http://${NOBODY}/chat`,
      privateFilesUrl: `http://${NOBODY}`,
      publicFilesUrl: `http://${NOBODY}`,
    }),
  );
  const args = ['--import', 'tsx', CORE, '--protocol', protocol, '--cookie', 'yandexuid=0', '--data', path.join(folder, 'data')];
  const core = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  core.stderr.on('data', (chunk) => (complaints = (complaints + chunk).slice(-4_000)));
  core.stdin.on('error', () => undefined); // the exit below tells more
  const exited = new Promise((resolve) => core.once('close', resolve));
  const timer = setTimeout(() => core.kill('SIGKILL'), TIMEOUT_MS);
  try {
    const answers = createInterface({ input: core.stdout })[Symbol.asyncIterator]();
    const ask = async (id, method, params) => {
      core.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      for (;;) {
        const { value, done } = await answers.next();
        if (done) throw new Error(`the core ended before it answered ${method}:\n${complaints}`);
        const message = JSON.parse(value);
        if (message.id !== id) continue;
        if (message.error) throw new Error(`${method}: ${message.error.message}`);
        return message.result;
      }
    };
    const clientInfo = { name: 'vestnik-snapshot', version: '0' };
    // The version is the client's business at run time, everything else is the same for every client.
    const { protocolVersion, ...initialize } = await ask(1, 'initialize', { protocolVersion: SUPPORTED_PROTOCOL_VERSIONS[0], capabilities: {}, clientInfo });
    core.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    const tools = [];
    for (let cursor, id = 2; ; id++) {
      const page = await ask(id, 'tools/list', cursor === undefined ? {} : { cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    const protocolVersions = [protocolVersion, ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== protocolVersion)];
    return { protocolVersions, initialize, tools };
  } finally {
    clearTimeout(timer);
    core.stdin.end();
    const killer = setTimeout(() => core.kill('SIGKILL'), 3_000);
    await exited;
    clearTimeout(killer);
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { tools } = await toolsSnapshot();
  console.log(`${path.relative(ROOT, CACHE)}: ${tools.length} tools`);
}
