import { z } from 'zod';

/**
 * The contract between the main process and our window: channel → schemas of its arguments and its result.
 * Types are inferred from here and written nowhere else. The gate in `main/ipc.ts` parses both directions.
 */

export const connectionStateSchema = z.enum(['signed_out', 'signing_in', 'online', 'reconnecting', 'paused']);

export const sessionViewSchema = z.strictObject({
  state: connectionStateSchema,
  /** Display name of the signed-in person, once proven. */
  name: z.string().nullable(),
  /** When this sign-in was first proven, ms since the epoch. */
  since: z.number().nullable(),
  /** Whether the system really encrypts what we store (design §7). */
  secretsEncrypted: z.boolean(),
  /** Things the person should know once (a broken settings file kept aside, …): stable codes with a detail for the copy. */
  notices: z.array(z.strictObject({ id: z.string(), code: z.string(), detail: z.string() })),
  mode: z.enum(['full', 'read_only', 'paused']),
  agentsConnected: z.number().int(),
});

const personSchema = z.strictObject({ guid: z.string(), name: z.string().nullable() });

export const draftStatusSchema = z.enum(['pending', 'committing', 'sent', 'failed', 'unknown', 'rejected', 'expired']);

/** One card. Text is untrusted data and arrives byte for byte. */
export const draftCardSchema = z.strictObject({
  id: z.string(),
  tool: z.enum(['send_message', 'send_file', 'edit_message', 'delete_message', 'vote_in_poll', 'create_poll', 'forward_message']),
  status: draftStatusSchema,
  chat: z.strictObject({
    id: z.string(),
    name: z.string().nullable(),
    kind: z.string(),
    members: z.number().nullable(),
    hint: z.string().nullable(),
    isNameShared: z.boolean(),
  }),
  client: z.strictObject({ name: z.string(), version: z.string().nullable() }),
  createdAt: z.number(),
  expiresAt: z.number(),
  text: z.string().nullable(),
  /** The agent's text, when the person changed it. */
  originalText: z.string().nullable(),
  canEdit: z.boolean(),
  mentions: z.array(personSchema),
  reply: z.strictObject({ author: z.string().nullable(), quote: z.string(), truncated: z.boolean() }).nullable(),
  forward: z
    .strictObject({ chatName: z.string().nullable(), author: z.string().nullable(), text: z.string().nullable(), attachments: z.array(z.string()) })
    .nullable(),
  target: z
    .strictObject({
      author: z.string().nullable(),
      fromMe: z.boolean().nullable(),
      timestamp: z.string(),
      text: z.string(),
      attachments: z.array(z.string()),
      readsCount: z.number().nullable(),
    })
    .nullable(),
  file: z
    .strictObject({
      path: z.string(),
      name: z.string(),
      sizeBytes: z.number(),
      mime: z.string(),
      kind: z.enum(['image', 'file']),
      width: z.number().nullable(),
      height: z.number().nullable(),
      /** A small `data:` picture made by main, where the file is one. */
      thumbnail: z.string().nullable(),
    })
    .nullable(),
  vote: z
    .strictObject({ question: z.string(), options: z.array(z.strictObject({ text: z.string(), chosen: z.boolean() })), isAnonymous: z.boolean() })
    .nullable(),
  poll: z.strictObject({ title: z.string(), answers: z.array(z.string()), isAnonymous: z.boolean(), isMultiple: z.boolean() }).nullable(),
  outcome: z.strictObject({ status: z.enum(['sent', 'failed', 'unknown']), code: z.string().nullable(), message: z.string().nullable() }).nullable(),
  finishedAt: z.number().nullable(),
});

/** One line of the activity journal: never text, never names of people, the chat's id only (the name is looked up for show). */
export const activityRowSchema = z.strictObject({
  id: z.string(),
  at: z.number(),
  by: z.enum(['agent', 'person', 'clock']),
  client: z.string(),
  tool: z.string(),
  chatId: z.string().nullable(),
  chatName: z.string().nullable(),
  outcome: z.string(),
  durationMs: z.number(),
});

