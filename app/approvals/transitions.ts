import type { DraftStatus } from './types.ts';

/** What can happen to a draft (design §3). */
export type DraftEvent = 'confirm' | 'reject' | 'expire' | 'edit' | 'committed' | 'refused' | 'uncertain' | 'found';

/**
 * The state machine of design §3 as a table: current status × event → next status. A missing cell is a forbidden transition.
 * `found` is the one way out of `unknown`: reading showed that it was applied after all.
 */
export const TRANSITIONS: Readonly<Record<DraftStatus, Readonly<Partial<Record<DraftEvent, DraftStatus>>>>> = {
  pending: { confirm: 'committing', reject: 'rejected', expire: 'expired', edit: 'pending' },
  committing: { committed: 'sent', refused: 'failed', uncertain: 'unknown' },
  unknown: { found: 'sent' },
  sent: {},
  failed: {},
  rejected: {},
  expired: {},
};

/** Thrown for an event that the table does not allow; nothing has changed. */
export class ForbiddenTransitionError extends Error {
  readonly code = 'forbidden_transition';
  constructor(
    readonly status: DraftStatus,
    readonly event: DraftEvent,
  ) {
    super(`a draft that is ${status} cannot ${event}`);
  }
}

/** The status after `event`. @throws ForbiddenTransitionError */
export function transition(status: DraftStatus, event: DraftEvent): DraftStatus {
  const next = TRANSITIONS[status][event];
  if (next === undefined) throw new ForbiddenTransitionError(status, event);
  return next;
}
