import { type BrowserWindow, type BrowserWindowConstructorOptions, shell, type WebContents } from 'electron';
import type { Log } from '../../app/wire/ports.ts';
import type { Protocol } from '../../app/wire/protocol.ts';
import { decideFrame, decideNavigation, decidePopup, loginTitle, type NavigationVerdict } from './navigation.ts';
import { UserActivation } from './user-activation.ts';

const LOG_PAUSE_MS = 5_000;
const MAX_POPUPS = 3; // Passport needs one; a provider may open one more

export interface GuardOptions {
  readonly protocol: Protocol;
  readonly log: Log;
  /** Title after the host, in the person's language. */
  readonly label: string;
  /** Options of a popup that is followed, or undefined where popups are refused altogether (hidden refresh). */
  readonly popupOptions: (() => BrowserWindowConstructorOptions) | undefined;
  /** Called for each window that was let in, already guarded. */
  readonly onPopup?: (window: BrowserWindow) => void;
  /** Called after anything that may have changed the session. */
  readonly onActivity?: () => void;
  readonly openExternal?: (url: string) => void;
}

/**
 * Puts every guard of design §2 on one window with a remote page, and on the popups it may open. The decisions are in `navigation.ts`;
 * this file knows at which doors Chromium asks.
 */
export function guardRemoteWindow(window: BrowserWindow, options: GuardOptions, openPopups = new Set<BrowserWindow>(), openerUrl?: string): void {
  const contents = window.webContents;
  const { protocol, log } = options;
  const activation = new UserActivation(Date.now);
  const openExternal = options.openExternal ?? ((url: string) => void shell.openExternal(url).catch(() => log.warn('open_external_failed')));
  // The last hop: a redirect is judged by where it comes from, not by the page the window still shows.
  let from: string | undefined = openerUrl;

  let loggedAt = 0;
  const settle = (verdict: NavigationVerdict, target: string, event: { preventDefault(): void } | undefined, door: string): void => {
    if (verdict === 'allow') return;
    event?.preventDefault();
    // A page may try without end; the log needs to know of it once in a while.
    if (Date.now() - loggedAt > LOG_PAUSE_MS) {
      loggedAt = Date.now();
      log.warn('login_navigation_refused', { door, verdict });
    }
    if (verdict === 'external') {
      activation.consume();
      openExternal(target);
    }
  };

  contents.on('input-event', (_event, input) => activation.noteInput(input.type));

  contents.on('will-navigate', (event) => {
    if (!event.isMainFrame) return;
    const verdict = decideNavigation(event.url, { from: contentsUrl(contents) ?? from, hasUserActivation: activation.isActive }, protocol);
    settle(verdict, event.url, event, 'navigate');
    if (verdict === 'allow') from = event.url;
  });
  contents.on('will-redirect', (event) => {
    if (!event.isMainFrame) {
      settle(decideFrame(event.url, protocol), event.url, event, 'frame_redirect');
      return;
    }
    const position = { from, hasUserActivation: activation.isActive, redirectedSince: contentsUrl(contents) ?? openerUrl };
    const verdict = decideNavigation(event.url, position, protocol);
    settle(verdict, event.url, event, 'redirect');
    if (verdict === 'allow') from = event.url;
  });
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame) return; // `will-navigate` has it
    settle(decideFrame(event.url, protocol), event.url, event, 'frame');
  });
  contents.on('did-start-navigation', (event) => {
    if (event.isMainFrame && !event.isSameDocument) from = event.url;
  });
  contents.on('did-navigate', (_event, url) => {
    from = url;
    showHost();
    options.onActivity?.();
  });
  contents.on('did-navigate-in-page', (_event, _url, isMainFrame) => {
    if (isMainFrame) options.onActivity?.();
  });
  contents.on('did-finish-load', () => options.onActivity?.());

  contents.setWindowOpenHandler(({ url }) => {
    const position = { from: contentsUrl(contents) ?? from, hasUserActivation: activation.isActive };
    let verdict = options.popupOptions ? decidePopup(url, position, protocol) : 'refuse';
    if (verdict === 'allow' && openPopups.size >= MAX_POPUPS) verdict = 'refuse';
    settle(verdict, url, undefined, 'popup');
    if (verdict !== 'allow' || !options.popupOptions) return { action: 'deny' };
    activation.consume();
    return { action: 'allow', outlivesOpener: false, overrideBrowserWindowOptions: options.popupOptions() };
  });
  contents.on('did-create-window', (popup) => {
    openPopups.add(popup);
    popup.once('closed', () => openPopups.delete(popup));
    guardRemoteWindow(popup, options, openPopups, contentsUrl(contents) ?? from);
    options.onPopup?.(popup);
  });

  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-prevent-unload', (event) => event.preventDefault()); // a page may not hold its window open
  window.on('page-title-updated', (event) => event.preventDefault());

  const showHost = (): void => {
    if (!window.isDestroyed()) window.setTitle(loginTitle(contents.getURL(), options.label));
  };
  showHost();
}

/** The document a window shows, or undefined while it shows none of the web. */
function contentsUrl(contents: WebContents): string | undefined {
  const url = contents.getURL();
  return url === '' || url === 'about:blank' ? undefined : url;
}
