import { app, session } from 'electron';
import { DEEP_LINK_SCHEME, type LaunchOptions, parseDeepLink, parseLaunchOptions } from './launch-options.ts';
import { denyEverything, refuseDownloads } from './login/permissions.ts';

const CLOSE_LIMIT_MS = 8_000; // a server that does not answer must not keep the app from ending

/** What applies to every page of the app, whoever makes it. Before Electron is ready. */
export function harden(): void {
  // Every window asks for its sandbox by itself, too. As root Chromium has none (tests and development only), and insisting would end it.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault());
    // Deny by default: our window and the login window set their own, stricter or wiser, handlers afterwards.
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
  void app.whenReady().then(() => {
    denyEverything(session.defaultSession);
    refuseDownloads(session.defaultSession, () => undefined);
  });
}

/** Takes the single-instance lock. @returns false in a second instance, whose wishes the first one has received */
export function becomeOnlyInstance(launch: LaunchOptions): boolean {
  return app.requestSingleInstanceLock({ isHidden: launch.isHidden, draftId: launch.draftId ?? null });
}

/** Collects later launches and links from the very start (macOS sends them before ready) and hands them over once the app can act. */
export function followLinks(): { deliverTo: (handler: (request: LaunchOptions) => void) => void } {
  const waiting: LaunchOptions[] = [];
  let deliver = (request: LaunchOptions): void => void waiting.push(request);
  app.on('second-instance', (_event, argv) => deliver(parseLaunchOptions(argv)));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    deliver({ isHidden: false, draftId: parseDeepLink(url) });
  });
  app.on('activate', () => deliver({ isHidden: false, draftId: undefined }));
  return {
    deliverTo(handler) {
      deliver = handler;
      for (const request of waiting.splice(0)) handler(request);
    },
  };
}

/** Makes `vestnik://` ours. Only an installed app: a development run must not take the links of an installed one. */
export function registerDeepLinks(): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(DEEP_LINK_SCHEME);
}

/**
 * Ends the app in order: first everything of ours is closed (drafts are on disk, cookies flushed, sockets shut), then Electron quits. Closing the last
 * window is no reason to end: the app lives in the tray.
 */
export function quitGracefully(close: () => Promise<void>): void {
  let state: 'running' | 'closing' | 'closed' = 'running';
  app.on('window-all-closed', () => undefined);
  app.on('will-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    const limit = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS));
    void Promise.race([close().catch(() => undefined), limit]).then(() => {
      state = 'closed';
      setImmediate(() => app.quit()); // straight from a callback inside will-quit it is ignored
    });
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
}
