import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { appWindow, killApp, launchApp, type LaunchedApp, mcpClient, type McpClient, screenshot, temporaryFolder, waitFor } from './harness/index.ts';
import { invoke, signIn, waitForState } from './session-support.ts';

let simulator: Simulator;
let app: LaunchedApp | undefined;
let agent: McpClient;
let userData: string;
let window: Page;

const TEXT = 'Будет готово к шести\n— пришлю сюда 📎';

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  userData = temporaryFolder();
  window = await signIn(await launch());
  agent = await mcpClient({ userData });
});
afterEach(async () => {
  await agent.close();
  await killApp(app);
  await simulator.stop();
});

async function launch(): Promise<LaunchedApp> {
  app = await launchApp({ userData, protocol: { ...simulator.protocol } });
  return app;
}

/** A chat of two, and a draft for it; waits until its card is shown. */
async function draft(text = TEXT): Promise<{ args: Record<string, unknown>; token: string; chatId: string; payloadId: string }> {
  const { data } = await agent.call('list_chats');
  const chatId = (data['chats'] as { chat_id: string }[])[0]?.chat_id ?? '';
  const args = { chat: chatId, text };
  const answer = await agent.call('send_message', args);
  expect(answer).toMatchObject({ isError: false, data: { status: 'draft', chat_id: chatId } });
  const token = String(answer.data['confirm_token']);
  return { args, token, chatId, payloadId: String(answer.data['payload_id'] ?? '') };
}

function confirmCall({ args, token }: { args: Record<string, unknown>; token: string }) {
  return agent.call('send_message', { ...args, confirm: true, confirm_token: token });
}

async function showDrafts(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^(drafts|черновики)/i })
    .or(page.getByRole('button', { name: /^(drafts|черновики)/i }))
    .first()
    .click();
}

async function clickConfirm(page: Page): Promise<void> {
  await showDrafts(page);
  const button = page
    .locator('[data-draft-id][data-status="pending"][data-guard="open"]')
    .getByRole('button', { name: /^(confirm sending|подтвердить отправку|отправить)/i });
  await button.first().click({ timeout: 10_000 });
}

it('nothing leaves before the click, and the click sends exactly the draft, once', async () => {
  const made = await draft();
  const waiting = confirmCall(made);
  await showDrafts(window);
  await window.locator('[data-draft-id]').first().waitFor();
  await screenshot(window, 'draft-card');
  expect(simulator.pushesOf('Plain')).toEqual([]);

  await clickConfirm(window);
  expect((await waiting).data).toMatchObject({ status: 'sent', chat_id: made.chatId });
  const pushes = simulator.pushesOf('Plain');
  expect(pushes).toHaveLength(1);
  expect(pushes[0]?.clientMessage['Plain']).toMatchObject({ ChatId: made.chatId, Text: { MessageText: TEXT } });
  // The same token again replays the outcome; nothing more goes out.
  expect((await confirmCall(made)).data).toMatchObject({ status: 'sent' });
  expect(simulator.pushesOf('Plain')).toHaveLength(1);
  await screenshot(window, 'draft-sent');
  expect(simulator.violations).toEqual([]);
});

it('a rejected draft sends nothing and the agent learns it', async () => {
  const made = await draft();
  const waiting = confirmCall(made);
  const [card] = await invoke(window, 'drafts:list');
  expect(await invoke(window, 'drafts:reject', { id: card?.id ?? '', reason: 'wrong chat' })).toEqual({ ok: true });
  const answer = await waiting;
  expect(answer.data).toMatchObject({ status: 'rejected' });
  expect(JSON.stringify(answer.data)).toContain('wrong chat');
  expect(simulator.pushesOf('Plain')).toEqual([]);
});

it('a card that no longer shows what would be sent is refused', async () => {
  await draft();
  const [card] = await invoke(window, 'drafts:list');
  expect(await invoke(window, 'drafts:edit', { id: card?.id ?? '', text: 'Другой текст' })).toEqual({ ok: true });
  expect(await invoke(window, 'drafts:confirm', { id: card?.id ?? '', shownText: TEXT })).toMatchObject({ ok: false, code: 'stale_card' });
  expect(simulator.pushesOf('Plain')).toEqual([]);
});

it('a draft outlives a restart of the app, and its token stays good', async () => {
  const made = await draft();
  await app?.quit();
  window = await appWindow(await launch());
  await waitForState(window, 'online');
  const waiting = confirmCall(made);
  await clickConfirm(window);
  expect((await waiting).data).toMatchObject({ status: 'sent' });
  expect(simulator.pushesOf('Plain')).toHaveLength(1);
});

it('a restart forgets neither the text of the person nor what the agent had proposed', async () => {
  await draft();
  const [card] = await invoke(window, 'drafts:list');
  expect(await invoke(window, 'drafts:edit', { id: card?.id ?? '', text: 'Другой текст' })).toEqual({ ok: true });
  expect(await invoke(window, 'drafts:edit', { id: card?.id ?? '', text: 'Ещё другой' })).toEqual({ ok: true });
  await app?.quit();
  window = await appWindow(await launch());
  expect(await invoke(window, 'drafts:list')).toMatchObject([{ status: 'pending', text: 'Ещё другой', originalText: TEXT }]);
});

it('an app that is killed under a connected agent comes back to it, with the draft still waiting', async () => {
  const made = await draft();
  await app?.kill();
  window = await appWindow(await launch());
  await waitForState(window, 'online');
  await waitFor(async () => !(await agent.call('session_status').catch(() => ({ isError: true }))).isError, {
    what: 'the agent to be connected again',
    limitMs: 20_000,
  });
  const [card] = await invoke(window, 'drafts:list');
  expect(card).toMatchObject({ status: 'pending', text: TEXT });
  const waiting = confirmCall(made);
  await clickConfirm(window);
  expect((await waiting).data).toMatchObject({ status: 'sent' });
  expect(simulator.pushesOf('Plain')).toHaveLength(1);
});

it('a broken record of a draft is kept aside and the others still wait', async () => {
  await draft('первый');
  await draft('второй');
  await app?.quit();
  const file = path.join(userData, 'drafts.json');
  const records = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
  const [first] = Object.keys(records);
  fs.writeFileSync(file, JSON.stringify({ ...records, [first ?? '']: { enc: 'plain', data: '{half' } }));
  window = await appWindow(await launch());
  const cards = await invoke(window, 'drafts:list');
  expect(cards).toHaveLength(1);
  const { notices } = await invoke(window, 'session:get');
  const notice = notices.find(({ code }) => code === 'drafts_broken');
  expect(fs.readFileSync(notice?.detail ?? '', 'utf8')).toContain('{half');
});
