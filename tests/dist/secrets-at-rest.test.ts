import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testBuild } from '../../build/packaging/packed-paths.mjs';
import { makeTestBuild } from '../../build/packaging/test-build.mjs';
import {
  appWindow,
  hasKeyring,
  type Keyring,
  killApp,
  launchApp,
  type LaunchedApp,
  mcpClient,
  type McpClient,
  startKeyring,
  temporaryFolder,
} from '../e2e/harness/index.ts';
import { invoke, signIn, waitForState } from '../e2e/session-support.ts';
import { startSimulator, type Simulator } from '../simulator/index.ts';

// In the packed app, because only there Chromium encrypts its cookies (a fuse). What a stranger finds who gets hold of the data folder: a backup,
// a disk, another account with the rights of an administrator.

const DRAFT = 'Черновик: пароль от домофона 4711 🗝';
const INCOMING = 'Входящее: встреча у северного входа в полночь';
const SEARCHED = 'Искомое: отчёт под камнем слева';

let simulator: Simulator;
let app: LaunchedApp | undefined;
let agent: McpClient | undefined;
let keyring: Keyring | undefined;
let userData: string;

beforeAll(makeTestBuild);
beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  userData = temporaryFolder();
});
afterEach(async () => {
  await agent?.close();
  await killApp(app);
  keyring?.stop();
  keyring = undefined;
  await simulator.stop();
});

function launch(switches: readonly string[] = []): Promise<LaunchedApp> {
  const { env = {} } = keyring ?? {};
  return launchApp({ userData, protocol: { ...simulator.protocol }, packedBinary: testBuild.binary, env, args: switches });
}

/** Signs in, reads, searches, drafts, confirms one draft, leaves another: whatever could leave a trace. */
async function useEverything(running: LaunchedApp): Promise<{ cookies: string[] }> {
  const window = await signIn(running);
  agent = await mcpClient({ userData, shim: path.join(userData, 'shim/vestnik-mcp.cjs') });
  const anna = simulator.world.person({ displayName: 'Тайный Собеседник' });
  const chat = simulator.world.privateChat(anna);
  chat.say(anna, INCOMING);
  chat.say(anna, SEARCHED);
  const listed = await agent.call('list_chats');
  expect(listed.isError).toBe(false);
  const read = await agent.call('get_history', { chat: chat.id });
  expect(read.text).toContain(INCOMING);
  await agent.call('search', { query: SEARCHED });
  for (const suffix of ['первый', 'второй']) expect((await agent.call('send_message', { chat: chat.id, text: `${DRAFT} ${suffix}` })).isError).toBe(false);
  const [first] = await invoke(window, 'drafts:list');
  expect(await invoke(window, 'drafts:confirm', { id: first?.id ?? '', shownText: first?.text ?? null })).toEqual({ ok: true });
  const cookies = await running.electron.evaluate(async ({ session }) =>
    (await session.fromPartition('persist:yandex').cookies.get({})).filter(({ name }) => name.startsWith('Session')).map(({ value }) => value),
  );
  expect(cookies.length).toBeGreaterThan(0);
  await agent.close();
  await running.quit();
  return { cookies };
}

/** Files that hold any of the texts, as UTF-8 or as UTF-16, which Chromium's stores also use. */
function filesWith(texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) => [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le'), Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8')]);
  const files = fs.readdirSync(userData, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const content = fs.readFileSync(file);
      return needles.some((needle) => content.includes(needle));
    })
    .map((file) => path.relative(userData, file));
}

const messageTexts = [DRAFT, INCOMING, SEARCHED];

describe.runIf(process.platform === 'linux')('what lies in the data folder after a day of use', () => {
  it.runIf(hasKeyring())('with a keyring: neither the session nor a word of any message, and drafts wait over a restart', async () => {
    keyring = await startKeyring(path.dirname(userData));
    app = await launch(keyring.switches);
    const { cookies } = await useEverything(app);
    expect(filesWith(cookies)).toEqual([]);
    expect(filesWith(messageTexts)).toEqual([]);

    app = await launch(keyring.switches);
    const window = await appWindow(app);
    const view = await waitForState(window, 'online');
    expect(view.secretsEncrypted).toBe(true);
    const pending = (await invoke(window, 'drafts:list')).filter(({ status }) => status === 'pending');
    expect(pending.map(({ text }) => text)).toEqual([`${DRAFT} второй`]);
    await app.quit();
  });

  it('without a keyring: no message, no draft and no session in the clear, and the window says that nothing is really encrypted', async () => {
    app = await launch();
    const window = await appWindow(app);
    expect((await invoke(window, 'session:get')).secretsEncrypted).toBe(false);
    const { cookies } = await useEverything(app);
    expect(filesWith([INCOMING, SEARCHED, DRAFT])).toEqual([]);
    // Chromium scrambles cookies here with a key that everybody knows: enough against a look, not against an attacker.
    expect(filesWith(cookies)).toEqual([]);

    // Our own files are the person's alone; Chromium's are guarded by the folder.
    expect((fs.statSync(userData).mode & 0o777).toString(8)).toBe('700');
    const ours = fs
      .readdirSync(userData, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(json|jsonl|key)$/.test(entry.name))
      .map(({ name }) => name);
    expect(ours).toEqual(expect.arrayContaining(['activity.jsonl', 'drafts.json', 'launch.json', 'local.key', 'sign-in.json']));
    for (const name of [...ours, 'logs/vestnik.log']) expect((fs.statSync(path.join(userData, name)).mode & 0o777).toString(8), name).toBe('600');
  });
});
