import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { appWindow, killApp, launchApp, type LaunchedApp, loginWindow, waitFor } from './harness/index.ts';
import { invoke, windows } from './session-support.ts';

/** A hostile page in the login window tries everything; one running app for all attempts. */
let simulator: Simulator;
let app: LaunchedApp;
let login: Page;
let userData: string;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'demo' });
  const parent = fs.mkdtempSync('/tmp/vk-');
  userData = path.join(parent, 'data');
  app = await launchApp({ userData, protocol: { ...simulator.protocol } });
  // What would be handed to the system is noted instead of opened.
  await app.electron.evaluate(({ shell }) => {
    const opened: string[] = [];
    (globalThis as unknown as { opened: string[] }).opened = opened;
    shell.openExternal = (url: string) => {
      opened.push(url);
      return Promise.resolve();
    };
  });
  await invoke(await appWindow(app), 'session:signIn');
  login = await loginWindow(app);
});
afterAll(async () => {
  await killApp(app);
  await simulator.stop();
  fs.rmSync(path.dirname(userData), { recursive: true, force: true });
});
afterEach(() => {
  simulator.hostileReports.length = 0;
});

const opened = (): Promise<string[]> => app.electron.evaluate(() => (globalThis as unknown as { opened: string[] }).opened.splice(0));

/** Loads a page in the login window from outside of it; Playwright's own way would wait for navigations that are refused. */
async function open(url: string): Promise<void> {
  await app.electron.evaluate(async ({ BrowserWindow }, target) => {
    const window = BrowserWindow.getAllWindows().find((each) => /^https?:/.test(each.webContents.getURL()));
    await window?.loadURL(target).catch(() => undefined); // cut short by the page's own attempt
  }, url);
}

/** Where to click for each element; taken before the first click, because afterwards Playwright waits for navigations that were refused. */
async function places(...selectors: string[]): Promise<{ x: number; y: number }[]> {
  const boxes = await Promise.all(selectors.map((selector) => login.locator(selector).boundingBox()));
  return boxes.map((box) => ({ x: (box?.x ?? 0) + 4, y: (box?.y ?? 0) + 4 }));
}

async function currentPath(): Promise<string> {
  const shown = (await windows(app)).find(({ url }) => /^https?:/.test(url));
  return shown ? new URL(shown.url).pathname : 'none';
}

async function attempt(what: string, waitMs = 700): Promise<void> {
  await open(`${simulator.urls.hostile}?do=${what}`);
  await login.waitForTimeout(waitMs);
}

/** Still on the hostile page, in the one login window, nothing opened elsewhere. */
async function expectNothingHappened(): Promise<void> {
  expect(await currentPath()).toMatch(/^\/hostile/); // a redirect that Chromium itself refuses ends on its own error page
  expect((await windows(app)).filter(({ url }) => !url.startsWith('app://'))).toHaveLength(1);
  expect(simulator.hostileReports.filter((report) => report.startsWith('reached:'))).toEqual([]);
  expect(await opened()).toEqual([]);
}

it.each(['navigate', 'popup', 'popup-loop', 'file', 'data', 'blob', 'protocol', 'redirect', 'redirect-foreign', 'redirect-protocol', 'webview'])(
  'a page that tries "%s" by itself gets nowhere',
  async (what) => {
    await attempt(what);
    await expectNothingHappened();
  },
);

it('a javascript: address opens no window and stays on the page', async () => {
  await attempt('javascript');
  expect((await windows(app)).filter(({ url }) => !url.startsWith('app://'))).toHaveLength(1);
  expect((await windows(app)).some(({ title }) => title.includes('owned'))).toBe(false);
});

it('a clicked link to another host goes to the system browser, https only', async () => {
  await attempt('none', 300);
  await login.evaluate(() => {
    document.body.innerHTML =
      '<a id="https" href="https://elsewhere.example/page">x</a><br><a id="http" href="http://elsewhere.example/">y</a><br><a id="app" href="vestnik://draft/1">z</a>';
  });
  const [http, ours, https] = await places('#http', '#app', '#https');
  for (const place of [http, ours]) await login.mouse.click(place?.x ?? 0, place?.y ?? 0);
  await login.waitForTimeout(300);
  expect(await opened()).toEqual([]);
  await login.mouse.click(https?.x ?? 0, https?.y ?? 0);
  await waitFor(async () => (await opened()).includes('https://elsewhere.example/page'), { what: 'the link to be handed to the system browser' });
  expect(await currentPath()).toBe('/hostile');
});

it('permissions are denied without a question', async () => {
  await attempt('permission', 3_500);
  const granted = simulator.hostileReports.filter((report) => report.endsWith(':granted'));
  expect(granted).toEqual([]);
  expect(simulator.hostileReports).toContain('notifications:denied');
});

it('a download is refused and leaves no file', async () => {
  await attempt('download');
  expect(app.output()).toContain('login_download_refused');
  const downloads = await app.electron.evaluate(({ app: electron }) => electron.getPath('downloads'));
  expect(fs.existsSync(path.join(downloads, 'evil.exe'))).toBe(false);
});

it('the page finds neither node nor our bridge', async () => {
  await attempt('node');
  expect(simulator.hostileReports).toContain('node:undefined:undefined:undefined');
});

it('the title names the real host, whatever the page calls itself', async () => {
  await attempt('none', 200);
  await login.evaluate(() => {
    document.title = 'passport.yandex.ru — Sign in';
  });
  await login.waitForTimeout(200);
  const shown = (await windows(app)).find(({ url }) => url.includes('/hostile'));
  expect(shown?.title.startsWith(`${new URL(simulator.urls.hostile).host} — `)).toBe(true);
});

it('a page that wants to keep its window open cannot', async () => {
  await attempt('unload', 200);
  await login.mouse.click(5, 5);
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes('/hostile'))
      ?.close(),
  );
  await waitFor(async () => (await windows(app)).every(({ url }) => url.startsWith('app://')), { what: 'the login window to close' });
  expect((await invoke(await appWindow(app), 'session:get')).state).toBe('signed_out');
});
