import { FINAL_STATUSES, type ApprovalsClock, type Draft } from './types.ts';

export interface WaitOptions {
  /** How long to wait for a decision, in milliseconds. */
  readonly waitMs: number;
  /** Ends the waiting, not the draft. */
  readonly signal: AbortSignal;
  /** Called every few seconds with elapsed and total milliseconds, and with the bytes of an upload once one runs; always growing. */
  readonly onWaiting?: (done: number, total: number | undefined) => void;
}

const PROGRESS_EVERY_MS = 3000;
/** A commit that runs when the wait is over gets this much longer: its outcome is worth more than an early answer. */
const COMMIT_GRACE_MS = 15_000;

interface Drafts {
  get(id: string): Draft;
  onChange(listener: (draft: Draft) => void): () => void;
  onProgress(listener: (id: string, done: number, total: number | undefined) => void): () => void;
}

/**
 * Resolves with the draft once it is final; after `waitMs` with whatever it is then, except that a running commit is given
 * a little longer. Rejects with the signal's reason when aborted: the draft is not touched.
 */
export function waitForDraft(drafts: Drafts, id: string, options: WaitOptions, clock: ApprovalsClock): Promise<Draft> {
  const { waitMs, signal, onWaiting } = options;
  return new Promise((resolve, reject) => {
    const undo: (() => void)[] = [];
    const settle = (finish: () => void) => {
      for (const step of undo.splice(0)) step();
      finish();
    };
    const look = (onlyFinal: boolean) => {
      const draft = drafts.get(id);
      if (!onlyFinal || FINAL_STATUSES.has(draft.status)) settle(() => resolve(draft));
    };
    const onAbort = () => settle(() => reject(signal.reason as Error));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
    undo.push(() => signal.removeEventListener('abort', onAbort));
    undo.push(drafts.onChange((draft) => draft.id === id && look(true)));
    const startedAt = clock.now();
    let reported = 0;
    const report = (done: number, total: number | undefined) => {
      if (done <= reported) return; // a progress notification must be larger than the one before
      reported = done;
      onWaiting?.(done, total);
    };
    undo.push(drafts.onProgress((draftId, done, total) => draftId === id && report(done, total)));
    const tick = () => {
      report(Math.min(clock.now() - startedAt, waitMs), waitMs);
      undo.push(clock.after(PROGRESS_EVERY_MS, tick));
    };
    if (onWaiting) undo.push(clock.after(PROGRESS_EVERY_MS, tick));
    undo.push(
      clock.after(waitMs, () => {
        if (drafts.get(id).status !== 'committing') return look(false);
        undo.push(clock.after(COMMIT_GRACE_MS, () => look(false)));
      }),
    );
    look(true);
  });
}
