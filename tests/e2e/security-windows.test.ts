import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import fs from 'node:fs';
import path from 'node:path';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { appWindow, killApp, launchApp, type LaunchedApp } from './harness/index.ts';
import { openPassport } from './session-support.ts';

// What Electron itself says about every page of the running app (docs/security.md), with our window, the login window and Passport's popup open.

let simulator: Simulator;
let app: LaunchedApp;
let window: Page;
let folder: string;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'demo' });
  folder = fs.mkdtempSync('/tmp/vk-');
  app = await launchApp({ userData: path.join(folder, 'data'), protocol: { ...simulator.protocol } });
  window = await appWindow(app);
  await openPassport(app);
});
afterAll(async () => {
  await app.quit().catch(() => undefined);
  await killApp(app);
  await simulator.stop();
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

interface Preferences {
  sandbox?: boolean;
  contextIsolation?: boolean;
  nodeIntegration?: boolean;
  nodeIntegrationInSubFrames?: boolean;
  nodeIntegrationInWorker?: boolean;
  webviewTag?: boolean;
  webSecurity?: boolean;
  allowRunningInsecureContent?: boolean;
  experimentalFeatures?: boolean;
  enableBlinkFeatures?: string;
}

it('every page is sandboxed and isolated', async () => {
  const pages = await app.electron.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((contents) => ({
      url: contents.getURL(),
      preferences: (contents as unknown as { getLastWebPreferences(): Preferences }).getLastWebPreferences(),
    })),
  );
  expect(pages).toHaveLength(3);
  for (const { url, preferences } of pages) {
    expect(preferences, url).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, webSecurity: true });
    for (const dangerous of ['nodeIntegrationInSubFrames', 'nodeIntegrationInWorker', 'allowRunningInsecureContent', 'experimentalFeatures'] as const) {
      expect(preferences[dangerous] ?? false, `${dangerous} of ${url}`).toBe(false);
    }
    expect(preferences.enableBlinkFeatures ?? '', url).toBe('');
  }
});

it('only our own window has the bridge', async () => {
  const bridges = await app.electron.evaluate(({ webContents }) =>
    Promise.all(
      webContents.getAllWebContents().map(async (contents) => ({
        isOurs: contents.getURL().startsWith('app://'),
        type: (await contents.executeJavaScript('typeof globalThis.vestnik')) as string,
      })),
    ),
  );
  for (const { isOurs, type } of bridges) expect(type).toBe(isOurs ? 'object' : 'undefined');
});

it('our window and the pages of the network share no session', async () => {
  const isShared = await app.electron.evaluate(({ webContents }) => {
    const all = webContents.getAllWebContents();
    const ours = all.find((contents) => contents.getURL().startsWith('app://'));
    return all.filter((contents) => contents !== ours).some((contents) => contents.session === ours?.session);
  });
  expect(isShared).toBe(false);
});

it('the policy of our window allows nothing inline, nothing evaluated and nothing from elsewhere, and Chromium reports each breach', async () => {
  const broken = await window.evaluate(async () => {
    const directives: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => directives.push(event.effectiveDirective));
    const image = new Image();
    image.src = 'https://elsewhere.example/pixel.png';
    const script = document.createElement('script');
    script.src = 'https://elsewhere.example/evil.js';
    const inline = document.createElement('script');
    inline.textContent = 'window.owned = true';
    const frame = document.createElement('iframe');
    frame.src = 'https://elsewhere.example/';
    const form = document.createElement('form');
    form.action = 'https://elsewhere.example/';
    document.body.append(image, script, inline, frame, form);
    form.submit();
    await fetch('https://elsewhere.example/').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 300)); // also: the test's own call may evaluate, what comes after it may not
    let evaluated = 'refused';
    try {
      evaluated = String((0, eval)('"ran"'));
    } catch {
      // what the policy is for
    }
    await new Promise((resolve) => setTimeout(resolve, 100)); // reports arrive later
    for (const element of [image, script, inline, frame, form]) element.remove();
    return { directives: [...new Set(directives)].sort(), evaluated, owned: 'owned' in globalThis };
  });
  expect(broken.owned).toBe(false);
  expect(broken.evaluated).toBe('refused');
  expect(broken.directives).toEqual(expect.arrayContaining(['connect-src', 'form-action', 'frame-src', 'img-src', 'script-src', 'script-src-elem']));
});

it('the policy comes with every answer, also with a refusal, and no path leads out of the folder', async () => {
  const answers = await app.electron.evaluate(
    async ({ session }, urls) => {
      const results: { url: string; status: number; policy: string | null }[] = [];
      for (const url of urls) {
        const answer = await session.defaultSession.fetch(url);
        results.push({ url, status: answer.status, policy: answer.headers.get('content-security-policy') });
      }
      return results;
    },
    [
      'app://vestnik/',
      'app://vestnik/../main/index.cjs',
      'app://vestnik/%2e%2e/main/index.cjs',
      'app://vestnik/..%2f..%2fpackage.json',
      'app://elsewhere/index.html',
    ],
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404]);
  for (const { policy } of answers) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-|https?:|\*/);
  }
});

it('a frame inside our own window has no bridge', async () => {
  const inFrame = await window.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<p>a frame</p>';
    document.body.append(frame);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const type = typeof (frame.contentWindow as unknown as { vestnik?: unknown } | null)?.vestnik;
    frame.remove();
    return type;
  });
  expect(inFrame).toBe('undefined');
});

it('the bridge of our window offers two functions, and none of Electron itself', async () => {
  const shape = await window.evaluate(() => {
    const { vestnik } = globalThis as unknown as { vestnik: Record<string, unknown> };
    return {
      keys: Object.keys(vestnik).sort(),
      globals: ['require', 'process', 'electron', 'ipcRenderer', 'Buffer', 'module'].filter((name) => name in globalThis),
    };
  });
  expect(shape.keys).toEqual(['invoke', 'on']);
  expect(shape.globals).toEqual([]);
});

it('no channel exists beside the contract', async () => {
  const channels = await app.electron.evaluate(({ ipcMain }) => ipcMain.eventNames().map(String));
  // Handlers of `invoke` are no events: anything listed here would be a way past the gate. `error` is Electron's own.
  expect(channels.filter((name) => name !== 'error')).toEqual([]);
});

it('no page of ours may ask the system for anything', async () => {
  const states = await window.evaluate(async () => {
    const names = ['notifications', 'geolocation', 'camera', 'microphone', 'midi', 'clipboard-read'] as PermissionName[];
    return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
  });
  expect(new Set(states)).toEqual(new Set(['denied']));
});
