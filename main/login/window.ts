import { BrowserWindow, type BrowserWindowConstructorOptions, type Session } from 'electron';
import type { Log } from '../../app/wire/ports.ts';
import type { Protocol } from '../../app/wire/protocol.ts';
import { guardRemoteWindow } from './guards.ts';
import { loginTitle } from './navigation.ts';
import { remotePagePreferences } from './partition.ts';
import { SignInProbe } from './probe.ts';

/** Chromium's net errors that mean "no connection now": timed out, network changed, and the connection errors (100–199). Others are refusals. */
function isConnectionError(code: number): boolean {
  return code === -7 || code === -21 || (code <= -100 && code > -200);
}

const RETRY_LOAD_MS = 4_000;

export interface LoginWindowDeps {
  readonly partition: Session;
  readonly protocol: Protocol;
  readonly log: Log;
  /** Words after the host in the title. */
  readonly label: string;
  /** Words in the title while the page cannot be reached. */
  readonly connectionFailed: string;
  readonly isSignedIn: (signal: AbortSignal) => Promise<boolean>;
}

/** How a login window ended. */
export type LoginEnd = 'signed_in' | 'closed';

/** The window a person signs in with. One at a time; it closes itself once `request_user` proves the sign-in (design §2). */
export class LoginWindow {
  private readonly window: BrowserWindow;
  private readonly popups = new Set<BrowserWindow>();
  /** Resolves when the window is gone. */
  readonly ended: Promise<LoginEnd>;

  constructor(deps: LoginWindowDeps) {
    const { partition, protocol, log, label } = deps;
    this.window = new BrowserWindow({
      width: 520,
      height: 720,
      title: loginTitle('', label),
      autoHideMenuBar: true,
      fullscreenable: false,
      webPreferences: remotePagePreferences(partition),
    });
    this.window.removeMenu();
    let end: LoginEnd = 'closed';
    const probe = new SignInProbe({
      isSignedIn: deps.isSignedIn,
      cookies: partition.cookies,
      onSignedIn: () => {
        end = 'signed_in';
        this.close();
      },
    });
    this.ended = new Promise((resolve) => {
      this.window.once('closed', () => {
        probe.close();
        for (const popup of this.popups) if (!popup.isDestroyed()) popup.destroy();
        resolve(end);
      });
    });
    const popupOptions = (): BrowserWindowConstructorOptions => ({
      parent: this.window,
      width: 480,
      height: 660,
      title: label,
      autoHideMenuBar: true,
      fullscreenable: false,
      webPreferences: remotePagePreferences(partition),
    });
    guardRemoteWindow(this.window, { protocol, log, label, popupOptions, onActivity: () => probe.poke(), onPopup: (popup) => popup.removeMenu() }, this.popups);
    this.loadWithRetry(protocol.messengerPageUrl, deps.connectionFailed, log);
  }

  /** Loads the page; without network it says so in the title and tries again, because a blank window explains nothing. */
  private loadWithRetry(url: string, failedTitle: string, log: Log): void {
    const load = (): void => {
      if (!this.window.isDestroyed()) void this.window.loadURL(url).catch(() => undefined); // judged by the event below
    };
    this.window.webContents.on('did-fail-load', (_event, errorCode, _description, _url, isMainFrame) => {
      if (!isMainFrame || !isConnectionError(errorCode)) return;
      log.warn('login_page_failed', { errorCode });
      this.window.setTitle(failedTitle);
      setTimeout(load, RETRY_LOAD_MS);
    });
    load();
  }

  focus(): void {
    if (this.window.isDestroyed()) return;
    if (this.window.isMinimized()) this.window.restore();
    this.window.show();
    this.window.focus();
  }

  close(): void {
    if (!this.window.isDestroyed()) this.window.destroy();
  }
}
