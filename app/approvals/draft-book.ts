import { transition, type DraftEvent } from './transitions.ts';
import { FINAL_STATUSES, type ApprovalsClock, type Draft, type DraftStore } from './types.ts';

/** Finished drafts are kept this long so that their token replays the outcome. */
const KEEP_FINISHED_MS = 7 * 24 * 3600_000;
const KEEP_FINISHED_COUNT = 1000;
/** setTimeout overflows beyond this; the sweep simply runs again. */
const LONGEST_TIMER_MS = 24 * 3600_000;

/** Thrown for an id that names no draft. */
export class DraftNotFoundError extends Error {
  readonly code = 'draft_not_found';
}

/** The drafts there are: in memory and on disk, found by id and by token, lapsing at their deadline and forgotten long after. */
export class DraftBook {
  readonly #drafts = new Map<string, Draft>();
  readonly #byToken = new Map<string, string>();
  readonly #listeners = new Set<(draft: Draft) => void>();
  #cancelSweep: () => void = () => {};

  constructor(
    private readonly store: DraftStore,
    private readonly clock: ApprovalsClock,
  ) {
    for (const draft of store.load()) this.#remember(draft);
    this.#sweep();
  }

  /** Every draft kept, oldest first. */
  list(): readonly Draft[] {
    this.#expireDue();
    return [...this.#drafts.values()];
  }

  /** @throws DraftNotFoundError */
  get(id: string): Draft {
    this.#expireDue();
    const draft = this.#drafts.get(id);
    if (!draft) throw new DraftNotFoundError('There is no such draft.');
    return draft;
  }

  byToken(token: string): Draft | undefined {
    const id = this.#byToken.get(token);
    return id === undefined ? undefined : this.get(id);
  }

  /** Adds a draft that has just been made, on disk first. */
  add(draft: Draft): void {
    this.put(draft);
    this.#sweep();
  }

  /** On disk, then in memory, then told. @throws what the store throws; then nothing has changed */
  put(draft: Draft): Draft {
    this.store.save(draft);
    this.show(draft);
    return draft;
  }

  /** In memory alone, and told. */
  show(draft: Draft): void {
    this.#remember(draft);
    for (const listener of this.#listeners) listener(draft);
  }

  /** Status and time of a draft that `event` ends. @throws ForbiddenTransitionError */
  final(draft: Draft, event: DraftEvent): Pick<Draft, 'status' | 'finishedAt'> {
    return { status: transition(draft.status, event), finishedAt: this.clock.now() };
  }

  /** Called with each draft that changed. */
  onChange(listener: (draft: Draft) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops the timer. */
  close(): void {
    this.#cancelSweep();
  }

  #remember(draft: Draft): void {
    this.#drafts.set(draft.id, draft);
    this.#byToken.set(draft.token, draft.id);
  }

  #expireDue(): void {
    const now = this.clock.now();
    for (const draft of [...this.#drafts.values()])
      if (draft.status === 'pending' && draft.expiresAt <= now) this.put({ ...draft, ...this.final(draft, 'expire') });
  }

  /** Expires what is due, forgets what finished long ago, and comes back when the next draft lapses. */
  #sweep(): void {
    this.#expireDue();
    const now = this.clock.now();
    const finished = [...this.#drafts.values()].filter((draft) => FINAL_STATUSES.has(draft.status));
    for (const [index, draft] of finished.entries()) {
      if (index >= finished.length - KEEP_FINISHED_COUNT && now - (draft.finishedAt ?? draft.createdAt) <= KEEP_FINISHED_MS) continue;
      this.#drafts.delete(draft.id);
      this.#byToken.delete(draft.token);
      this.store.remove(draft.id);
    }
    const next = Math.min(...[...this.#drafts.values()].filter((draft) => draft.status === 'pending').map((draft) => draft.expiresAt - now), LONGEST_TIMER_MS);
    this.#cancelSweep();
    this.#cancelSweep = this.clock.after(Math.max(next, 0) + 1, () => this.#sweep());
  }
}
