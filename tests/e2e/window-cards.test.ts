import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { projectRoot, screenshot } from './harness/index.ts';
import { axeViolations, openScene, type Scene, setSettings, showSection, waitUntilReady } from './window-support.ts';

let scene: Scene;
let folder: string;

beforeEach(async () => {
  scene = await openScene();
  folder = path.join(fs.realpathSync(path.dirname(scene.userData)), 'Отчёты');
  fs.mkdirSync(folder);
  fs.copyFileSync(path.join(projectRoot, 'main/assets/icon.png'), path.join(folder, 'график-Q3.png'));
  await setSettings(scene.window, { allowedFolders: [folder] });
  await showSection(scene.window, 'drafts');
});
afterEach(() => scene.end());

/** The agent drafts; the person looks at the card, which is kept as a picture, and lets it go by its verb. */
async function decide(tool: string, args: Record<string, unknown>, verb: string, look: (card: Locator) => Promise<void>): Promise<void> {
  const { agent, window } = scene;
  const answer = await agent.call(tool, args);
  expect(answer).toMatchObject({ isError: false, data: { status: 'draft' } });
  const card = window.locator(`[data-tool="${tool}"][data-status="pending"]`);
  await waitUntilReady(card);
  await look(card);
  await card.scrollIntoViewIfNeeded();
  await screenshot(window, `card-${tool}`, 'window');
  expect(await axeViolations(window)).toEqual([]);
  await waitUntilReady(card);
  await card.getByRole('button', { name: verb }).click();
  await window.locator(`[data-tool="${tool}"][data-status="sent"]`).waitFor();
}

async function lastMessage(fits: (message: Record<string, unknown>) => boolean): Promise<string> {
  const { data } = await scene.agent.call('get_history', { chat: scene.chatId, detail: 'full' });
  const message = (data['messages'] as Record<string, unknown>[]).findLast(fits);
  if (!message) throw new Error('no such message');
  return String(message['id']);
}

it('every kind of draft shows all that goes out and leaves by its own verb', async () => {
  const { chatId: chat } = scene;
  await decide('send_message', { chat, text: 'Созвон в среду, 11:00, ссылка та же.' }, 'Подтвердить отправку', async (card) => {
    expect(await card.locator('.text').textContent()).toBe('Созвон в среду, 11:00, ссылка та же.');
    expect(await card.locator('.asks').textContent()).toContain('e2e-agent (назвался сам)');
  });
  const mine = await lastMessage((message) => message['text'] === 'Созвон в среду, 11:00, ссылка та же.');

  await decide('edit_message', { chat, message_id: mine, new_text: 'Созвон в четверг, 15:30, ссылка та же.' }, 'Подтвердить правку', async (card) => {
    expect(await card.locator('del').textContent()).toContain('среду, 11:00');
    expect(await card.locator('ins').textContent()).toContain('четверг, 15:30');
  });

  await decide('send_file', { chat, path: path.join(folder, 'график-Q3.png') }, 'Подтвердить отправку', async (card) => {
    expect(await card.locator('.file code').textContent()).toBe(path.join(folder, 'график-Q3.png'));
    expect(await card.locator('.file .meta').textContent()).toMatch(/^PNG, \d+ × \d+, /);
    expect(await card.locator('img.thumb').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  });

  await decide('create_poll', { chat, title: 'Что на обед?', answers: ['Пицца', 'Суши'] }, 'Подтвердить опрос', async (card) => {
    expect(await card.locator('.poll li .text').allTextContents()).toEqual(['Пицца', 'Суши']);
  });
  const poll = await lastMessage((message) => message['kind'] === 'poll');
  await decide('vote_in_poll', { chat, message_id: poll, choices: [1] }, 'Подтвердить голос', async (card) => {
    expect(await card.locator('[data-chosen="true"] .text').allTextContents()).toEqual(['Суши']);
  });

  await decide('forward_message', { from_chat: chat, message_id: mine, chat, comment: 'Посмотри' }, 'Подтвердить пересылку', async (card) => {
    expect(await card.locator('.forward .text').textContent()).toBe('Созвон в четверг, 15:30, ссылка та же.');
  });

  await decide('delete_message', { chat, message_id: mine }, 'Удалить у всех', async (card) => {
    expect(await card.locator('.text').textContent()).toBe('Созвон в четверг, 15:30, ссылка та же.');
    expect(await card.locator('.warn').textContent()).toBe('Удалённое не вернуть.');
  });
  expect(scene.simulator.violations).toEqual([]);
});

it('a draft that cannot be carried out says why on its card', async () => {
  const { agent, window, chatId: chat } = scene;
  const file = path.join(folder, 'график-Q3.png');
  await agent.call('send_file', { chat, path: file });
  fs.appendFileSync(file, 'другое');
  const card = window.locator('[data-tool="send_file"]');
  await waitUntilReady(card);
  await card.getByRole('button', { name: 'Подтвердить отправку' }).click();
  await window.locator('.outcome[data-status="failed"]', { hasText: 'файл изменился после черновика' }).waitFor();
  expect(scene.simulator.pushesOf('Plain')).toEqual([]);
});
