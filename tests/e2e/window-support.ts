import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { EventPayload, Settings } from '../../app/ipc/contract.ts';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { killApp, launchApp, type LaunchedApp, mcpClient, type McpClient } from './harness/index.ts';
import { invoke, signIn } from './session-support.ts';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Section = Exclude<EventPayload<'navigate'>['view'], 'welcome'>;

/** A signed-in app with its window in front, an agent connected, and the simulated Messenger behind. */
export interface Scene {
  readonly simulator: Simulator;
  readonly app: LaunchedApp;
  readonly window: Page;
  readonly agent: McpClient;
  readonly userData: string;
  readonly chatId: string;
  readonly end: () => Promise<void>;
}

/** @param prepare may put files into the data folder before the app starts. */
export async function openScene(prepare: (userData: string) => void = () => undefined): Promise<Scene> {
  const simulator = await startSimulator({ world: 'demo' });
  // Not the harness' own folder: a scene may serve a whole file, and that one lives for one test.
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'vk-'));
  const userData = path.join(parent, 'data');
  fs.mkdirSync(userData, { recursive: true, mode: 0o700 });
  prepare(userData);
  const app = await launchApp({ userData, protocol: { ...simulator.protocol } });
  const window = await signIn(app);
  await setSettings(window, { firstRunDone: true, language: 'ru', timeZone: 'Europe/Moscow' });
  const agent = await mcpClient({ userData });
  const { data } = await agent.call('list_chats');
  const chatId = (data['chats'] as { chat_id: string }[])[0]?.chat_id ?? '';
  const end = async (): Promise<void> => {
    await agent.close();
    await killApp(app);
    await simulator.stop();
    // The killed app's helpers may still write for a moment.
    fs.rmSync(parent, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  return { simulator, app, window, agent, userData, chatId, end };
}

export async function setSettings(window: Page, settings: Partial<Settings>): Promise<void> {
  const result = await invoke(window, 'settings:update', settings);
  if (!result.ok) throw new Error(`settings refused: ${result.code}`);
}

export async function setTheme(window: Page, theme: 'light' | 'dark'): Promise<void> {
  await window.emulateMedia({ colorScheme: theme });
}

export async function setWidth(app: LaunchedApp, width: number, height: number): Promise<void> {
  await app.electron.evaluate(
    ({ BrowserWindow }, size) => {
      for (const window of BrowserWindow.getAllWindows()) if (window.webContents.getURL().startsWith('app://')) window.setContentSize(...size);
    },
    [width, height] as [number, number],
  );
}

export async function showSection(window: Page, section: Section): Promise<void> {
  await window.locator(`[data-view="${section}"]`).click();
  await window.locator(`[data-page="${section}"]`).waitFor();
}

/** A draft by the agent; resolves with its card, pending and ready for a click. */
export async function draftCard(scene: Scene, text: string): Promise<Locator> {
  const answer = await scene.agent.call('send_message', { chat: scene.chatId, text });
  if (answer.data['status'] !== 'draft') throw new Error(`no draft: ${answer.text}`);
  await showSection(scene.window, 'drafts');
  const card = scene.window.locator('[data-draft-id][data-status="pending"]').last();
  await card.waitFor();
  return card;
}

export async function waitUntilReady(card: Locator): Promise<void> {
  await card.and(card.page().locator('[data-guard="open"]')).waitFor();
}

/** What the accessibility checker finds, one line each. */
export async function axeViolations(window: Page): Promise<string[]> {
  await window.evaluate(axe);
  return window.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(root: unknown, options: unknown): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }> };
    };
    const { violations } = await checker.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  });
}
