import { VerificationError, type ApprovalsClock, type Draft, type Operation, type OperationContext, type Outcome } from './types.ts';

const LOOK_FIRST = 'Look in the chat before trying again; do not repeat it blindly.';

/**
 * Verifies a draft from scratch and carries it out, once. Always resolves with an outcome.
 * `journal` writes `committing` to disk; the operation calls it (as `aboutToPush`) right before its push.
 */
export async function commitDraft(
  draft: Draft,
  operation: Operation,
  clock: ApprovalsClock,
  journal: () => void,
  onProgress?: OperationContext['onProgress'],
): Promise<Outcome> {
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
    return await operation.commit(draft, { signal: abort.signal, aboutToPush, ...(onProgress && { onProgress }) });
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
function isVerificationError(error: unknown): error is VerificationError {
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
