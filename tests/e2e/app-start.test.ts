import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { electronArguments } from '../../build/electron-arguments.mjs';
import { requireElectron } from '../../build/electron-path.mjs';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { appWindow, killApp, launchApp, type LaunchedApp, mcpClient, projectRoot, temporaryFolder, waitFor } from './harness/index.ts';
import { invoke, windows } from './session-support.ts';

let simulator: Simulator;
let app: LaunchedApp | undefined;
let userData: string;

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  userData = temporaryFolder();
});
afterEach(async () => {
  await killApp(app);
  app = undefined;
  await simulator.stop();
});

async function launch(args: string[] = []): Promise<LaunchedApp> {
  app = await launchApp({ userData, protocol: { ...simulator.protocol }, args });
  return app;
}

/** Runs the app to its end and tells what it said. */
async function run(args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(requireElectron().binary, ['--password-store=basic', ...electronArguments(args)], {
    cwd: projectRoot,
    env: { ...process.env, VESTNIK_USER_DATA: userData, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stderr };
}

it('a second start brings the first window forward, says so and ends well', async () => {
  const running = await launch(['--hidden']);
  expect(await windows(running)).toEqual([]);
  const second = await run([], {});
  expect(second.code).toBe(0);
  expect(second.stderr).toContain('Vestnik is already running; its window was brought to the front.');
  await appWindow(running);
  await waitFor(async () => (await windows(running))[0]?.isVisible, { what: 'the window to be shown' });
});

it('a hidden start shows no window but serves agents', async () => {
  const running = await launch(['--hidden']);
  const agent = await mcpClient({ userData });
  expect(await agent.call('session_status')).toMatchObject({ isError: false });
  expect(await windows(running)).toEqual([]);
  await agent.close();
});

it('closing the window keeps the app in the tray, and quitting really ends it', async () => {
  const running = await launch();
  await appWindow(running);
  // A page can be read a while before its window is first shown, and only what is seen can be closed.
  await waitFor(async () => (await windows(running)).some(({ isVisible }) => isVisible), { what: 'the window to be seen' });
  await running.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await waitFor(async () => (await windows(running)).every(({ isVisible }) => !isVisible), { what: 'the window to hide' });
  const agent = await mcpClient({ userData });
  expect((await agent.call('session_status')).isError).toBe(false);
  await agent.close();
  await running.quit();
});

it('a broken protocol file stops the start with the name of the bad key', async () => {
  const file = path.join(path.dirname(userData), 'protocol.json');
  fs.writeFileSync(file, JSON.stringify({ registryUrl: 'http://example.com/registry' }));
  const { code, stderr } = await run([], { VESTNIK_PROTOCOL: file });
  expect(code).toBe(1);
  expect(stderr).toContain('registryUrl');
  fs.writeFileSync(file, '{ not json');
  expect((await run([], { VESTNIK_PROTOCOL: file })).stderr).toContain('not valid JSON');
  expect((await run([], { VESTNIK_PROTOCOL: `${file}.absent` })).stderr).toContain('cannot be read');
});

it('a broken settings file is kept aside, the defaults hold, and the person is told', async () => {
  fs.mkdirSync(userData, { recursive: true });
  fs.writeFileSync(path.join(userData, 'settings.json'), '{ "language": "ru", ');
  const window = await appWindow(await launch());
  const { notices } = await invoke(window, 'session:get');
  const notice = notices.find(({ code }) => code === 'settings_broken');
  expect(fs.readFileSync(notice?.detail ?? '', 'utf8')).toBe('{ "language": "ru", ');
  expect((await invoke(window, 'settings:get')).language).toBe('system');
  await invoke(window, 'session:dismissNotice', notice?.id ?? '');
  expect((await invoke(window, 'session:get')).notices.map(({ code }) => code)).not.toContain('settings_broken');
});

it('one bad value in the settings costs only itself', async () => {
  fs.mkdirSync(userData, { recursive: true });
  fs.writeFileSync(path.join(userData, 'settings.json'), JSON.stringify({ language: 'ru', downloadsDays: 'many', fromTheFuture: 1 }));
  const window = await appWindow(await launch());
  expect(await invoke(window, 'settings:get')).toMatchObject({ language: 'ru', downloadsDays: 7 });
  expect((await invoke(window, 'session:get')).notices).toContainEqual(expect.objectContaining({ code: 'settings_values_broken' }));
});

it('our window runs no script but its own and goes nowhere', async () => {
  const running = await launch();
  const page = await appWindow(running);
  const before = page.url();
  const outcome = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.owned = true';
    document.body.append(script);
    const fetched = await fetch('https://example.com/').then(
      () => 'fetched',
      () => 'refused',
    );
    const opened = window.open('https://example.com/') === null ? 'refused' : 'opened';
    location.href = 'https://example.com/';
    return { owned: (window as unknown as { owned?: boolean }).owned ?? false, fetched, opened, node: typeof (globalThis as { require?: unknown }).require };
  });
  expect(outcome).toEqual({ owned: false, fetched: 'refused', opened: 'refused', node: 'undefined' });
  await page.waitForTimeout(300);
  expect(page.url()).toBe(before);
});