export const activityFilterSchema = z.strictObject({ chatId: z.string().nullable(), tool: z.string().nullable(), outcome: z.string().nullable() });

export const chatAccessSchema = z.enum(['hidden', 'read_only', 'default', 'agent_confirms']);
export const chatRowSchema = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  kind: z.string(),
  access: chatAccessSchema,
  /** Last activity, ms since the epoch; null when unknown. */
  lastActivity: z.number().nullable(),
  hint: z.string().nullable(),
});

export const mcpClientSchema = z.strictObject({
  id: z.enum(['claude-desktop', 'claude-code', 'cursor', 'vscode']),
  detected: z.boolean(),
  configured: z.boolean(),
  /** The entry exists but points to another place than our shim. */
  outdated: z.boolean(),
  connected: z.boolean(),
  configPath: z.string(),
  /** A stable code when the configuration cannot be used (`invalid_json`, `not_writable`). */
  problem: z.string().nullable(),
});

export const languageSchema = z.enum(['system', 'ru', 'en']);
export const settingsSchema = z.strictObject({
  language: languageSchema,
  /** IANA zone or "system". */
  timeZone: z.string(),
  startAtLogin: z.boolean(),
  notifications: z.boolean(),
  notificationText: z.boolean(),
  allowedFolders: z.array(z.string()),
  maxFileBytes: z.number().int().positive(),
  downloadsFolder: z.string(),
  downloadsDays: z.number().int().min(0).max(3650),
  draftLifetimeHours: z
    .number()
    .min(0.01)
    .max(24 * 30),
  defaultAccess: z.enum(['read_only', 'default', 'hidden']),
  mode: z.enum(['full', 'read_only', 'paused']),
  /** Which front door the login window opens (protocol §2). */
  frontDoor: z.enum(['personal', 'business']),
  /** Overrides of protocol constants as typed by the person (JSON text), "" for none. */
  protocolOverrides: z.string(),
  updateFeedUrl: z.string(),
  firstRunDone: z.boolean(),
});

export const diagnosticsSchema = z.strictObject({ lines: z.array(z.strictObject({ key: z.string(), value: z.string() })) });
export const updateStateSchema = z.strictObject({
  state: z.enum(['off', 'idle', 'checking', 'downloading', 'ready', 'failed']),
  version: z.string().nullable(),
  percent: z.number().nullable(),
});

/** What happened to a request of the person's; `code` is stable and put into words by the window. */
export const actionResultSchema = z.union([
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({ ok: z.literal(false), code: z.string(), detail: z.string() }),
]);

const none = z.void();
const page = <T extends z.ZodType>(row: T) => z.strictObject({ rows: z.array(row), total: z.number().int(), offset: z.number().int() });

