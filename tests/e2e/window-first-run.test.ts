import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { appWindow, killApp, launchApp, type LaunchedApp, screenshot, temporaryFolder } from './harness/index.ts';
import { invoke, signIn, waitForState } from './session-support.ts';
import { axeViolations, setSettings, setTheme } from './window-support.ts';

let simulator: Simulator;
let app: LaunchedApp;

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  app = await launchApp({ userData: temporaryFolder(), protocol: { ...simulator.protocol } });
});
afterEach(async () => {
  await killApp(app);
  await simulator.stop();
});

it('the first start leads through three steps, shows each done, and is over when skipped', async () => {
  const window = await appWindow(app);
  for (const language of ['ru', 'en'] as const) {
    await setSettings(window, { language });
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(window, theme);
      await window.locator(`html[lang="${language}"] [data-page="welcome"]`).waitFor();
      await screenshot(window, `welcome-${language}-${theme}`, 'window');
      expect(await axeViolations(window)).toEqual([]);
    }
  }
  expect(await window.locator('.steps > li').count()).toBe(3);
  await signIn(app);
  await window.locator('.steps > li[data-done="true"]').first().waitFor();
  await window.getByRole('button', { name: /^(Skip|To the drafts)$/ }).click();
  await window.locator('[data-page="drafts"]').waitFor();
  expect(await invoke(window, 'settings:get')).toMatchObject({ firstRunDone: true });
});

it('the person pauses agents, resumes them and signs out from any section', async () => {
  const window = await signIn(app);
  await setSettings(window, { language: 'en', mode: 'read_only' });
  await window.getByRole('button', { name: 'Pause agents' }).click();
  await window.getByRole('button', { name: 'Resume agents' }).waitFor();
  expect((await invoke(window, 'session:get')).mode).toBe('paused');
  // What agents might do before the pause is all they may do after it.
  await window.getByRole('button', { name: 'Resume agents' }).click();
  await window.getByRole('button', { name: 'Pause agents' }).waitFor();
  expect((await invoke(window, 'session:get')).mode).toBe('read_only');

  await window.getByRole('button', { name: 'Sign out' }).click();
  await window.getByRole('button', { name: 'Yes, sign out' }).click();
  await waitForState(window, 'signed_out');
  await window.getByText('Not signed in').first().waitFor();
});
