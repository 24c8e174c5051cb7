import fs from 'node:fs';
import path from 'node:path';
import { app, type BrowserWindow, clipboard, dialog } from 'electron';
import type { ActivityFilter } from '../app/approvals/index.ts';
import type { ActionResult, SessionView, Settings } from '../app/ipc/contract.ts';
import { NotSignedInError } from '../app/wire/errors.ts';
import type { ChatNames } from './chat-names.ts';
import type { Cards } from './cards.ts';
import { listChats } from './chat-list.ts';
import type { ClientSetup } from './clients/setup.ts';
import type { CoreHost } from './core-host.ts';
import { diagnostics, type DiagnosticsDeps } from './diagnostics.ts';
import type { Handlers } from './ipc.ts';
import type { SessionControl } from './session-control.ts';
import { checkSettings } from './settings-check.ts';
import type { Notices } from './stores/notices.ts';
import type { SettingsStore } from './stores/settings.ts';
import type { Updates } from './updates.ts';
import type { Words } from './words.ts';

const CHATS_BUDGET_MS = 30_000;

export interface HandlerDeps {
  readonly host: CoreHost;
  readonly session: SessionControl;
  readonly settings: SettingsStore;
  readonly notices: Notices;
  readonly cards: Cards;
  readonly chatNames: ChatNames;
  readonly clients: ClientSetup;
  readonly updates: Updates;
  readonly words: () => Words;
  readonly view: () => SessionView;
  readonly window: () => BrowserWindow | undefined;
  readonly diagnostics: DiagnosticsDeps;
  readonly pageReady: () => void;
  readonly clientsChanged: () => void;
  readonly applySettings: (next: Settings, before: Settings) => void;
  readonly setPaused: (isPaused: boolean) => void;
  readonly removeEverything: () => void;
  /** Now, ms since the epoch. */
  readonly now: () => number;
}

const OK: ActionResult = { ok: true };

/** An error's stable code; its own text goes along only where it was written for people. */
function failure(error: unknown): ActionResult {
  const { code } = error as { code?: unknown };
  return { ok: false, code: typeof code === 'string' ? code : 'failed', detail: typeof code === 'string' && error instanceof Error ? error.message : '' };
}

async function attempt(action: () => unknown): Promise<ActionResult> {
  try {
    await action();
    return OK;
  } catch (error) {
    return failure(error);
  }
}

