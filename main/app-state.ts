import type { SessionView } from '../app/ipc/contract.ts';
import type { CoreHost } from './core-host.ts';
import type { SessionControl } from './session-control.ts';
import type { Notices } from './stores/notices.ts';
import type { Stores } from './stores/open.ts';
import type { TrayState } from './tray-menu.ts';
import type { Language } from './words.ts';

/** Where the state of the app lies; nothing here keeps any of it. */
export interface StateSources {
  readonly stores: Stores;
  readonly session: SessionControl;
  readonly host: CoreHost;
  readonly notices: Notices;
}

/** What the window shows of session, notices and agents. */
export function sessionView({ stores, session, host, notices }: StateSources): SessionView {
  const { mode } = stores.settings.get();
  return {
    state: mode === 'paused' ? 'paused' : session.connection,
    name: session.name ?? null,
    since: session.since ?? null,
    secretsEncrypted: stores.protection === 'encrypted',
    notices: [...notices.all()],
    mode,
    agentsConnected: host.core.connections().length,
  };
}

/** What the tray shows: the same state in short, and how many drafts wait. */
export function trayState(sources: StateSources, language: Language): TrayState {
  const { state, mode } = sessionView(sources);
  return {
    session: state,
    isSignedIn: sources.session.since !== undefined,
    isPaused: mode === 'paused',
    pendingDrafts: sources.host.core.approvals.list().filter((draft) => draft.status === 'pending').length,
    language,
  };
}
