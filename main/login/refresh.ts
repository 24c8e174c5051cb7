import { BrowserWindow, type Session } from 'electron';
import type { Log } from '../../app/wire/ports.ts';
import type { Protocol } from '../../app/wire/protocol.ts';
import { guardRemoteWindow } from './guards.ts';
import { remotePagePreferences } from './partition.ts';
import { SignInProbe } from './probe.ts';

const REFRESH_LIMIT_MS = 30_000; // protocol §2: what has not renewed the session by then needs a person

export interface RefreshDeps {
  readonly partition: Session;
  readonly protocol: Protocol;
  readonly log: Log;
  /** Whether `request_user` proves a sign-in now. */
  readonly isSignedIn: (signal: AbortSignal) => Promise<boolean>;
  /** Ends a refresh early: the person asked to sign in or out. */
  readonly signal: AbortSignal;
}

/**
 * Loads the Messenger page unseen in the same partition, so that Passport renews the session (protocol §2, L/B), and asks after every change.
 * @returns true once the session is proven, false after 30 s or when ended early
 */
export async function reloadUnseen({ partition, protocol, log, isSignedIn, signal }: RefreshDeps): Promise<boolean> {
  if (signal.aborted) return false;
  const window = new BrowserWindow({ show: false, width: 800, height: 600, webPreferences: remotePagePreferences(partition) });
  return new Promise<boolean>((resolve) => {
    const probe = new SignInProbe({ isSignedIn, onSignedIn: () => finish(true), cookies: partition.cookies });
    const timer = setTimeout(() => finish(false), REFRESH_LIMIT_MS);
    const onAbort = (): void => finish(false);
    const finish = (isRenewed: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      probe.close();
      if (!window.isDestroyed()) window.destroy();
      resolve(isRenewed);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    guardRemoteWindow(window, { protocol, log, label: '', popupOptions: undefined, onActivity: () => probe.poke(), openExternal: () => undefined });
    window.webContents.setAudioMuted(true);
    window.loadURL(protocol.messengerPageUrl).catch(() => log.warn('refresh_page_failed')); // keep waiting: a redirect away also lands here
  });
}
