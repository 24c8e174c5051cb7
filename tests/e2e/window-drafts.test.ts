import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitFor } from './harness/index.ts';
import { invoke } from './session-support.ts';
import { axeViolations, draftCard, openScene, type Scene, showSection, waitUntilReady } from './window-support.ts';

let scene: Scene;

beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.end());

const pushes = () => scene.simulator.pushesOf('Plain');
const confirmOf = '[data-action="confirm"]';

it('a card that has just appeared or moved takes no click, and a moment later it does, once', async () => {
  const { window } = scene;
  await showSection(window, 'drafts');
  // The page itself clicks in the very frame in which the card appears: no test is faster.
  await window.evaluate(() => {
    new MutationObserver((_changes, observer) => {
      const button = document.querySelector<HTMLElement>('[data-action="confirm"]');
      if (!button) return;
      observer.disconnect();
      button.click();
    }).observe(document.body, { subtree: true, childList: true });
  });
  const card = await draftCard(scene, 'Не раньше времени');
  await waitUntilReady(card);
  expect(await invoke(window, 'drafts:list')).toMatchObject([{ status: 'pending' }]);

  // The window becomes narrower under the pointer: the card moved.
  const wasTaken = await window.evaluate(async () => {
    const shell = document.querySelector<HTMLElement>('.shell');
    if (shell) shell.style.paddingTop = '40px';
    document.querySelector<HTMLElement>('[data-action="confirm"]')?.click();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return document.querySelector('[data-draft-id]')?.getAttribute('data-status') !== 'pending';
  });
  expect(wasTaken).toBe(false);
  expect(pushes()).toEqual([]);

  await waitUntilReady(card);
  await window.evaluate(() => {
    const button = document.querySelector<HTMLElement>('[data-action="confirm"]');
    button?.click();
    button?.click();
  });
  await window.locator('.outcome[data-status="sent"]').waitFor();
  expect(pushes()).toHaveLength(1);
});

it('a person with nothing but a keyboard reads, changes and sends a draft; Enter alone sends nothing', async () => {
  const { window } = scene;
  const card = await draftCard(scene, 'Буду в шесть');
  await waitUntilReady(card);
  await window.keyboard.press('Enter');
  await window.keyboard.press('Space');
  expect(await invoke(window, 'drafts:list')).toMatchObject([{ status: 'pending' }]);

  const tabTo = async (selector: string): Promise<void> => {
    for (let step = 0; step < 40; step += 1) {
      if (await window.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
      await window.keyboard.press('Tab');
    }
    throw new Error(`no way to ${selector} by Tab`);
  };
  await tabTo('[data-action="edit"]');
  await window.keyboard.press('Enter');
  await window.locator('.editForm textarea:focus').waitFor();
  await window.keyboard.press('Control+A');
  await window.keyboard.type('Буду в семь');
  await tabTo('.editForm [type="submit"]');
  await waitUntilReady(card);
  await window.keyboard.press('Enter');
  await waitFor(async () => (await invoke(window, 'drafts:list'))[0]?.text === 'Буду в семь', { what: 'the text to be changed' });
  expect(pushes()).toEqual([]);

  await waitUntilReady(card);
  await tabTo(confirmOf);
  await window.keyboard.press('Enter');
  await window.locator('.outcome[data-status="sent"]').waitFor();
  expect(pushes().map((push) => push.clientMessage['Plain'])).toMatchObject([{ Text: { MessageText: 'Буду в семь' } }]);
});

it('Esc leaves a change and a refusal, and a refusal tells the agent the reason', async () => {
  const { window, agent, chatId } = scene;
  const args = { chat: chatId, text: 'Лишнее' };
  const { data } = await agent.call('send_message', args);
  const told = agent.call('send_message', { ...args, confirm: true, confirm_token: data['confirm_token'] });
  await showSection(window, 'drafts');
  const card = window.locator('[data-draft-id][data-status="pending"]');
  await waitUntilReady(card);
  await card.locator('[data-action="edit"]').click();
  await window.locator('.editForm textarea').fill('не то');
  await window.keyboard.press('Escape');
  await waitUntilReady(card);
  expect(await card.locator('.text').first().textContent()).toContain('Лишнее');

  await card.locator('[data-action="reject"]').click();
  await window.keyboard.press('Escape');
  await waitUntilReady(card);
  await card.locator('[data-action="reject"]').click();
  await waitUntilReady(card);
  expect(await axeViolations(window)).toEqual([]);
  await window.keyboard.type('Не тот чат');
  await window.keyboard.press('Enter');
  await window.locator('[data-status="rejected"] .outcome').waitFor();
  expect(JSON.stringify((await told).data)).toContain('Не тот чат');
  expect(pushes()).toEqual([]);
});

it('what cannot be seen is drawn, and a text that is not shown in full cannot be confirmed', async () => {
  const { window } = scene;
  const hidden = await draftCard(scene, 'Привет\u200b, \u202eмир');
  expect(await hidden.locator('.odd').allTextContents()).toEqual(['U+200B', 'U+202E']);

  const long = await draftCard(scene, `Начало ${'слово '.repeat(3_000)} конец`);
  await waitUntilReady(long);
  await long.locator(confirmOf).evaluate((button) => (button as HTMLElement).click());
  expect(await long.getAttribute('data-status')).toBe('pending');
  await long.locator('.more button').click();
  await waitUntilReady(long);
  expect(await long.locator('.text').first().textContent()).toContain('конец');
  expect(await axeViolations(window)).toEqual([]);
  expect(pushes()).toEqual([]);
});
