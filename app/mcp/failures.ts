import { ConfirmRefusedError, DraftNotFoundError, ForbiddenTransitionError, TooManyDraftsError } from '../approvals/index.ts';
import { DomainResult, ToolError } from './tool.ts';

/** The one place where errors become words for an agent. An exception's own text never gets through (design §5). */

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly next_step: string;
}

const SIGN_IN = 'Ask the person to sign in in the Vestnik window (tray icon, Sign in), then call again.';
const RETRY = 'Wait a moment and call again.';
const MAY_HAVE_BEEN_APPLIED = 'It may or may not have been applied.';
const LOOK_FIRST = 'Read the chat to see whether it was applied before trying again.';

/** Words per code of the wire's errors. */
const WORDS: Readonly<Record<string, Omit<Failure, 'code'> & { code?: string }>> = {
  not_signed_in: { message: 'Nobody is signed in to Yandex Messenger in Vestnik.', next_step: SIGN_IN },
  cookie_rejected: { code: 'not_signed_in', message: 'Yandex no longer accepts the session.', next_step: SIGN_IN },
  connection_lost: { code: 'server_error', message: 'The connection to Yandex Messenger was lost.', next_step: RETRY },
  timeout: { message: 'The call ran out of its time.', next_step: 'Call again, with a smaller limit if there was a lot to read.' },
  cancelled: { message: 'The call was cancelled.', next_step: 'Call again if it is still wanted.' },
  rate_limited: { message: 'Yandex Messenger asks to slow down.', next_step: 'Wait a minute and call again.' },
  upload_quota: { message: "The person's Yandex Disk has no room for the file, or refuses it.", next_step: 'Ask the person to make room on Yandex Disk.' },
  upload_too_large: { message: 'Yandex refuses a file of this size.', next_step: 'Send a smaller file.' },
  upload_failed: { code: 'server_error', message: 'Yandex did not take the file.', next_step: RETRY },
  file_missing: { message: 'There is no such file.', next_step: 'Check the file_id or path and call again.' },
  download_failed: { code: 'server_error', message: 'The file could not be downloaded.', next_step: RETRY },
  registry: { code: 'server_error', message: 'Yandex Messenger refused the request.', next_step: RETRY },
  proxy_status: { code: 'server_error', message: 'Yandex Messenger could not process the request.', next_step: RETRY },
  read_status: { code: 'server_error', message: 'Yandex Messenger refused the request.', next_step: RETRY },
  unexpected_answer: {
    code: 'server_error',
    message: 'Yandex Messenger answered in a form Vestnik does not know; the protocol may have changed.',
    next_step: 'Tell the person; an update of Vestnik may be needed.',
  },
};

const READ_STATUS_WORDS: Readonly<Record<number, Failure>> = {
  2: { code: 'server_error', message: 'Yandex Messenger denies access to this.', next_step: 'Choose a chat the person is a member of.' },
  6: { code: 'not_signed_in', message: 'Yandex no longer accepts the session.', next_step: SIGN_IN },
};

/** A failure in words; `isWrite` adds the doubt where something may have left the machine. */
export function failureOf(error: unknown, isWrite: boolean): Failure {
  if (error instanceof ToolError) return { code: error.code, message: error.message, next_step: error.nextStep };
  if (error instanceof ConfirmRefusedError) {
    const redo =
      error.code === 'token_missing'
        ? 'Pass the confirm_token that the draft call returned.'
        : 'Make a new draft (call without confirm) and confirm that one with unchanged arguments.';
    return { code: error.code, message: `${error.message} This call sent nothing.`, next_step: redo };
  }
  if (error instanceof TooManyDraftsError)
    return {
      code: error.code,
      message: 'Too many drafts wait for the person already.',
      next_step: "Ask the person to decide some of them in Vestnik's window.",
    };
  if (error instanceof DraftNotFoundError)
    return { code: error.code, message: 'There is no such draft.', next_step: 'list_drafts shows the drafts there are.' };
  if (error instanceof ForbiddenTransitionError)
    return { code: 'invalid_argument', message: `The draft is ${error.status} already.`, next_step: 'get_draft tells its outcome.' };
  const { code, status, wasSent } = fieldsOf(error);
  if (code === 'proxy_status' && status === 7) return { ...words('rate_limited') };
  if (code === 'read_status' && status !== undefined && READ_STATUS_WORDS[status]) return READ_STATUS_WORDS[status];
  const failure = words(code);
  return isWrite && wasSent ? { ...failure, message: `${failure.message} ${MAY_HAVE_BEEN_APPLIED}`, next_step: LOOK_FIRST } : failure;
}

/** "No such chat" of the server (layer 2, status 4; protocol §3, L) is an outcome, not a failure. */
export function domainResultOf(error: unknown): DomainResult | undefined {
  if (error instanceof DomainResult) return error;
  const { code, status } = fieldsOf(error);
  if (code !== 'read_status' || status !== 4) return undefined;
  return new DomainResult({
    status: 'chat_not_found',
    reason: 'entity_not_found',
    candidates: [],
    next_step: 'Check the chat_id, or find the chat with list_chats or search.',
  });
}

function words(code: string | undefined): Failure {
  const found = code === undefined ? undefined : WORDS[code];
  if (!found)
    return {
      code: 'server_error',
      message: 'Something went wrong inside Vestnik.',
      next_step: 'Call again; if it repeats, the person finds details in Settings, Diagnostics.',
    };
  return { code: found.code ?? code ?? 'server_error', message: found.message, next_step: found.next_step };
}

function fieldsOf(error: unknown): { code?: string; status?: number; wasSent?: boolean } {
  if (!(error instanceof Error)) return {};
  const { code, status, wasSent } = error as Error & { code?: unknown; status?: unknown; wasSent?: unknown };
  return { ...(typeof code === 'string' && { code }), ...(typeof status === 'number' && { status }), ...(typeof wasSent === 'boolean' && { wasSent }) };
}
