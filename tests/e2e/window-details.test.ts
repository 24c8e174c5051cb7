import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { screenshot } from './harness/index.ts';
import { invoke, waitForState } from './session-support.ts';
import { axeViolations, draftCard, openScene, type Scene, setWidth, showSection, waitUntilReady } from './window-support.ts';

let scene: Scene;

beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.end());

const confirmOf = '[data-action="confirm"]';

it('a click while nobody is signed in says so and leaves the draft waiting', async () => {
  const { window } = scene;
  const card = await draftCard(scene, 'Позже');
  expect((await invoke(window, 'session:signOut')).ok).toBe(true);
  await waitForState(window, 'signed_out');
  await waitUntilReady(card);
  await card.locator(confirmOf).click();
  await card.locator('.problem', { hasText: 'вы не вошли' }).waitFor();
  expect(await invoke(window, 'drafts:list')).toMatchObject([{ status: 'pending' }]);
  expect(await axeViolations(window)).toEqual([]);
  await screenshot(window, 'card-signed-out', 'window');
});

it('text that runs from right to left stands at the right', async () => {
  const card = await draftCard(scene, 'مرحبا\nПривет');
  const sides = await card.locator('.text').evaluate((well) => {
    const box = well.getBoundingClientRect();
    const range = document.createRange();
    const node = well.firstChild as Text;
    return [0, 6].map((at) => {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const letter = range.getBoundingClientRect();
      return letter.left - box.left > box.right - letter.right ? 'right' : 'left';
    });
  });
  await screenshot(scene.window, 'card-right-to-left', 'window');
  expect(sides[0]).toBe('right');
});

it('a draft for a thread speaks the language of the window', async () => {
  const { window, agent, simulator } = scene;
  const group = simulator.demo?.chats.release;
  const { data } = await agent.call('get_history', { chat: group?.id ?? '', detail: 'full' });
  const parent = (data['messages'] as { id: string; thread?: unknown }[]).find((message) => message.thread !== undefined);
  const thread = await agent.call('get_thread', { chat: group?.id ?? '', message_id: parent?.id ?? '' });
  const answer = await agent.call('send_message', { chat: String(thread.data['thread_id']), text: 'В тред' });
  expect(answer.data['status']).toBe('draft');
  await showSection(window, 'drafts');
  const card = window.locator('[data-draft-id]');
  await card.waitFor();
  const meta = (await card.locator('.to .meta').textContent()) ?? '';
  expect(meta).toContain('тред');
  expect(meta).not.toContain('thread');
  await screenshot(window, 'card-thread', 'window');
});

it('a program that is not found may be connected all the same', async () => {
  const { window, userData } = scene;
  await showSection(window, 'connect');
  const row = window.locator('[data-client="claude-desktop"]');
  await row.getByRole('button', { name: 'Всё равно подключить: Claude Desktop' }).click();
  await row.getByRole('button', { name: 'Отключить: Claude Desktop' }).waitFor();
  const file = path.join(`${userData}.home`, '.config/Claude/claude_desktop_config.json');
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({ mcpServers: { vestnik: {} } });
  await row.getByRole('button', { name: 'Отключить: Claude Desktop' }).click();
  await row.getByRole('button', { name: 'Подключить: Claude Desktop', exact: true }).waitFor();
});

it('an outcome is seen on its card, and then nothing waits', async () => {
  const { window } = scene;
  const card = await draftCard(scene, 'Готово');
  await waitUntilReady(card);
  await card.locator(confirmOf).click();
  await window.locator('.outcome[data-status="sent"]').waitFor();
  await window.getByText('Ничего не ждёт.').waitFor({ timeout: 15_000 });
  await screenshot(window, 'drafts-empty', 'window');
  await showSection(window, 'activity');
  await window.locator('.lines .line', { hasText: 'отправлено' }).waitFor();
});

it('a narrow window says who is signed in, and since when', async () => {
  const { app, window } = scene;
  await setWidth(app, 380, 480);
  await window.locator('.who .person').waitFor();
  await window.locator('.who .since').waitFor();
  expect(await axeViolations(window)).toEqual([]);
  await screenshot(window, 'session-380', 'window');
});
