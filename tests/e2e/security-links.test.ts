import { spawn } from 'node:child_process';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { electronArguments } from '../../build/electron-arguments.mjs';
import { requireElectron } from '../../build/electron-path.mjs';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { killApp, launchApp, type LaunchedApp, mcpClient, type McpClient, projectRoot, temporaryFolder, waitFor } from './harness/index.ts';
import { invoke, signIn, windows } from './session-support.ts';

// Anybody can make a person follow a vestnik: link, in a mail or on a page. It may open a card and nothing more.

let simulator: Simulator;
let app: LaunchedApp;
let agent: McpClient;
let userData: string;
let window: Page;
let draftId: string;

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  userData = temporaryFolder();
  app = await launchApp({ userData, protocol: { ...simulator.protocol } });
  window = await signIn(app);
  agent = await mcpClient({ userData });
  const { data } = await agent.call('list_chats');
  const chat = (data['chats'] as { chat_id: string }[])[0]?.chat_id ?? '';
  await agent.call('send_message', { chat, text: 'жду решения' });
  draftId = (await invoke(window, 'drafts:list'))[0]?.id ?? '';
  expect(draftId).not.toBe('');
});
afterEach(async () => {
  await agent.close();
  await app.quit().catch(() => undefined);
  await killApp(app);
  await simulator.stop();
});

/** The system starts the program anew with the link; that second instance hands it to the first one and ends. */
function follow(link: string): Promise<number | null> {
  const child = spawn(requireElectron().binary, ['--password-store=basic', ...electronArguments([link])], {
    cwd: projectRoot,
    env: { ...process.env, VESTNIK_USER_DATA: userData },
    stdio: 'ignore',
  });
  return new Promise((resolve) => child.once('close', resolve));
}

async function hideWindow(): Promise<void> {
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await waitFor(async () => (await windows(app)).every(({ isVisible }) => !isVisible), { what: 'the window to hide' });
}

it('a link to a draft brings its card to the front, and the draft goes on waiting', async () => {
  await hideWindow();
  expect(await follow(`vestnik://draft/${draftId}`)).toBe(0);
  await waitFor(async () => (await windows(app)).some(({ isVisible }) => isVisible), { what: 'the window to come back' });
  await window.locator(`[data-draft-id="${draftId}"]`).waitFor({ state: 'visible' });
  expect((await invoke(window, 'drafts:list')).map(({ id, status }) => ({ id, status }))).toEqual([{ id: draftId, status: 'pending' }]);
  expect(simulator.pushesOf('Plain')).toEqual([]);
});

it('a link that asks for more only brings the window forward', async () => {
  const before = await invoke(window, 'settings:get');
  for (const link of [
    `vestnik://draft/${draftId}?confirm=true`,
    `vestnik://draft/${draftId}/confirm`,
    `vestnik://confirm/${draftId}`,
    'vestnik://settings/mode/full',
    'vestnik://draft/..%2f..%2fetc%2fpasswd',
  ]) {
    expect(await follow(link), link).toBe(0);
  }
  expect((await invoke(window, 'drafts:list')).map(({ status }) => status)).toEqual(['pending']);
  expect(await invoke(window, 'settings:get')).toEqual(before);
  expect(simulator.pushesOf('Plain')).toEqual([]);
  expect((await windows(app)).map(({ url }) => new URL(url).protocol)).toEqual(['app:']);
});
