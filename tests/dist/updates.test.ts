import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testBuild } from '../../build/packaging/packed-paths.mjs';
import { makeTestBuild } from '../../build/packaging/test-build.mjs';
import { appWindow, killApp, launchApp, type LaunchedApp, mcpClient, type McpClient, temporaryFolder, waitFor } from '../e2e/harness/index.ts';
import { invoke, signIn } from '../e2e/session-support.ts';
import { startSimulator, type Simulator } from '../simulator/index.ts';

// electron-updater itself against a feed on loopback. The "installed AppImage" and its successor are scripts: what counts is who replaces what, and when.

const NEXT_VERSION = '99.0.0';

let simulator: Simulator;
let feed: http.Server;
let requested: string[];
let folder: string;
let userData: string;
let installed: string;
let app: LaunchedApp | undefined;
let agent: McpClient | undefined;

beforeAll(makeTestBuild);
beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  userData = temporaryFolder();
  folder = path.dirname(userData);
  installed = path.join(folder, 'Vestnik.AppImage');
  fs.writeFileSync(installed, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
});
afterEach(async () => {
  await agent?.close();
  await killApp(app);
  await new Promise((resolve) => feed.close(resolve));
  await simulator.stop();
});

/** Offers a new version whose file, once started, leaves a mark. */
async function offer({ sha512 }: { sha512?: string } = {}): Promise<{ url: string; successor: Buffer }> {
  const successor = Buffer.from(`#!/bin/sh\necho started > ${path.join(folder, 'successor-started')}\n`);
  const hash = sha512 ?? createHash('sha512').update(successor).digest('base64');
  const name = `Vestnik-${NEXT_VERSION}-linux-x86_64.AppImage`;
  const info = {
    version: NEXT_VERSION,
    files: [{ url: name, sha512: hash, size: successor.length }],
    path: name,
    sha512: hash,
    releaseDate: '2026-01-01T00:00:00Z',
  };
  requested = [];
  feed = http.createServer((request, response) => {
    const wanted = new URL(request.url ?? '/', 'http://localhost').pathname;
    requested.push(wanted);
    if (wanted.endsWith('/latest-linux.yml')) response.end(JSON.stringify(info));
    else if (wanted.endsWith(`/${name}`)) response.end(successor);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(feed.address() as AddressInfo).port}/feed`, successor };
}

function launch(feedUrl: string): Promise<LaunchedApp> {
  fs.mkdirSync(userData, { recursive: true, mode: 0o700 });
  // By hand: the window takes only https.
  const file = path.join(userData, 'settings.json');
  if (!fs.existsSync(file)) fs.writeFileSync(file, JSON.stringify({ updateFeedUrl: feedUrl }));
  const env = { APPIMAGE: installed, XDG_CACHE_HOME: path.join(folder, 'cache') };
  return launchApp({ userData, protocol: { ...simulator.protocol }, packedBinary: testBuild.binary, env });
}

describe.runIf(process.platform === 'linux')('an update', () => {
  it('is fetched by itself, waits for the click however long, and then replaces the program; drafts survive', async () => {
    const { url, successor } = await offer();
    app = await launch(url);
    const window = await signIn(app);
    agent = await mcpClient({ userData, shim: path.join(userData, 'shim/vestnik-mcp.cjs') });
    const { data } = await agent.call('list_chats');
    const chat = (data['chats'] as { chat_id: string }[])[0]?.chat_id ?? '';
    expect((await agent.call('send_message', { chat, text: 'переживёт обновление' })).data).toMatchObject({ status: 'draft' });

    await waitFor(async () => (await invoke(window, 'update:get')).state === 'ready', { what: 'the update to be ready', limitMs: 20_000 });
    expect(await invoke(window, 'update:get')).toMatchObject({ version: NEXT_VERSION });
    expect(fs.readFileSync(installed).equals(successor), 'nothing is replaced before the click').toBe(false);

    await invoke(window, 'update:restart').catch(() => undefined); // the window may go before the answer
    const { pid } = app;
    await waitFor(() => !isAlive(pid), { what: 'the old version to end', limitMs: 20_000 });
    await waitFor(() => fs.existsSync(path.join(folder, 'successor-started')), { what: 'the new version to start' });
    expect(fs.readFileSync(installed).equals(successor)).toBe(true);

    fs.rmSync(path.join(userData, 'settings.json'));
    app = await launch('');
    expect((await invoke(await appWindow(app), 'drafts:list')).map(({ status, text }) => ({ status, text }))).toEqual([
      { status: 'pending', text: 'переживёт обновление' },
    ]);
  });

  it('that waits is not installed by quitting', async () => {
    const { url, successor } = await offer();
    app = await launch(url);
    const window = await appWindow(app);
    await waitFor(async () => (await invoke(window, 'update:get')).state === 'ready', { what: 'the update to be ready', limitMs: 20_000 });
    await app.quit();
    expect(fs.readFileSync(installed).equals(successor)).toBe(false);
    expect(fs.existsSync(path.join(folder, 'successor-started'))).toBe(false);
  });

  it('whose content is not what the feed promised is thrown away', async () => {
    const { url } = await offer({ sha512: createHash('sha512').update('something else').digest('base64') });
    app = await launch(url);
    const window = await appWindow(app);
    await waitFor(async () => (await invoke(window, 'update:get')).state === 'failed', { what: 'the update to fail', limitMs: 20_000 });
    expect(await invoke(window, 'update:restart')).toMatchObject({ ok: false });
    expect(isAlive(app.pid)).toBe(true);
  });

  it('is never asked for where no feed is named', async () => {
    await offer();
    app = await launch('');
    const window = await appWindow(app);
    expect(await invoke(window, 'update:get')).toEqual({ state: 'off', version: null, percent: null });
    expect(await invoke(window, 'update:check')).toMatchObject({ ok: false, code: 'no_feed' });
    expect(requested).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
