import { session as electronSession, type Session } from 'electron';
import type { Log } from '../../app/wire/ports.ts';
import { denyEverything, refuseDownloads } from './permissions.ts';
import { plainChromeUserAgent } from './user-agent.ts';

/** The partition that holds Yandex's cookies: on disk, and shared with nothing of ours. */
export const LOGIN_PARTITION = 'persist:yandex';

/** Makes the partition ready before anything loads in it. Call once, after Electron is ready. */
export function prepareLoginPartition(log: Log): Session {
  const partition = electronSession.fromPartition(LOGIN_PARTITION);
  partition.setUserAgent(plainChromeUserAgent(partition.getUserAgent()));
  partition.setSpellCheckerEnabled(false); // would fetch dictionaries from elsewhere and learn what is typed
  denyEverything(partition);
  refuseDownloads(partition, () => log.warn('login_download_refused'));
  return partition;
}

/** Preferences of every remote page: no preload, no node, its own process and world. */
export function remotePagePreferences(session: Session): Electron.WebPreferences {
  return {
    session,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: false,
    devTools: false,
  };
}

/** Signing out: nothing of the person's stays, neither cookies nor storage nor cache. */
export async function clearPartition(partition: Session): Promise<void> {
  await partition.clearStorageData();
  await partition.clearCache();
  await partition.clearAuthCache();
  await partition.clearHostResolverCache();
  await partition.clearCodeCaches({});
  await partition.closeAllConnections();
  await partition.cookies.flushStore();
}
