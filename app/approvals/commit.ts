import { VerificationError, type ApprovalsClock, type Draft, type Operation, type OperationContext, type Outcome } from './types.ts';

const LOOK_FIRST = 'Look in the chat before trying again; do not repeat it blindly.';

export interface CommitHooks {
  /** Writes `committing` to disk; the operation calls it (as `aboutToPush`) right before its push. */
  readonly journal: () => void;
  readonly onProgress?: OperationContext['onProgress'];
  /** Checks of an earlier commit that this one must not overtake. */
  readonly after?: Promise<void> | undefined;
  /** Called once the operation has been handed its commit, or will never be: the next one may be checked. */
  readonly onHandedOver: () => void;
}

/** Verifies a draft from scratch and carries it out, once. Always resolves with an outcome. */
export async function commitDraft(draft: Draft, operation: Operation, clock: ApprovalsClock, hooks: CommitHooks): Promise<Outcome> {
  const { journal, onProgress, after, onHandedOver } = hooks;
  if (after) await after;
  const abort = new AbortController();
  const cancelBudget = clock.after(operation.budgetMs, () => abort.abort(new CommitTimeoutError()));
  let mayHaveLeft = false;
  const aboutToPush = () => {
    if (abort.signal.aborted) throw abort.signal.reason;
    journal();
    mayHaveLeft = true;
  };
  try {
    await operation.verify(draft, { signal: abort.signal });
    const commit = operation.commit(draft, { signal: abort.signal, aboutToPush, ...(onProgress && { onProgress }) });
    onHandedOver();
    return await commit;
  } catch (error) {
    if (isVerificationError(error)) return { status: 'failed', code: error.code, message: error.message, nextStep: error.nextStep };
    if (mayHaveLeft) return { status: 'unknown', message: 'It may or may not have been applied: no certain answer came.', nextStep: LOOK_FIRST };
    return {
      status: 'failed',
      code: codeOf(error),
      message: 'Nothing was sent: it could not be checked or prepared.',
      nextStep: 'Make a new draft when the cause is gone.',
    };
  } finally {
    onHandedOver();
    cancelBudget();
  }
}

/** What reading says of a draft whose outcome is open; undefined where it could not be read now. */
export async function reconcileDraft(draft: Draft, operation: Operation, signal: AbortSignal): Promise<Outcome | undefined> {
  try {
    return await operation.reconcile(draft, { signal });
  } catch {
    return undefined; // not readable now (offline, signed out): asked again when the session is back
  }
}

/** By its fields, not only its class: operations come from folders that know nothing of this one. */
export function isVerificationError(error: unknown): error is VerificationError {
  if (error instanceof VerificationError) return true;
  return error instanceof Error && error.name === 'VerificationError' && 'code' in error && typeof error.code === 'string' && 'nextStep' in error;
}

class CommitTimeoutError extends Error {
  readonly code = 'timeout';
}

/** Codes an agent may be told (design §4); anything else is the server's fault as far as it can know. */
const TOLD_CODES = new Set([
  'not_signed_in',
  'rate_limited',
  'timeout',
  'cancelled',
  'upload_quota',
  'upload_too_large',
  'file_missing',
  'file_too_large',
  'file_not_allowed',
]);

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && TOLD_CODES.has(code) ? code : 'server_error';
}
