import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO } from '../simulator/index.ts';
import { type McpClient, mcpClient, projectRoot, screenshot } from './harness/index.ts';
import { openScene, type Scene, setSettings, setTheme, setWidth, showSection } from './window-support.ts';

/** The pictures of the two READMEs; `node build/refresh-images.mjs` puts them into `docs/images/`. */

let scene: Scene;
let agent: McpClient;

beforeAll(async () => {
  scene = await openScene();
  agent = await mcpClient({ userData: scene.userData, name: 'Claude Desktop' });
});
afterAll(async () => {
  await agent.close();
  await scene.end();
});

async function draft(tool: string, args: Record<string, unknown>): Promise<void> {
  expect(await agent.call(tool, args)).toMatchObject({ isError: false, data: { status: 'draft' } });
}

async function messages(chat: string): Promise<Record<string, unknown>[]> {
  const { data } = await agent.call('get_history', { chat, limit: 50, detail: 'full' });
  return data['messages'] as Record<string, unknown>[];
}

async function idOf(chat: string, text: string): Promise<string> {
  const message = (await messages(chat)).find((candidate) => String(candidate['text']).startsWith(text));
  if (!message) throw new Error(`no message "${text}" in ${chat}`);
  return String(message['id']);
}

it('several kinds of drafts wait side by side, in both languages', async () => {
  const { app, window } = scene;
  const reports = path.join(fs.realpathSync(path.dirname(scene.userData)), 'Отчёты');
  fs.mkdirSync(reports);
  fs.copyFileSync(path.join(projectRoot, 'main/assets/icon.png'), path.join(reports, 'график-Q3.png'));
  await setSettings(window, { allowedFolders: [reports] });

  await draft('delete_message', { chat: DEMO.bob, message_id: await idOf(DEMO.bob, 'Are you joining') });
  await draft('edit_message', {
    chat: DEMO.anna,
    message_id: await idOf(DEMO.anna, 'Хорошо, договорились'),
    new_text: 'Хорошо, договорились по срокам. Расскажу подробнее в четверг, в 15:30.',
  });
  await draft('send_file', { chat: DEMO.anna, path: path.join(reports, 'график-Q3.png') });
  await draft('send_message', {
    chat: DEMO.group,
    text: `Беру заметки к выпуску на себя, черновик пришлю к шести. @${DEMO.anna}, посмотришь раздел 3?`,
    mentions: [`@${DEMO.anna}`],
    reply_to_message_id: await idOf(DEMO.group, 'Who writes'),
  });

  await setTheme(window, 'light');
  await setWidth(app, 1000, 1130);
  for (const [language, suffix] of [
    ['en', ''],
    ['ru', '-ru'],
  ] as const) {
    await setSettings(window, { language });
    await showSection(window, 'drafts');
    const notice = window.getByRole('button', { name: /^(Got it|Понятно)$/ }); // of a system without a keyring, as the tests have it
    if (await notice.isVisible()) await notice.click();
    await expect.poll(() => window.locator('.card[data-guard="open"]').count()).toBe(4);
    await window.locator('main').evaluate((main) => main.scrollTo(0, 0));
    await window.mouse.move(0, 0);
    const file = await screenshot(window, `drafts-light${suffix}`, 'readme');
    expect(fs.statSync(file).size).toBeLessThan(200_000);
  }
  expect(scene.simulator.pushes).toEqual([]);
});
