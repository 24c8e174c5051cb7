/** The approvals' public face. */
export * from './types.ts';
export { DraftNotFoundError } from './draft-book.ts';
export { Approvals, MAX_PENDING_DRAFTS, NotEditableError, TooManyDraftsError } from './approvals.ts';
export type { NewDraft } from './approvals.ts';
export { isVerificationError } from './commit.ts';
export { ForbiddenTransitionError, transition, TRANSITIONS } from './transitions.ts';
export { isStoredDraft } from './stored-draft.ts';
export { OPEN_POLICY, Policy } from './policy.ts';
export type { PolicyState, PolicyStore } from './policy.ts';
export { ActivityJournal, PLAIN_LINES } from './activity.ts';
export type { ActivityEntry, ActivityFilter, LineCodec } from './activity.ts';
