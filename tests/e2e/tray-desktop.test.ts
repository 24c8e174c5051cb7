import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { appWindow, killApp, launchApp, type LaunchedApp, mcpClient, temporaryFolder, waitFor } from './harness/index.ts';
import { invoke, signIn, waitForState, windows } from './session-support.ts';
import { type Desktop, startDesktop } from './tray-host.ts';

let simulator: Simulator;
let desktop: Desktop;
let app: LaunchedApp | undefined;
let userData: string;

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  desktop = await startDesktop();
  userData = temporaryFolder();
});
afterEach(async () => {
  await killApp(app);
  await simulator.stop();
  await desktop.stop();
});

async function launch(args: string[] = []): Promise<LaunchedApp> {
  app = await launchApp({ userData, protocol: { ...simulator.protocol }, args, env: { ...desktop.env, LANGUAGE: 'en', LC_ALL: 'C.UTF-8' } });
  return app;
}

async function trayItem(): Promise<string> {
  return waitFor(() => desktop.trayItem(), { what: 'the tray icon' });
}

async function draft(text: string): Promise<void> {
  const agent = await mcpClient({ userData });
  const { data } = await agent.call('list_chats');
  const [chat] = data['chats'] as { chat_id: string }[];
  expect((await agent.call('send_message', { chat: chat?.chat_id, text })).data['status']).toBe('draft');
  await agent.close();
}

it('the tray shows the state, and its menu signs in, pauses, opens and quits', async () => {
  const running = await launch(['--hidden']);
  const item = await trayItem();
  const first = await waitFor(
    async () => {
      const picture = await desktop.tray(item);
      return picture.menu.length > 0 ? picture : undefined;
    },
    { what: 'the menu' },
  );
  expect(first.hasIcon).toBe(true);
  expect(first.tooltip).toContain('Signed out');
  expect(first.menu.map(({ label }) => label)).toContain('Sign in…');

  await desktop.clickIcon(item);
  const window = await appWindow(running);
  await signIn(running);
  await waitFor(async () => (await desktop.tray(item)).tooltip.includes('Online'), { what: 'the tray to say Online' });
  expect((await desktop.tray(item)).menu.map(({ label }) => label)).toContain('Sign out');

  await desktop.clickMenu(item, /^Pause agents$/);
  await waitForState(window, 'paused');
  await waitFor(async () => (await desktop.tray(item)).menu.find(({ label }) => label === 'Pause agents')?.isChecked, { what: 'the pause to be marked' });
  const agent = await mcpClient({ userData });
  expect(await agent.call('list_chats')).toMatchObject({ isError: true, data: { code: 'paused' } });
  await agent.close();
  await desktop.clickMenu(item, /^Pause agents$/);
  await waitForState(window, 'online');

  const pictures = [(await desktop.tray(item)).pixels];
  for (const [text, words] of [
    ['привет', '1 draft waits for you'],
    ['пока', '2 drafts wait for you'],
  ] as const) {
    await draft(text);
    await waitFor(async () => (await desktop.tray(item)).menu.some(({ label }) => label === words), { what: `the tray to say "${words}"` });
    pictures.push((await desktop.tray(item)).pixels);
  }
  expect(new Set(pictures).size).toBe(3);

  const gone = new Promise((resolve) => running.electron.process().once('exit', resolve));
  await desktop.clickMenu(item, /^Quit/);
  await gone;
});

it('ending a pause in the tray gives agents no more than they had before it', async () => {
  const running = await launch();
  const window = await appWindow(running);
  await invoke(window, 'settings:update', { mode: 'read_only' });
  const item = await trayItem();
  await desktop.clickMenu(item, /^Pause agents$/);
  await waitFor(async () => (await invoke(window, 'session:get')).mode === 'paused', { what: 'the pause' });
  await desktop.clickMenu(item, /^Pause agents$/);
  await waitFor(async () => (await invoke(window, 'session:get')).mode !== 'paused', { what: 'the end of the pause' });
  expect((await invoke(window, 'session:get')).mode).toBe('read_only');
});

it('a new draft is announced by its chat, without its text, and a click opens its card', async () => {
  const running = await launch();
  const window = await signIn(running);
  await running.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await waitFor(async () => (await windows(running)).every(({ isVisible }) => !isVisible), { what: 'the window to hide' });
  await draft('не для чужих глаз');
  const shown = await waitFor(() => desktop.notifications[0], { what: 'the notification' });
  const [card] = await invoke(window, 'drafts:list');
  expect(shown.body).toContain(card?.chat.name ?? 'no name');
  expect(`${shown.title} ${shown.body}`).not.toContain('не для чужих глаз');

  desktop.clickNotification(shown.id);
  await waitFor(async () => (await windows(running)).some(({ isVisible }) => isVisible), { what: 'the window to be shown' });
  await window.locator(`[data-draft-id="${card?.id}"]`).waitFor();
  expect(simulator.pushesOf('Plain')).toEqual([]);
});

it('the text is in the notification only where the person allows it', async () => {
  const window = await signIn(await launch());
  await invoke(window, 'settings:update', { notificationText: true });
  await draft('можно показать');
  await waitFor(() => desktop.notifications.some(({ body }) => body.includes('можно показать')), { what: 'the text in the notification' });
  await invoke(window, 'settings:update', { notifications: false });
  const before = desktop.notifications.length;
  await draft('тихо');
  await waitFor(async () => (await invoke(window, 'drafts:list')).length === 2, { what: 'the second card' });
  expect(desktop.notifications.length).toBe(before);
});

it('with a real keyring neither drafts nor journal show their text on disk', async () => {
  await desktop.startKeyring('unlocked');
  const args = ['--password-store=gnome-libsecret'];
  const window = await signIn(await launch(args));
  expect((await invoke(window, 'session:get')).secretsEncrypted).toBe(true);
  await draft('тайна на диске');
  await app?.quit();
  expect(filesContaining(userData, 'тайна на диске')).toEqual([]);
  const sealed = filesContaining(userData, 'send_message').filter((file) => !file.endsWith('vestnik.log')); // the log names tools, never texts
  expect(sealed).toEqual([]);
  const again = await appWindow(await launch(args));
  expect(await invoke(again, 'drafts:list')).toMatchObject([{ text: 'тайна на диске', status: 'pending' }]);
});

it('a locked keyring does not hold up the start: the person is told, and sealed drafts stay where they are', async () => {
  await desktop.startKeyring('locked');
  const window = await appWindow(await launch(['--password-store=gnome-libsecret']));
  const view = await invoke(window, 'session:get');
  expect(view.secretsEncrypted).toBe(false);
  expect(view.notices.map(({ code }) => code)).toContain('keyring_locked');
});

/** Files below a folder that hold the text. */
function filesContaining(folder: string, text: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fs.readFileSync(file).includes(text));
}
