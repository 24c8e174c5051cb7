import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { appWindow, killApp, launchApp, type LaunchedApp, loginWindow, mcpClient, pageWhere, screenshot, temporaryFolder, waitFor } from './harness/index.ts';
import { invoke, openPassport, signIn, waitForState, windows } from './session-support.ts';

let simulator: Simulator;
let app: LaunchedApp | undefined;
let userData: string;

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  userData = temporaryFolder();
});
afterEach(async () => {
  await killApp(app);
  await simulator.stop();
});

async function launch(args: string[] = []): Promise<LaunchedApp> {
  app = await launchApp({ userData, protocol: { ...simulator.protocol }, args });
  return app;
}

it('signing in by the popup closes the login windows and shows who is signed in', async () => {
  const running = await launch();
  const { window, login, passport } = await openPassport(running);
  expect(await login.evaluate(() => navigator.userAgent)).toMatch(
    /^Mozilla\/5\.0 \([^)]+\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\) Chrome\/\d+\.0\.0\.0 Safari\/[\d.]+$/,
  );
  await screenshot(passport, 'sign-in-passport');
  await passport.click('[data-account]');
  const view = await waitForState(window, 'online');
  expect(view.name).toBe(simulator.me.displayName);
  await waitFor(async () => (await windows(running)).every(({ url }) => url.startsWith('app://')), { what: 'the login windows to close' });
  await screenshot(window, 'signed-in');
});

it('company sign-in goes to the foreign host and back, with that host in the title', async () => {
  const running = await launch();
  const { window, passport } = await openPassport(running);
  await passport.click('#sso');
  const provider = await pageWhere(running, "the company's page", (url) => url.includes('/idp/login'));
  const host = new URL(provider.url()).host;
  await waitFor(async () => (await windows(running)).some(({ title }) => title.startsWith(`${host} — `)), { what: 'the real host in the title' });
  await provider.click('#idp-continue');
  await waitForState(window, 'online');
});

it('popups that nobody clicked are not followed, and signing in still works', async () => {
  simulator.settings.popups = 'unclicked';
  const running = await launch();
  const window = await appWindow(running);
  await invoke(window, 'session:signIn');
  const login = await loginWindow(running);
  await login.waitForTimeout(1_500);
  expect(simulator.state.unclickedPopups).toBe(0);
  expect(await windows(running)).toHaveLength(2);
  await login.click('#login');
  const passport = await pageWhere(running, "Passport's window", (url) => url.includes('/passport/auth'));
  await passport.click('[data-account]');
  await waitForState(window, 'online');
  expect(simulator.state.unclickedPopups).toBe(0);
});

it('a restart needs no new sign-in, even when Yandex gave cookies that last only as long as the browser', async () => {
  const first = await launch();
  await signIn(first);
  // Passport may hand out cookies without an expiry: make all of them such, as if it had.
  await first.electron.evaluate(async ({ session }) => {
    const { cookies } = session.fromPartition('persist:yandex');
    for (const cookie of await cookies.get({})) {
      const url = `http://${(cookie.domain ?? '').replace(/^\./, '')}${cookie.path ?? '/'}`;
      await cookies.set({
        url,
        name: cookie.name,
        value: cookie.value,
        path: cookie.path ?? '/',
        httpOnly: cookie.httpOnly ?? false,
        sameSite: cookie.sameSite,
      });
    }
  });
  await waitFor(
    () => first.electron.evaluate(async ({ session }) => (await session.fromPartition('persist:yandex').cookies.get({ session: true })).length === 0),
    { what: 'the cookies to be kept' },
  );
  await first.quit();
  const second = await launch();
  const view = await waitForState(await appWindow(second), 'online');
  expect(view.name).toBe(simulator.me.displayName);
});

it('signing out leaves no cookie behind, and agents are told at once', async () => {
  const running = await launch();
  const window = await signIn(running);
  const agent = await mcpClient({ userData });
  expect((await agent.call('list_chats')).isError).toBe(false);
  await invoke(window, 'session:signOut');
  await waitForState(window, 'signed_out');
  expect(await running.electron.evaluate(({ session }) => session.fromPartition('persist:yandex').cookies.get({}))).toEqual([]);
  expect(await agent.call('list_chats')).toMatchObject({ isError: true, data: { code: 'not_signed_in' } });
  await agent.close();
});

it('a rejected session is renewed unseen, once for all agents, and nobody notices', async () => {
  const running = await launch();
  await signIn(running);
  const one = await mcpClient({ userData, name: 'one' });
  const two = await mcpClient({ userData, name: 'two' });
  expect((await one.call('list_chats')).isError).toBe(false);
  simulator.expireSession({ canRefresh: true });
  const answers = await Promise.all([one.call('list_chats'), two.call('list_chats'), one.call('whoami')]);
  expect(answers.map(({ isError }) => isError)).toEqual([false, false, false]);
  expect((await windows(running)).filter(({ isVisible }) => isVisible).every(({ url }) => url.startsWith('app://'))).toBe(true);
  expect(running.output().match(/session_refreshed/g)?.length ?? 0).toBeLessThanOrEqual(2); // stderr and the log file say it once each
  await one.close();
  await two.close();
});

it('a session that cannot be renewed ends in signed out, and a new sign-in works in the same run', async () => {
  const running = await launch();
  const window = await signIn(running);
  simulator.expireSession({ canRefresh: false });
  await waitForState(window, 'signed_out', 45_000);
  const agent = await mcpClient({ userData });
  expect(await agent.call('list_chats')).toMatchObject({ isError: true, data: { code: 'not_signed_in' } });
  await agent.close();
  await signIn(running);
});

it('what lies on disk is private to the person', async () => {
  const running = await launch();
  await signIn(running);
  await running.quit();
  const ours = ['settings.json', 'sign-in.json', 'window.json', 'logs/vestnik.log', 'launch.json']
    .map((name) => path.join(userData, name))
    .filter(fs.existsSync);
  expect(ours.length).toBeGreaterThanOrEqual(3);
  for (const file of ours) expect((fs.statSync(file).mode & 0o777).toString(8), file).toBe('600');
  expect((fs.statSync(userData).mode & 0o777).toString(8)).toBe('700');
  const log = fs.readFileSync(path.join(userData, 'logs/vestnik.log'), 'utf8');
  expect(log).not.toContain(simulator.me.displayName);
  expect(log).not.toMatch(/Session_id|yandexuid/);
});
