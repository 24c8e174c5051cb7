import type { Directory, MessengerPorts } from '../api.ts';

/**
 * What writing promises to whoever keeps drafts. The shapes are those of the approvals' own types, stated here
 * because the messenger knows nothing of approvals; the app's core puts the two together and the compiler compares them.
 */

export interface WritingDeps {
  readonly ports: MessengerPorts;
  readonly directory: Directory;
  /** Pauses before each look for a write whose answer was lost, in milliseconds. */
  readonly lookAfterMs?: readonly number[];
}

export type DraftPayload = Readonly<Record<string, unknown>>;

export interface DraftPerson {
  readonly guid: string;
  readonly name?: string;
}

export interface DraftPreview {
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

/** Where a draft goes. */
export interface DraftChat {
  readonly id: string;
  readonly name: string | undefined;
  readonly kind: string;
  readonly members?: number;
  readonly hint?: string;
  readonly isNameShared?: boolean;
}

/** What a draft is made of: the card's content and what the commit needs. Plain JSON. */
export interface PreparedDraft {
  readonly chat: DraftChat;
  readonly payload: DraftPayload;
  readonly payloadId?: string;
  readonly preview: DraftPreview;
}

/** What an operation reads of a draft. */
export interface WritingDraft {
  readonly chat: DraftChat;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly payload: DraftPayload;
  readonly payloadId?: string;
  readonly preview: DraftPreview;
}

export type Outcome =
  | { readonly status: 'sent'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly status: 'failed'; readonly code: string; readonly message: string; readonly nextStep: string; readonly data?: Readonly<Record<string, unknown>> }
  | { readonly status: 'unknown'; readonly message: string; readonly nextStep: string; readonly data?: Readonly<Record<string, unknown>> };

export interface OperationContext {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

export interface CommitContext extends OperationContext {
  /** Writes `committing` to the journal before it returns; where it throws, nothing is sent. */
  aboutToPush(): void;
}

export interface Operation {
  readonly tool: string;
  /** How long a commit may take in all, in milliseconds. */
  readonly budgetMs: number;
  /** The person's own text in place of the agent's. @throws WritingRefusal for a text that cannot be sent. */
  applyEdit?(payload: DraftPayload, preview: DraftPreview, text: string): { payload: DraftPayload; preview: DraftPreview };
  /** Checks everything again from scratch, by reading. @throws WritingRefusal */
  verify(draft: WritingDraft, context: OperationContext): Promise<void>;
  /** Does it, once. */
  commit(draft: WritingDraft, context: CommitContext): Promise<Outcome>;
  /** Finds out by reading; undefined where it could not be read now. Never pushes. */
  reconcile(draft: WritingDraft, context: OperationContext): Promise<Outcome | undefined>;
}

/**
 * Why something cannot be written: on a draft the agent is told, at the commit it refuses (design §3).
 * Has the fields of the approvals' VerificationError, which they go by.
 */
export class WritingRefusal extends Error {
  override readonly name = 'VerificationError';
  constructor(
    readonly code: string,
    message: string,
    readonly nextStep: string,
    /** More for the agent, in the result's key names. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