/** What our window may ask for, channel by channel. The gate has checked sender and shapes before anything here runs. */
export function createHandlers(deps: HandlerDeps): Handlers {
  const { host, session, settings, notices, cards, chatNames, clients, updates } = deps;
  const drafts = () => host.core.approvals;

  return {
    'session:get': () => {
      deps.pageReady();
      return deps.view();
    },
    'session:signIn': () => attempt(() => session.signIn()),
    'session:signOut': () => attempt(() => session.signOut()),
    'session:setPaused': (isPaused) => attempt(() => deps.setPaused(isPaused)),
    'session:dismissNotice': (id) => attempt(() => notices.dismiss(id)),

    'drafts:list': () => cards.list(drafts().list(), deps.now()),
    'drafts:confirm': ({ id, shownText }) =>
      attempt(() => {
        const draft = drafts().get(id);
        if ((draft.preview.text ?? null) !== shownText) return Promise.reject(new StaleCardError());
        if (draft.status !== 'pending') return Promise.reject(new NotPendingError());
        // Nothing could be sent, and trying would use the draft up: it waits until the person is signed in.
        if (session.connection === 'signed_out') return Promise.reject(new NotSignedInError());
        // The commit runs in the app whether or not the window waits; its outcome appears on the card.
        drafts().confirmInBackground(id, 'person');
        return undefined;
      }),
    'drafts:reject': ({ id, reason }) => attempt(() => drafts().reject(id, reason ?? undefined)),
    'drafts:edit': ({ id, text }) => attempt(() => drafts().edit(id, text)),

    'activity:page': ({ offset, limit, filter }) => {
      const { rows, total } = host.activity.page(offset, limit, journalFilter(filter));
      return { offset, total, rows: rows.map((row) => ({ ...row, chatName: row.chatId === null ? null : (chatNames.get(row.chatId) ?? null) })) };
    },
    'activity:facets': () => {
      const { tools, outcomes, chatIds } = host.activity.facets();
      return { tools, outcomes, chats: chatIds.map((id) => ({ id, name: chatNames.get(id) ?? null })) };
    },
    'activity:export': async (format) => {
      const options = { title: deps.words().exportActivity, defaultPath: path.join(app.getPath('documents'), `vestnik-activity.${format}`) };
      const window = deps.window();
      const { canceled, filePath } = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
      if (canceled || !filePath) return { ok: false, code: 'cancelled', detail: '' };
      return attempt(() => fs.promises.writeFile(filePath, host.activity.export(format), { mode: 0o600 }));
    },
    'activity:clear': () => attempt(() => host.activity.clear()),

    'chats:list': async () => {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Error('timeout')), CHATS_BUDGET_MS);
      try {
        const rows = await listChats(host.core.wire, host.core.policy, abort.signal);
        chatNames.learn(rows);
        return { rows, problem: null };
      } catch (error) {
        const { code } = error as { code?: unknown };
        return { rows: [], problem: typeof code === 'string' ? code : 'failed' };
      } finally {
        clearTimeout(timer);
      }
    },
    'chats:setAccess': ({ ids, access }) => attempt(() => host.core.policy.setAccess(ids, access)),

    'clients:list': () => clients.list(),
    'clients:connect': (id) => changed(clients.connect(id)),
    'clients:disconnect': (id) => changed(clients.disconnect(id)),
    'clients:snippets': () => clients.snippets(),

    'settings:get': () => settings.get(),
    'settings:update': (patch) => {
      const problem = checkSettings(patch);
      if (problem) return problem;
      return attempt(() => {
        const before = settings.get();
        const { mode, defaultAccess, ...rest } = patch;
        settings.update(rest);
        // These two govern what agents may do, so the policy has to know at once; it writes them back through its store.
        if (mode !== undefined && mode !== before.mode) host.core.policy.setMode(mode);
        if (defaultAccess !== undefined && defaultAccess !== before.defaultAccess) host.core.policy.setDefaultAccess(defaultAccess);
        deps.applySettings(settings.get(), before);
      });
    },
    'settings:pickFolder': async () => {
      const window = deps.window();
      const options = { title: deps.words().chooseFolder, properties: ['openDirectory' as const, 'createDirectory' as const] };
      const { canceled, filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
      return canceled ? null : (filePaths[0] ?? null);
    },
    'settings:diagnostics': () => diagnostics(deps.diagnostics),
    'settings:removeEverything': () => attempt(() => deps.removeEverything()),

    'update:get': () => updates.state,
    'update:check': async () => ((await updates.check()) ? OK : { ok: false, code: 'no_feed', detail: '' }),
    'update:restart': async () => ((await updates.restart()) ? OK : { ok: false, code: 'no_update', detail: '' }),

    'clipboard:write': (text) => attempt(() => clipboard.writeText(text)),
    'app:environment': () => ({
      systemLanguage: app.getPreferredSystemLanguages()[0] ?? app.getLocale(),
      platform: process.platform,
      version: app.getVersion(),
      systemTimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
  };

  function changed(result: ActionResult): ActionResult {
    deps.clientsChanged();
    return result;
  }
}

/** The card no longer shows what would be sent. */
class StaleCardError extends Error {
  readonly code = 'stale_card';
}

class NotPendingError extends Error {
  readonly code = 'not_pending';
}

function journalFilter(filter: { chatId: string | null; tool: string | null; outcome: string | null }): ActivityFilter {
  return {
    ...(filter.chatId === null ? {} : { chatId: filter.chatId }),
    ...(filter.tool === null ? {} : { tool: filter.tool }),
    ...(filter.outcome === null ? {} : { outcome: filter.outcome }),
  };
}
