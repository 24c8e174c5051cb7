/**
 * Drafts: what an agent proposes and only a person lets go (design §3). This folder knows nothing of MCP,
 * of windows, or of Messenger: an {@link Operation} brings the knowledge of how to verify, commit and look back.
 */

export type DraftStatus = 'pending' | 'committing' | 'sent' | 'failed' | 'unknown' | 'rejected' | 'expired';

/** Statuses that never change again. */
export const FINAL_STATUSES: ReadonlySet<DraftStatus> = new Set(['sent', 'failed', 'unknown', 'rejected', 'expired']);

/** Where a draft goes, in words that cannot be confused. */
export interface DraftChat {
  readonly id: string;
  readonly name: string | undefined;
  readonly kind: string;
  /** Number of people, where the server says so. */
  readonly members?: number;
  /** What tells this chat apart from another of the same name (a department, a nickname). */
  readonly hint?: string;
  /** Another of the person's chats has the same name. */
  readonly isNameShared?: boolean;
}

/** The MCP client as it named itself; untrusted. */
export interface DraftClient {
  readonly name: string;
  readonly version?: string;
}

export interface DraftPerson {
  readonly guid: string;
  readonly name?: string;
}

/** Everything a person has to see to decide; one optional part per kind of operation. Plain JSON. */
export interface DraftPreview {
  /** The exact text that will be sent, mentions as `@<guid>` tokens. Absent where there is none (file, delete, vote). */
  readonly text?: string;
  readonly mentions?: readonly DraftPerson[];
  readonly reply?: { readonly messageId: string; readonly author?: string; readonly quote: string; readonly truncated: boolean };
  readonly forward?: {
    readonly chatId: string;
    readonly chatName?: string;
    readonly messageId: string;
    readonly author?: string;
    readonly text?: string;
    readonly attachments: readonly string[];
  };
  /** For an edit and a deletion: the message as it was read for the draft. */
  readonly target?: {
    readonly messageId: string;
    readonly author?: string;
    readonly fromMe: boolean | null;
    readonly timestamp: string;
    readonly text: string;
    readonly attachments: readonly string[];
    readonly readsCount?: number;
  };
  readonly file?: {
    readonly path: string;
    readonly name: string;
    readonly sizeBytes: number;
    readonly mime: string;
    readonly kind: 'image' | 'file';
    readonly width?: number;
    readonly height?: number;
  };
  readonly vote?: {
    readonly messageId: string;
    readonly question: string;
    readonly options: readonly { readonly text: string; readonly chosen: boolean }[];
    readonly isAnonymous: boolean;
  };
  readonly poll?: { readonly title: string; readonly answers: readonly string[]; readonly isAnonymous: boolean; readonly isMultiple: boolean };
}

/**
 * What a commit came to. `data` is the operation's own part of the result the agent reads
 * (`commit_status`, `message_info`, …), plain JSON in the seed's key names.
 */
export type Outcome =
  | { readonly status: 'sent'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly status: 'failed'; readonly code: string; readonly message: string; readonly nextStep: string; readonly data?: Readonly<Record<string, unknown>> }
  | { readonly status: 'unknown'; readonly message: string; readonly nextStep: string; readonly data?: Readonly<Record<string, unknown>> };

/** One draft, as the journal keeps it. Plain JSON: it survives a restart. */
export interface Draft {
  /** Public id: names the draft in windows, lists and links. Not a credential. */
  readonly id: string;
  /** The agent's single-use handle, 128 random bits. */
  readonly token: string;
  readonly tool: string;
  readonly chat: DraftChat;
  readonly client: DraftClient;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly status: DraftStatus;
  /** SHA-256 over the canonical arguments the agent gave (design §3); what a person edits does not change it. */
  readonly fingerprint: string;
  /** SHA-256 over the arguments as the agent wrote them; lets a finished token replay its outcome where nothing can be looked up. */
  readonly argumentsHash?: string;
  /** What the operation needs to commit; only the operation reads it. Holds the PayloadId where there is one. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly payloadId?: string;
  readonly preview: DraftPreview;
  /** The person's own text, when they changed it in the window. */
  readonly editedText?: string;
  /** The agent's text before the person's first change. */
  readonly originalText?: string;
  readonly rejectReason?: string;
  /** Who turned it down: the person, or an agent that took it back. */
  readonly rejectedBy?: 'person' | 'agent';
  /** Who let it go: the person's click, or an agent in a chat where the person allows that. */
  readonly committedBy?: 'person' | 'agent';
  readonly outcome?: Outcome;
  /** When it became final, milliseconds since the epoch. */
  readonly finishedAt?: number;
}

export interface OperationContext {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

export interface CommitContext extends OperationContext {
  /**
   * Writes `committing` to the journal, on disk, before it returns. An operation calls it once, immediately before
   * its push (after uploads and other preparation); where it throws, nothing may be sent.
   */
  aboutToPush(): void;
}

/** Thrown by {@link Operation.verify}: the world changed, nothing is sent (`target_changed`, `file_changed`, `file_missing`, …). */
export class VerificationError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly nextStep: string,
  ) {
    super(message);
  }
}

/** Knowledge of one kind of irreversible action, brought by the messenger. */
export interface Operation {
  readonly tool: string;
  /** How long a commit may take in all, in milliseconds (an upload takes longer than a message). */
  readonly budgetMs: number;
  /** Whether the person may change the text first; returns the payload and preview with the new text. Throws VerificationError for a text that cannot be sent. */
  applyEdit?(payload: Draft['payload'], preview: DraftPreview, text: string): { payload: Draft['payload']; preview: DraftPreview };
  /** Checks everything again from scratch. Throws VerificationError. Reads only. */
  verify(draft: Draft, context: OperationContext): Promise<void>;
  /** Does it, once. Never throws for an outcome; never repeats a push. */
  commit(draft: Draft, context: CommitContext): Promise<Outcome>;
  /** After a crash or a lost answer: finds out by reading. Resolves undefined where reading could not be done now. Never pushes. */
  reconcile(draft: Draft, context: OperationContext): Promise<Outcome | undefined>;
}

/** Durable storage of drafts; every call returns after the data is on disk (the journal says `committing` before the push). */
export interface DraftStore {
  load(): readonly Draft[];
  save(draft: Draft): void;
  remove(id: string): void;
}

export interface ApprovalsClock {
  now(): number;
  after(delayMs: number, callback: () => void): () => void;
}

/** A confirm call refused before anything happened: `token_missing token_unknown op_mismatch chat_mismatch args_changed`. */
export class ConfirmRefusedError extends Error {
  constructor(
    readonly code: 'token_missing' | 'token_unknown' | 'op_mismatch' | 'chat_mismatch' | 'args_changed',
    message: string,
  ) {
    super(message);
  }
}

export type AccessMode = 'full' | 'read_only' | 'paused';
export type ChatAccess = 'hidden' | 'read_only' | 'default' | 'agent_confirms';
