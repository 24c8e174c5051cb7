import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitFor } from './harness/index.ts';
import { invoke } from './session-support.ts';
import { openScene, type Scene, setSettings, showSection } from './window-support.ts';

let scene: Scene;
let home: string;

beforeEach(async () => {
  scene = await openScene((userData) => {
    home = `${userData}.home`;
    fs.mkdirSync(path.join(home, '.cursor'), { recursive: true });
    fs.writeFileSync(path.join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { other: { command: 'other' } }, theme: 'dark' }));
  });
  await setSettings(scene.window, { language: 'en' });
});
afterEach(() => scene.end());

it('one choice for many chats takes effect for the agent, and letting agents decide is asked twice', async () => {
  const { window, agent } = scene;
  await showSection(window, 'chats');
  const rows = window.locator('.chat');
  await rows.first().waitFor();
  await window.getByRole('searchbox', { name: 'Search chats' }).fill('смирнова');
  await window.getByRole('checkbox', { name: 'Select all shown' }).check();
  await window.locator('.bulkChoice select').selectOption('hidden');
  await window.getByText('not in lists, not in search, not by name').first().waitFor();
  await window.getByRole('button', { name: 'Apply' }).click();
  await waitFor(async () => !JSON.stringify((await agent.call('list_chats')).data).includes(scene.chatId), { what: 'the chat to be hidden from the agent' });

  await rows.first().locator('select').selectOption('agent_confirms');
  const question = rows.first().getByRole('group');
  await question.waitFor();
  expect((await invoke(window, 'chats:list')).rows.some((row) => row.access === 'agent_confirms')).toBe(false);
  await window.keyboard.press('Enter'); // the focus is on the way back
  await question.waitFor({ state: 'detached' });
  await rows.first().locator('select').selectOption('agent_confirms');
  await question.getByRole('button', { name: 'Let agents decide' }).click();
  await waitFor(async () => (await invoke(window, 'chats:list')).rows.some((row) => row.access === 'agent_confirms'), { what: 'the access to be set' });
});

it('a client is connected and removed by a button, and nothing else in its settings changes', async () => {
  const { window } = scene;
  const file = path.join(home, '.cursor/mcp.json');
  const before = fs.readFileSync(file, 'utf8');
  await showSection(window, 'connect');
  const cursor = window.locator('[data-client="cursor"]');
  await cursor.getByRole('button', { name: 'Connect: Cursor' }).click();
  await cursor.getByRole('button', { name: 'Remove: Cursor' }).waitFor();
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({ mcpServers: { other: { command: 'other' }, vestnik: {} }, theme: 'dark' });
  await cursor.getByRole('button', { name: 'Remove: Cursor' }).click();
  await cursor.getByRole('button', { name: 'Connect: Cursor' }).waitFor();
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(JSON.parse(before));

  fs.writeFileSync(file, '{ half');
  await cursor.getByRole('button', { name: 'Connect: Cursor' }).click();
  await window.locator('.toast', { hasText: 'not valid JSON' }).waitFor();
  expect(fs.readFileSync(file, 'utf8')).toBe('{ half');
});

it('settings say what is wrong beside the field, keep what was, and switch the language at once', async () => {
  const { window } = scene;
  await showSection(window, 'settings');
  const zone = window.getByLabel('Time zone');
  await zone.fill('Mars/Base');
  await window.getByText('There is no such time zone.').waitFor();
  await zone.press('Enter');
  await zone.press('Escape');
  expect((await invoke(window, 'settings:get')).timeZone).toBe('Europe/Moscow');

  const constants = window.getByLabel('Protocol constants (JSON)');
  const before = (await invoke(window, 'settings:get')).protocolOverrides;
  await constants.fill('{"serviceId": ');
  await window.getByText('This is not valid JSON').waitFor();
  await constants.fill('{"registryUrl": "http://example.org/"}');
  await window.getByRole('button', { name: 'Save the constants' }).click();
  await window.getByText('registryUrl').last().waitFor();
  expect((await invoke(window, 'settings:get')).protocolOverrides).toBe(before);
  expect(await constants.inputValue()).toContain('example.org');

  await window.getByLabel('Language', { exact: true }).selectOption('ru');
  await window.getByRole('heading', { level: 1, name: 'Настройки' }).waitFor();
  expect(await window.evaluate(() => [document.documentElement.lang, document.title])).toEqual(['ru', 'Вестник']);
});

it('the journal is filtered, exported and cleared', async () => {
  const { window, agent, app } = scene;
  await agent.call('get_history', { chat: 'nobody by this name' });
  await showSection(window, 'activity');
  await window.locator('.lines .line', { hasText: 'get_history' }).waitFor();
  await window.locator('.filters select').nth(1).selectOption('=list_chats');
  await window.locator('.lines .line', { hasText: 'get_history' }).waitFor({ state: 'detached' });

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vk-'));
  const file = path.join(folder, 'activity.csv');
  await app.electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
  await window.getByRole('button', { name: 'Export CSV' }).click();
  await window.locator('.toast', { hasText: 'The journal is written.' }).waitFor();
  expect(fs.readFileSync(file, 'utf8')).toContain('list_chats');
  fs.rmSync(folder, { recursive: true });

  await window.getByRole('button', { name: 'Clear…' }).click();
  await window.getByRole('button', { name: 'Cancel' }).click();
  expect((await invoke(window, 'activity:facets')).tools).not.toEqual([]);
  await window.getByRole('button', { name: 'Clear…' }).click();
  await window.getByRole('button', { name: 'Clear the journal' }).click();
  await window.getByText('Nothing yet.').waitFor();
});
