import { afterAll, beforeAll, expect, it } from 'vitest';
import { screenshot } from './harness/index.ts';
import { axeViolations, openScene, type Scene, setTheme, setWidth, showSection, waitUntilReady } from './window-support.ts';

let scene: Scene;

const LONG_NAME = `${'Длинное название '.repeat(15)}${'Ы'.repeat(245)}`;
const FAMILIES = '👨‍👩‍👧‍👦🏳️‍🌈👩🏽‍🚀'.repeat(40);
const LONG_TEXT = `${'слово '.repeat(10_000)}${'x'.repeat(40_000)}`;

beforeAll(async () => {
  scene = await openScene();
  const { simulator, agent } = scene;
  const { anna, bob } = simulator.demo?.people ?? {};
  if (!anna || !bob) throw new Error('no demo world');
  const chat = simulator.world.group({ name: LONG_NAME, members: [anna, bob] });
  for (const text of [FAMILIES, 'שלום עולם\nمرحبا بالعالم']) {
    expect((await agent.call('send_message', { chat: chat.id, text })).data['status']).toBe('draft');
  }
  const long = chat.say(simulator.me, LONG_TEXT);
  expect((await agent.call('delete_message', { chat: chat.id, message_id: String(long.ts) })).data['status']).toBe('draft');
  await showSection(scene.window, 'drafts');
  await scene.window.locator('.card').first().waitFor();
});
afterAll(() => scene.end());

/** Elements that reach past the sides of the window, by their class. */
function overflowing(): Promise<string[]> {
  return scene.window.evaluate(() =>
    [...document.querySelectorAll('main, main *')]
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && !element.closest('.visually-hidden, .cut, pre');
      })
      .map((element) => `${element.tagName}.${element.className}`),
  );
}

it.each([
  [1000, 800],
  [380, 480],
])('names and texts of any length stay inside a window of %i × %i', async (width, height) => {
  const { app, window } = scene;
  await setWidth(app, width, height);
  for (const section of ['drafts', 'activity', 'chats', 'settings'] as const) {
    await showSection(window, section);
    await window.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(await overflowing(), section).toEqual([]);
    await screenshot(window, `hostile-${section}-${width}`, 'window');
  }
});

it('a text of 100,000 characters unfolds, scrolls in its own well and keeps its buttons near', async () => {
  const { app, window } = scene;
  await setWidth(app, 380, 480);
  await showSection(window, 'drafts');
  await window.evaluate(() => document.querySelector('main')?.scrollTo(0, Number.MAX_SAFE_INTEGER));
  const card = window.locator('.card').last();
  await waitUntilReady(card);
  await card.locator('.more button').click();
  const well = card.locator('.text[data-scrolling="true"]');
  await well.waitFor();
  expect((await well.textContent())?.length).toBe(LONG_TEXT.length);
  expect((await well.boundingBox())?.height).toBeLessThan(480);
  expect(await overflowing()).toEqual([]);
});

it.each(['light', 'dark'] as const)('forced colours and reduced motion leave everything readable (%s)', async (theme) => {
  const { app, window } = scene;
  await setWidth(app, 1000, 800);
  await setTheme(window, theme);
  await window.emulateMedia({ colorScheme: theme, forcedColors: 'active', reducedMotion: 'reduce' });
  for (const section of ['drafts', 'chats', 'connect'] as const) {
    await showSection(window, section);
    expect(await axeViolations(window), section).toEqual([]);
    await screenshot(window, `forced-${section}-${theme}`, 'window');
  }
  expect(await window.evaluate(() => document.getAnimations().length)).toBe(0);
  await window.emulateMedia({ forcedColors: 'none', reducedMotion: 'no-preference' });
});
