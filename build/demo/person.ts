import type { Page } from 'playwright-core';
import { appWindow, loginWindow, pageWhere, type LaunchedApp } from '../../tests/e2e/harness/app.ts';
import { screenshot } from '../../tests/e2e/harness/screenshot.ts';
import { tell } from './transcript.ts';

const FOLDER = 'demo';

/** Opens the sign-in page by the button of our own window. */
export async function openSignIn(app: LaunchedApp): Promise<Page> {
  const window = await appWindow(app);
  await window
    .getByRole('button', { name: /^(sign in|войти)/i })
    .first()
    .click();
  return loginWindow(app);
}

/** The clicks of a person who signs in as the first account that the page offers. */
export async function signIn(app: LaunchedApp, page: Page): Promise<void> {
  tell('person', `signs in at ${page.url()}`);
  await page.locator('#login').click();
  const passport = await pageWhere(app, 'the Passport window', (url) => url.includes('/passport/auth'));
  await passport.locator('#accounts button').first().waitFor();
  await keep(passport, '1-sign-in');
  await passport.locator('#accounts button').first().click();
}

/** Shows the place where cards appear: a first start opens on the welcome page. */
export async function openDrafts(app: LaunchedApp): Promise<void> {
  const window = await appWindow(app);
  await window.locator('[data-view="drafts"]').click();
}

/** Reads the card and clicks Confirm. */
export async function confirmCard(app: LaunchedApp): Promise<void> {
  const window = await appWindow(app);
  // The card takes no click for half a second after it appeared.
  const button = window.locator('[data-action="confirm"]:not([aria-disabled="true"])').first();
  await button.waitFor({ timeout: 30_000 });
  await keep(window, '2-draft');
  tell('person', 'reads the card and clicks Confirm');
  await button.click();
}

/** Waits until the card says how it ended, and keeps a picture of that. */
export async function keepOutcome(app: LaunchedApp): Promise<void> {
  const window = await appWindow(app);
  await window.locator('.outcome[data-status="sent"]').first().waitFor({ timeout: 10_000 });
  await keep(window, '3-sent');
}

async function keep(page: Page, name: string): Promise<void> {
  tell('demo', `screenshot: ${await screenshot(page, name, FOLDER)}`);
}