it('a foreign frame that reaches for the channels is refused', async () => {
  const running = await launch();
  await appWindow(running);
  // A window of ours in every way but one: it is not the app's window.
  const answer = await running.electron.evaluate(
    async ({ BrowserWindow }, preload) => {
      const foreign = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true, contextIsolation: true } });
      await foreign.loadURL('app://vestnik/');
      const result = (await foreign.webContents.executeJavaScript(
        "window.vestnik.invoke('settings:get').then(() => 'let in', (error) => error.message)",
      )) as string;
      foreign.destroy();
      return result;
    },
    path.join(projectRoot, 'out/preload/index.cjs'),
  );
  expect(answer).toContain('foreign_sender');
});

it('requests that do not match the contract are refused at the gate', async () => {
  const window = await appWindow(await launch());
  const refusal = await window.evaluate(() =>
    (globalThis as unknown as { vestnik: { invoke(channel: string, args: unknown): Promise<unknown> } }).vestnik
      .invoke('drafts:reject', { id: 7, extra: true })
      .then(String, (error: Error) => error.message),
  );
  expect(refusal).toContain('bad_arguments');
  const unknown = await window.evaluate(() =>
    (globalThis as unknown as { vestnik: { invoke(channel: string, args: unknown): Promise<unknown> } }).vestnik
      .invoke('drafts:confirmAll', null)
      .then(String, (error: Error) => error.message),
  );
  expect(unknown).toContain('unknown_channel');
});

it('"Remove everything" takes client entries and data away and ends the app', async () => {
  const home = path.join(path.dirname(userData), 'home');
  fs.mkdirSync(path.join(home, '.cursor'), { recursive: true });
  const config = path.join(home, '.cursor', 'mcp.json');
  fs.writeFileSync(config, '{ "mcpServers": { "other": { "command": "x" } } }');
  app = await launchApp({ userData, protocol: { ...simulator.protocol }, env: { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') } });
  const window = await appWindow(app);
  expect(await invoke(window, 'clients:connect', 'cursor')).toEqual({ ok: true });
  const entry = (JSON.parse(fs.readFileSync(config, 'utf8')) as { mcpServers: { vestnik: { command: string; args: string[] } } }).mcpServers.vestnik;
  expect(path.isAbsolute(entry.command)).toBe(true);
  expect(entry.args).toEqual([path.join(userData, 'shim', 'vestnik-mcp.cjs')]);
  expect(fs.existsSync(entry.args[0] ?? '')).toBe(true);
  const gone = new Promise((resolve) => app?.electron.process().once('exit', resolve));
  await invoke(window, 'settings:removeEverything').catch(() => undefined); // the answer may be lost with the app
  await gone;
  expect(JSON.parse(fs.readFileSync(config, 'utf8'))).toEqual({ mcpServers: { other: { command: 'x' } } });
  expect(fs.existsSync(userData)).toBe(false);
});

it('an agent whose app is not running has it started, hidden, and is served', async () => {
  await (await launch(['--hidden'])).quit();
  const agent = await mcpClient({ userData, env: { VESTNIK_PROTOCOL: `${userData}.protocol.json` } });
  try {
    const answer = await agent.call('session_status');
    expect(answer).toMatchObject({ isError: false });
    // The log of the second start says that it was a hidden one.
    const starts = fs.readFileSync(path.join(userData, 'logs/vestnik.log'), 'utf8').match(/"hidden":true/g);
    expect(starts).toHaveLength(2);
    // A third start is a second instance, which proves that the one the shim started is there; then it is ended by its pid.
    const lock = fs.readlinkSync(path.join(userData, 'SingletonLock'));
    process.kill(Number(lock.split('-').at(-1)), 'SIGTERM');
    await waitFor(
      () =>
        !fs.existsSync(path.join(userData, 'endpoint.json')) &&
        fs.readFileSync(path.join(userData, 'logs/vestnik.log'), 'utf8').match(/"closed"/g)?.length === 2,
      {
        what: 'the started app to end in order',
      },
    );
  } finally {
    await agent.close();
  }
});
