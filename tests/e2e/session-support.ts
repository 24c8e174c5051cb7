import type { Page } from 'playwright-core';
import type { InvokeArgs, InvokeChannel, InvokeResult, SessionView, VestnikBridge } from '../../app/ipc/contract.ts';
import { appWindow, type LaunchedApp, loginWindow, pageWhere, waitFor } from './harness/index.ts';

/** Asks main as our window does. */
export function invoke<C extends InvokeChannel>(window: Page, channel: C, args?: InvokeArgs<C>): Promise<InvokeResult<C>> {
  return window.evaluate(
    ([name, value]) => (globalThis as unknown as { vestnik: { invoke(channel: unknown, args: unknown): Promise<unknown> } }).vestnik.invoke(name, value),
    [channel, args] as const,
  ) as Promise<InvokeResult<C>>;
}

/** Waits for a state as the window shows it. */
export async function waitForState(window: Page, state: SessionView['state'], limitMs = 15_000): Promise<SessionView> {
  return waitFor(
    async () => {
      const view = await invoke(window, 'session:get');
      return view.state === state ? view : undefined;
    },
    { what: `the state ${state}`, limitMs },
  );
}

/** Opens the login window and Passport's popup, as a person does. */
export async function openPassport(app: LaunchedApp): Promise<{ window: Page; login: Page; passport: Page }> {
  const window = await appWindow(app);
  await invoke(window, 'session:signIn');
  const login = await loginWindow(app);
  await login.click('#login');
  const passport = await pageWhere(app, "Passport's window", (url) => url.includes('/passport/auth'));
  return { window, login, passport };
}

/** Signs in by the popup. @returns our own window */
export async function signIn(app: LaunchedApp): Promise<Page> {
  const { window, passport } = await openPassport(app);
  await passport.click('[data-account]');
  await waitForState(window, 'online');
  return window;
}

/** Titles and addresses of all windows, hidden ones too. */
export function windows(app: LaunchedApp): Promise<{ title: string; url: string; isVisible: boolean }[]> {
  return app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => ({ title: window.getTitle(), url: window.webContents.getURL(), isVisible: window.isVisible() })),
  );
}

export type { VestnikBridge };