/** Requests of the window: argument and result of each. */
export const invokeContract = {
  'session:get': { args: none, result: sessionViewSchema },
  'session:signIn': { args: none, result: actionResultSchema },
  'session:signOut': { args: none, result: actionResultSchema },
  /** The kill switch. Ending the pause goes back to the mode there was before it. */
  'session:setPaused': { args: z.boolean(), result: actionResultSchema },
  'session:dismissNotice': { args: z.string(), result: actionResultSchema },
  /** Pending and committing drafts, oldest first, then those finished within the last minute (their outcome is still shown on the card). */
  'drafts:list': { args: none, result: z.array(draftCardSchema) },
  /** `shownText` is what the card displayed: main refuses (`stale_card`) if the draft has changed since. */
  'drafts:confirm': { args: z.strictObject({ id: z.string(), shownText: z.string().nullable() }), result: actionResultSchema },
  'drafts:reject': { args: z.strictObject({ id: z.string(), reason: z.string().max(500).nullable() }), result: actionResultSchema },
  'drafts:edit': { args: z.strictObject({ id: z.string(), text: z.string() }), result: actionResultSchema },
  'activity:page': {
    args: z.strictObject({ offset: z.number().int().min(0), limit: z.number().int().min(1).max(500), filter: activityFilterSchema }),
    result: page(activityRowSchema),
  },
  /** Distinct values for the filters. */
  'activity:facets': {
    args: none,
    result: z.strictObject({
      tools: z.array(z.string()),
      outcomes: z.array(z.string()),
      chats: z.array(z.strictObject({ id: z.string(), name: z.string().nullable() })),
    }),
  },
  /** Main shows a save dialog; resolves when written, or with code `cancelled`. */
  'activity:export': { args: z.enum(['jsonl', 'csv']), result: actionResultSchema },
  'activity:clear': { args: none, result: actionResultSchema },
  'chats:list': { args: none, result: z.strictObject({ rows: z.array(chatRowSchema), problem: z.string().nullable() }) },
  'chats:setAccess': { args: z.strictObject({ ids: z.array(z.string()).min(1).max(5000), access: chatAccessSchema }), result: actionResultSchema },
  'clients:list': { args: none, result: z.array(mcpClientSchema) },
  'clients:connect': { args: mcpClientSchema.shape.id, result: actionResultSchema },
  'clients:disconnect': { args: mcpClientSchema.shape.id, result: actionResultSchema },
  /** Configuration snippets to copy, absolute paths filled in. */
  'clients:snippets': { args: none, result: z.strictObject({ json: z.string(), claudeCode: z.string() }) },
  'settings:get': { args: none, result: settingsSchema },
  'settings:update': { args: settingsSchema.partial(), result: actionResultSchema },
  /** Main opens a folder dialog; null when cancelled. */
  'settings:pickFolder': { args: none, result: z.string().nullable() },
  'settings:diagnostics': { args: none, result: diagnosticsSchema },
  'settings:removeEverything': { args: none, result: actionResultSchema },
  'update:get': { args: none, result: updateStateSchema },
  'update:check': { args: none, result: actionResultSchema },
  'update:restart': { args: none, result: actionResultSchema },
  'clipboard:write': { args: z.string().max(100_000), result: actionResultSchema },
  /** Language tag the system prefers, for `language: "system"`; and the platform. */
  'app:environment': {
    args: none,
    result: z.strictObject({ systemLanguage: z.string(), platform: z.string(), version: z.string(), systemTimeZone: z.string() }),
  },
} as const;

/** Messages main sends to the window. The window holds no truth: most just say "ask again". */
export const eventContract = {
  'session:changed': sessionViewSchema,
  'drafts:changed': z.null(),
  'activity:changed': z.null(),
  'settings:changed': settingsSchema,
  'clients:changed': z.null(),
  'update:changed': updateStateSchema,
  /** Go to a view; `draftId` opens that card (deep link or notification), nothing more. */
  navigate: z.strictObject({ view: z.enum(['drafts', 'activity', 'chats', 'connect', 'settings', 'welcome']), draftId: z.string().nullable() }),
} as const;

export type InvokeChannel = keyof typeof invokeContract;
export type InvokeArgs<C extends InvokeChannel> = z.infer<(typeof invokeContract)[C]['args']>;
export type InvokeResult<C extends InvokeChannel> = z.infer<(typeof invokeContract)[C]['result']>;
export type EventChannel = keyof typeof eventContract;
export type EventPayload<C extends EventChannel> = z.infer<(typeof eventContract)[C]>;

export type SessionView = z.infer<typeof sessionViewSchema>;
export type DraftCard = z.infer<typeof draftCardSchema>;
export type ActivityRow = z.infer<typeof activityRowSchema>;
export type ActivityFilter = z.infer<typeof activityFilterSchema>;
export type ChatRow = z.infer<typeof chatRowSchema>;
export type McpClientView = z.infer<typeof mcpClientSchema>;
export type Settings = z.infer<typeof settingsSchema>;
export type ActionResult = z.infer<typeof actionResultSchema>;
export type UpdateState = z.infer<typeof updateStateSchema>;

/** What the preload puts on `window.vestnik`. */
export interface VestnikBridge {
  invoke<C extends InvokeChannel>(channel: C, args: InvokeArgs<C>): Promise<InvokeResult<C>>;
  /** Subscribes; the returned function undoes it. */
  on<C extends EventChannel>(channel: C, listener: (payload: EventPayload<C>) => void): () => void;
}
