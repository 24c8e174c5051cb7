import type { DraftCard, EventChannel, Settings, SessionView, VestnikBridge } from '../../app/ipc/contract.ts';
import { activityRow, card, chatRows, clientViews, manyCards, oddCards, typicalCards } from './fixtures.ts';

/**
 * `window.vestnik` without a main process. Query: `drafts=typical|odd|none|NUMBER`, `lang`, `view`, `signedOut`, `plain`
 * (nothing encrypted), `first` (first run), `rows=NUMBER` of the journal.
 */
export function createFakeBridge(options: URLSearchParams) {
  const now = Date.now();
  const listeners = new Map<string, Set<(payload: never) => void>>();
  const emit = (channel: EventChannel, payload: unknown) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload as never);
  };
  const set = options.get('drafts') ?? 'typical';
  let drafts: DraftCard[] = set === 'typical' ? typicalCards(now) : set === 'odd' ? oddCards(now) : set === 'none' ? [] : manyCards(now, Number(set));
  let session: SessionView = {
    state: options.has('signedOut') ? 'signed_out' : 'online',
    name: options.has('signedOut') ? null : 'Анна Котова',
    since: options.has('signedOut') ? null : now - 7_200_000,
    secretsEncrypted: !options.has('plain'),
    notices: options.has('plain') ? [{ id: 'n1', code: 'settings_broken', detail: '/home/anna/.config/vestnik/settings.broken.json' }] : [],
    mode: 'full',
    agentsConnected: 2,
  };
  let settings: Settings = {
    language: (options.get('lang') as Settings['language'] | null) ?? 'system',
    timeZone: 'system',
    startAtLogin: true,
    notifications: true,
    notificationText: false,
    allowedFolders: ['/home/anna/Downloads', '/home/anna/Documents'],
    maxFileBytes: 104_857_600,
    downloadsFolder: '/home/anna/Downloads/Vestnik',
    downloadsDays: 7,
    draftLifetimeHours: 24,
    defaultAccess: 'default',
    mode: 'full',
    frontDoor: 'personal',
    protocolOverrides: '',
    updateFeedUrl: '',
    firstRunDone: !options.has('first'),
  };
  let chats = chatRows(now, 400);
  const total = Number(options.get('rows') ?? 50_000);
  const ok = { ok: true as const };
  const end = (id: string, part: Partial<DraftCard>) => {
    drafts = drafts.map((draft) => (draft.id === id ? { ...draft, ...part } : draft));
    emit('drafts:changed', null);
  };
  const calls: { channel: string; args: unknown }[] = [];

  const answers: Record<string, (args: never) => unknown> = {
    'session:get': () => session,
    'session:signIn': () => {
      session = { ...session, state: 'online', name: 'Анна Котова', since: Date.now() };
      emit('session:changed', session);
      return ok;
    },
    'session:signOut': () => {
      session = { ...session, state: 'signed_out', name: null, since: null };
      emit('session:changed', session);
      return ok;
    },
    'session:setPaused': (isPaused: boolean) => {
      session = { ...session, mode: isPaused ? 'paused' : 'full', state: isPaused ? 'paused' : 'online' };
      emit('session:changed', session);
      return ok;
    },
    'session:dismissNotice': (id: string) => {
      session = { ...session, notices: session.notices.filter((notice) => notice.id !== id) };
      emit('session:changed', session);
      return ok;
    },
    'drafts:list': () => drafts,
    'drafts:confirm': async ({ id }: { id: string }) => {
      end(id, { status: 'committing' });
      await new Promise((resolve) => setTimeout(resolve, 400));
      end(id, { status: 'sent', outcome: { status: 'sent', code: null, message: null }, finishedAt: Date.now() });
      return ok;
    },
    'drafts:reject': ({ id }: { id: string }) => {
      end(id, { status: 'rejected', finishedAt: Date.now() });
      return ok;
    },
    'drafts:edit': ({ id, text }: { id: string; text: string }) => {
      drafts = drafts.map((draft) => (draft.id === id ? { ...draft, originalText: draft.originalText ?? draft.text, text } : draft));
      emit('drafts:changed', null);
      return ok;
    },
    'activity:page': ({ offset, limit, filter }: { offset: number; limit: number; filter: { tool: string | null } }) => {
      const size = filter.tool === null ? total : Math.floor(total / 6);
      return { rows: Array.from({ length: Math.max(0, Math.min(limit, size - offset)) }, (_, index) => activityRow(now, offset + index)), total: size, offset };
    },
    'activity:facets': () => ({
      tools: ['list_chats', 'get_history', 'send_message', 'search', 'edit_message', 'mark_read'],
      outcomes: ['ok', 'sent', 'draft', 'rejected', 'timeout', 'not_signed_in', 'unknown'],
      chats: [
        { id: '0/0/1', name: 'Проект «Север»' },
        { id: '0/0/6', name: null },
      ],
    }),
    'chats:list': () => ({ rows: chats, problem: null }),
    'chats:setAccess': ({ ids, access }: { ids: string[]; access: (typeof chats)[number]['access'] }) => {
      chats = chats.map((chat) => (ids.includes(chat.id) ? { ...chat, access } : chat));
      return ok;
    },
    'clients:list': () => clientViews,
    'clients:snippets': () => ({
      json: JSON.stringify({ mcpServers: { vestnik: { command: '/home/anna/.config/vestnik/shim/0.1.0/vestnik-mcp', args: [] } } }, null, 2),
      claudeCode: 'claude mcp add vestnik -- /home/anna/.config/vestnik/shim/0.1.0/vestnik-mcp',
    }),
    'clients:connect': () => ({ ok: false, code: 'invalid_json', detail: '' }),
    'settings:get': () => settings,
    'settings:update': (part: Partial<Settings>) => {
      settings = { ...settings, ...part };
      emit('settings:changed', settings);
      return ok;
    },
    'settings:pickFolder': () => '/home/anna/Pictures',
    'settings:diagnostics': () => ({
      lines: [
        { key: 'version', value: '0.1.0' },
        { key: 'electron', value: '45.5.0' },
        { key: 'socket', value: 'open, 2 h' },
      ],
    }),
    'update:get': () => ({ state: 'ready', version: '0.2.0', percent: null }),
    'app:environment': () => ({ systemLanguage: 'ru-RU', platform: 'linux', version: '0.1.0', systemTimeZone: 'Europe/Moscow' }),
  };

  const bridge = {
    async invoke(channel: string, args: unknown) {
      calls.push({ channel, args });
      await Promise.resolve();
      return structuredClone(await Promise.resolve(answers[channel]?.(args as never) ?? ok));
    },
    on(channel: string, listener: (payload: never) => void) {
      const group = listeners.get(channel) ?? new Set();
      listeners.set(channel, group.add(listener));
      return () => void group.delete(listener);
    },
  } as VestnikBridge;

  return {
    bridge,
    calls,
    emit,
    /** Puts a card at the head of the list, as an older draft coming back would. */
    insertFirst: (text: string) => {
      drafts = [card(now, { id: `new-${drafts.length}`, tool: 'send_message', createdAt: 1, text, canEdit: true }), ...drafts];
      emit('drafts:changed', null);
    },
    remove: (id: string) => {
      drafts = drafts.filter((draft) => draft.id !== id);
      emit('drafts:changed', null);
    },
  };
}
