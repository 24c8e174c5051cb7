import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openScene, type Scene, showSection } from './window-support.ts';

let scene: Scene;

afterEach(() => scene.end());

const LINES = 50_000;
const DRAFTS = 200;

/** Elements of a kind in the page now: a list that holds all its rows would be felt. */
function countOf(selector: string): Promise<number> {
  return scene.window.locator(selector).count();
}

it('a journal of 50,000 lines scrolls to its end with few of them in the page', async () => {
  scene = await openScene((userData) => {
    const lines = Array.from({ length: LINES }, (_, index) =>
      JSON.stringify({
        id: `line-${index}`,
        at: Date.UTC(2026, 0, 1) + index * 60_000,
        client: 'Claude Desktop',
        tool: index === 0 ? 'mark_read' : 'get_history',
        chatId: null,
        outcome: 'ok',
        durationMs: index % 900,
      }),
    );
    fs.writeFileSync(path.join(userData, 'activity.jsonl'), `${lines.join('\n')}\n`, { mode: 0o600 });
  });
  const { window } = scene;
  await showSection(window, 'activity');
  await window.locator('.lines .line code').first().waitFor();
  await window.evaluate(() => document.querySelector('main')?.scrollTo(0, Number.MAX_SAFE_INTEGER));
  await window.locator('.lines .line', { hasText: 'mark_read' }).waitFor();
  expect(await countOf('.lines .line')).toBeLessThan(80);

  await window.locator('.filters select').nth(1).selectOption({ label: 'mark_read' });
  await window.locator('.lines .line', { hasText: 'mark_read' }).waitFor();
  expect(await countOf('.lines .line')).toBe(1);
});

it('200 drafts scroll with few cards in the page, and a link opens the one it names', async () => {
  scene = await openScene();
  const { window, agent, app, chatId } = scene;
  for (let index = 0; index < DRAFTS; index += 1)
    await agent.call('send_message', { chat: chatId, text: `Черновик ${index}. ${'Слово. '.repeat(index % 40)}` });
  await showSection(window, 'drafts');
  await window.locator('.card').first().waitFor();
  expect(await window.locator('[data-view="drafts"] b').textContent()).toBe(String(DRAFTS));
  expect(await countOf('.card')).toBeLessThan(30);

  const target = await window.evaluate(async () => {
    const { vestnik } = globalThis as unknown as { vestnik: { invoke(channel: string): Promise<{ id: string }[]> } };
    return (await vestnik.invoke('drafts:list'))[150]?.id ?? '';
  });
  await app.electron.evaluate(({ BrowserWindow }, draftId) => {
    const own = BrowserWindow.getAllWindows().find((candidate) => candidate.webContents.getURL().startsWith('app://'));
    own?.webContents.send('navigate', { view: 'drafts', draftId });
  }, target);
  const card = window.locator(`[data-draft-id="${target}"]`);
  await card.waitFor();
  await window.waitForFunction((id) => document.activeElement?.getAttribute('data-draft-id') === id, target);
  expect(await card.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true);
  expect(await countOf('.card')).toBeLessThan(30);
});
