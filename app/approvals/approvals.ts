import { createHash, randomBytes, randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import { commitDraft, reconcileDraft } from './commit.ts';
import { DraftBook, DraftNotFoundError } from './draft-book.ts';
import { transition } from './transitions.ts';
import { ConfirmRefusedError, type ApprovalsClock, type Draft, type DraftStore, type Operation } from './types.ts';
import { Turns } from './turns.ts';
import { waitForDraft, type WaitOptions } from './wait.ts';

/** Most drafts that may wait at once: far above what a person can decide, low enough to keep a runaway agent from filling the disk. */
export const MAX_PENDING_DRAFTS = 500;
/** How long looking for a draft that a crash left open may take for whoever asks. */
const RECONCILE_MS = 30_000;
export interface ApprovalsPorts {
  readonly store: DraftStore;
  readonly clock: ApprovalsClock;
  /** Asked at each draft, in milliseconds. */
  readonly draftLifetimeMs: () => number;
}

export type NewDraft = Pick<Draft, 'tool' | 'client' | 'chat' | 'fingerprint' | 'argumentsHash' | 'payload' | 'preview' | 'payloadId'>;

/** Thrown where too many drafts wait already. */
export class TooManyDraftsError extends Error {
  readonly code = 'too_many_drafts';
}

/**
 * All drafts of the app and the only place where one is let go. Knows nothing of MCP, windows or Messenger:
 * an {@link Operation} per tool brings that. Truth is in memory and on disk; a commit runs here, whoever asked for it,
 * and exactly once.
 */
export class Approvals {
  readonly #book: DraftBook;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #progressListeners = new Set<(id: string, done: number, total: number | undefined) => void>();
  readonly #commits = new Map<string, Promise<Draft>>();
  readonly #reconciling = new Map<string, Promise<void>>();
  /** Per chat: whose checks come first. */
  readonly #turns = new Turns();

  constructor(
    private readonly ports: ApprovalsPorts,
    operations: readonly Operation[],
  ) {
    this.#operations = new Map(operations.map((operation) => [operation.tool, operation]));
    this.#book = new DraftBook(ports.store, ports.clock);
  }

  /** SHA-256 over what the arguments mean, independent of key order (design §3). */
  fingerprint(tool: string, chatId: string, fields: Readonly<Record<string, unknown>>): string {
    return sha256(canonicalize({ tool, chatId, fields }));
  }

  /** SHA-256 over a call's arguments as they were written, independent of key order. */
  argumentsHash(tool: string, args: Readonly<Record<string, unknown>>): string {
    return sha256(canonicalize({ tool, args }));
  }

  /** Makes a draft and writes it to disk. Nothing leaves the machine. @throws TooManyDraftsError */
  create(input: NewDraft): Draft {
    if (this.list().filter((draft) => draft.status === 'pending').length >= MAX_PENDING_DRAFTS)
      throw new TooManyDraftsError(`${MAX_PENDING_DRAFTS} drafts wait already`);
    const { tool, client, chat, fingerprint, argumentsHash, payload, preview, payloadId } = input;
    const createdAt = this.ports.clock.now();
    const draft: Draft = {
      id: randomUUID(),
      token: randomBytes(16).toString('base64url'),
      tool,
      client,
      chat,
      fingerprint,
      ...(argumentsHash !== undefined && { argumentsHash }),
      payload,
      preview,
      ...(payloadId !== undefined && { payloadId }),
      createdAt,
      expiresAt: createdAt + this.ports.draftLifetimeMs(),
      status: 'pending',
    };
    this.#book.add(draft);
    return draft;
  }

  /** Every draft kept, oldest first. */
  list(): readonly Draft[] {
    return this.#book.list();
  }

  /** @throws DraftNotFoundError */
  get(id: string): Draft {
    return this.#book.get(id);
  }

  /** The draft of a token, if it is the tool's own. @throws ConfirmRefusedError `token_missing token_unknown op_mismatch` */
  requireToken(token: string | undefined, tool: string): Draft {
    if (token === undefined || token === '') throw new ConfirmRefusedError('token_missing', 'confirm:true needs the confirm_token of a draft.');
    const draft = this.#book.byToken(token);
    if (!draft) throw new ConfirmRefusedError('token_unknown', 'This confirm_token belongs to no draft.');
    if (draft.tool !== tool) throw new ConfirmRefusedError('op_mismatch', `This confirm_token was given for ${draft.tool}, not for ${tool}.`);
    return draft;
  }

  /** Compares what a confirm call means with what was drafted. @throws ConfirmRefusedError, also `chat_mismatch args_changed` */
  checkConfirm(token: string | undefined, call: { tool: string; chatId: string; fingerprint: string }): Draft {
    const draft = this.requireToken(token, call.tool);
    if (draft.chat.id !== call.chatId) throw new ConfirmRefusedError('chat_mismatch', 'The chat is not the one of the draft.');
    if (draft.fingerprint !== call.fingerprint) throw new ConfirmRefusedError('args_changed', 'The arguments are not those of the draft.');
    return draft;
  }

  /**
   * Lets a draft go and resolves when the commit has ended. However many callers, one commit: a second one gets the first one's
   * result, a finished draft its outcome. Drafts of one chat leave in the order in which they were let go. @throws DraftNotFoundError, ForbiddenTransitionError (rejected or expired before)
   */
  async confirm(id: string, by: 'person' | 'agent'): Promise<Draft> {
    const draft = this.get(id);
    const running = this.#commits.get(id);
    if (running) return running;
    if (draft.status === 'committing') {
      await this.#reconcileWithin(id, RECONCILE_MS); // a crash left it open
      return this.get(id);
    }
    if (draft.status === 'sent' || draft.status === 'failed' || draft.status === 'unknown') return draft;
    const claimed: Draft = { ...draft, status: transition(draft.status, 'confirm'), committedBy: by };
    const journal = () => this.ports.store.save(claimed);
    const onProgress = (done: number, total: number | undefined) => this.#progressListeners.forEach((listener) => listener(id, done, total));
    const hooks = { journal, onProgress, ...this.#turns.take(draft.chat.id) };
    const commit = commitDraft(claimed, this.#operation(draft.tool), this.ports.clock, hooks).then((outcome) => this.#finish(claimed, outcome));
    this.#commits.set(id, commit);
    // Only memory says `committing` until the push is about to leave: a crash before that leaves a pending draft.
    this.#book.show(claimed);
    try {
      return await commit;
    } finally {
      this.#commits.delete(id);
    }
  }

  /** {@link confirm} for a caller that does not wait for it; its outcome is on the draft. */
  confirmInBackground(id: string, by: 'person' | 'agent'): void {
    this.confirm(id, by).catch(() => undefined); // a refusal leaves the draft as it is, which settle() then tells
  }

  /** @throws DraftNotFoundError, ForbiddenTransitionError */
  reject(id: string, reason?: string, by: 'person' | 'agent' = 'person'): Draft {
    const draft = this.get(id);
    return this.#book.put({ ...draft, ...this.#book.final(draft, 'reject'), rejectedBy: by, ...(reason && { rejectReason: reason }) });
  }

  /** The person's own text in place of the agent's. @throws DraftNotFoundError, ForbiddenTransitionError, and what the operation says of the text */
  edit(id: string, text: string): Draft {
    const draft = this.get(id);
    const status = transition(draft.status, 'edit');
    const applied = this.#operation(draft.tool).applyEdit?.(draft.payload, draft.preview, text);
    if (!applied) throw new NotEditableError('This kind of draft has no text to change.');
    const originalText = draft.originalText ?? draft.preview.text;
    return this.#book.put({ ...draft, ...applied, status, editedText: text, ...(originalText !== undefined && { originalText }) });
  }

  /**
   * Checks a waiting draft against the world as it is now; reads only. Rejects with the operation's {@link VerificationError}, or with
   * what kept it from checking; resolves also when the draft was decided meanwhile.
   */
  async check(id: string, signal: AbortSignal): Promise<void> {
    const draft = this.get(id);
    try {
      await this.#operation(draft.tool).verify(draft, { signal });
    } catch (error) {
      if (this.get(id).status === 'pending') throw error;
    }
  }

  /** Waits until the draft is decided; see {@link waitForDraft}. One whose outcome is open is looked for once more, by reading. */
  async settle(id: string, options: WaitOptions): Promise<Draft> {
    const { status } = this.get(id);
    if (status === 'unknown' || (status === 'committing' && !this.#commits.has(id))) await this.#reconcile(id, options.signal);
    return waitForDraft(this, id, options, this.ports.clock);
  }

  /** Finds out, by reading, what became of drafts that a crash or a lost answer left open. Call it when the session is online. */
  async reconcileOpen(signal: AbortSignal): Promise<void> {
    for (const draft of this.list()) {
      if (this.#commits.has(draft.id)) continue;
      if (draft.status === 'committing' || draft.status === 'unknown') await this.#reconcile(draft.id, signal);
    }
  }

  /** Called with each draft that changed. */
  onChange(listener: (draft: Draft) => void): () => void {
    return this.#book.onChange(listener);
  }

  /** Called with the progress of commits that run (an upload's bytes). */
  onProgress(listener: (id: string, done: number, total: number | undefined) => void): () => void {
    this.#progressListeners.add(listener);
    return () => this.#progressListeners.delete(listener);
  }

  /** Stops timers. Commits that run are not waited for. */
  close(): void {
    this.#book.close();
  }

  async #reconcileWithin(id: string, limitMs: number): Promise<void> {
    const abort = new AbortController();
    const cancel = this.ports.clock.after(limitMs, () => abort.abort(new Error('the time to look ended')));
    await this.#reconcile(id, abort.signal).finally(cancel);
  }

  #reconcile(id: string, signal: AbortSignal): Promise<void> {
    const running = this.#reconciling.get(id);
    if (running) return running;
    const work = reconcileDraft(this.#book.get(id), this.#operation(this.#book.get(id).tool), signal)
      .then((outcome) => {
        const draft = this.#book.get(id);
        if (!outcome || this.#commits.has(id)) return;
        if (draft.status === 'committing') this.#finish(draft, outcome);
        else if (draft.status === 'unknown' && outcome.status === 'sent') this.#book.put({ ...draft, ...this.#book.final(draft, 'found'), outcome });
      })
      .finally(() => this.#reconciling.delete(id));
    this.#reconciling.set(id, work);
    return work;
  }

  #finish(claimed: Draft, outcome: NonNullable<Draft['outcome']>): Draft {
    const event = { sent: 'committed', failed: 'refused', unknown: 'uncertain' } as const;
    const draft: Draft = { ...claimed, ...this.#book.final(claimed, event[outcome.status]), outcome };
    try {
      this.ports.store.save(draft);
    } catch {
      // What happened has happened: it is told, and the disk's `committing` makes the next start look for it.
    }
    this.#book.show(draft);
    return draft;
  }

  #operation(tool: string): Operation {
    const operation = this.#operations.get(tool);
    if (!operation) throw new DraftNotFoundError(`no operation for ${tool}`);
    return operation;
  }
}

function sha256(text: string | undefined): string {
  return createHash('sha256')
    .update(text ?? '')
    .digest('hex');
}

/** Thrown when a draft has no text that a person could change. */
export class NotEditableError extends Error {
  readonly code = 'not_editable';
}
