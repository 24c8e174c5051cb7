import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { killApp, launchApp, type LaunchedApp, mcpClient, temporaryFolder, waitFor } from './harness/index.ts';
import { invoke, signIn } from './session-support.ts';

let simulator: Simulator;
let app: LaunchedApp | undefined;

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
});
afterEach(async () => {
  await killApp(app);
  await simulator.stop();
});

it('"Remove everything" leaves nothing of Vestnik behind, and nothing else is touched', async () => {
  const userData = temporaryFolder();
  const home = path.join(path.dirname(userData), 'home');
  const claude = path.join(home, '.claude.json');
  const other = { mcpServers: { other: { command: '/usr/bin/other', args: [] } }, theme: 'dark' };
  fs.mkdirSync(home);
  fs.writeFileSync(claude, JSON.stringify(other, null, 2));
  app = await launchApp({ userData, home, protocol: { ...simulator.protocol }, env: { XDG_CONFIG_HOME: path.join(home, '.config') } });
  const { pid } = app;
  const window = await signIn(app);
  expect(await invoke(window, 'clients:connect', 'claude-code')).toEqual({ ok: true });
  expect(await invoke(window, 'settings:update', { startAtLogin: true })).toEqual({ ok: true });
  const autostart = path.join(home, '.config/autostart/vestnik.desktop');
  expect(fs.existsSync(autostart)).toBe(true);
  expect(fs.readFileSync(claude, 'utf8')).toContain('vestnik');
  const agent = await mcpClient({ userData });
  await agent.call('list_chats');
  await agent.close();

  // The app ends by itself, so the answer may be lost with its window.
  await invoke(window, 'settings:removeEverything').catch(() => undefined);
  await waitFor(() => !isAlive(pid), { what: 'the app to end', limitMs: 20_000 });
  // Helpers of Chromium may write once more while they end.
  await waitFor(() => !fs.existsSync(userData) || fs.readdirSync(userData).length === 0, {
    what: 'the data folder to go',
    detail: () => (fs.existsSync(userData) ? fs.readdirSync(userData).join(', ') : ''),
  });
  expect(JSON.parse(fs.readFileSync(claude, 'utf8'))).toEqual(other);
  expect(fs.existsSync(autostart)).toBe(false);
});

it('a folder that was in use before only loses what is ours', async () => {
  const userData = temporaryFolder();
  fs.mkdirSync(userData);
  fs.writeFileSync(path.join(userData, 'thesis.txt'), 'years of work');
  fs.writeFileSync(path.join(userData, 'drafts.json'), '{ broken');
  app = await launchApp({ userData, protocol: { ...simulator.protocol } });
  const { pid } = app;
  const window = await signIn(app);
  const agent = await mcpClient({ userData });
  const { data } = await agent.call('list_chats');
  await agent.call('send_message', { chat: (data['chats'] as { chat_id: string }[])[0]?.chat_id ?? '', text: 'черновик' });
  await agent.close();
  expect(fs.readdirSync(userData)).toEqual(expect.arrayContaining(['drafts.json', 'local.key', expect.stringMatching(/^drafts\.broken-/)]));
  await invoke(window, 'settings:removeEverything').catch(() => undefined);
  await waitFor(() => !isAlive(pid), { what: 'the app to end', limitMs: 20_000 });
  expect(fs.readFileSync(path.join(userData, 'thesis.txt'), 'utf8')).toBe('years of work');
  expect(fs.readdirSync(userData).filter((name) => /drafts|settings|sign-in|activity|local\.key|shim|logs|Partitions/.test(name))).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
