import type { PushResult } from '../../wire/index.ts';
import type { Outcome } from './types.ts';

/** How the result of a push is told (protocol §3, layer 3). Each status is told as what it is. */

export type SentData = Readonly<Record<string, unknown>>;

/** What is said of a write in doubt: what it is, and how to look. */
export interface DoubtWords {
  /** "The message", "The edit" … */
  readonly what: string;
  /** How to find out. */
  readonly look: string;
}

/** `commit_status commit_status_name duplicate message_info` of a push that succeeded (design §8). */
export function committedData(result: Extract<PushResult, { kind: 'committed' }>): SentData {
  const info = result.messageInfo;
  return {
    commit_status: result.status,
    commit_status_name: result.statusName,
    duplicate: result.isDuplicate,
    ...(info && {
      message_info: {
        timestamp_mcs: info.timestampMcs,
        ...(info.prevTimestampMcs !== undefined && { prev_timestamp_mcs: info.prevTimestampMcs }),
        ...(info.seqNo !== undefined && { seqno: info.seqNo }),
        ...(info.version !== undefined && { version: info.version }),
      },
    }),
  };
}

/** The same for a write whose answer was lost and that reading then found: what the server holds is committed. */
export function foundData(messageInfo?: Readonly<Record<string, unknown>>): SentData {
  return {
    commit_status: 1,
    commit_status_name: 'FULLY_COMMITTED',
    duplicate: false,
    found_by_reading: true,
    ...(messageInfo && { message_info: messageInfo }),
  };
}

/** It may or may not have been applied; says how to look. @param wasLookedFor whether reading was possible, and did not find it */
export function unknownOutcome(words: DoubtWords, why: string, wasLookedFor: boolean): Extract<Outcome, { status: 'unknown' }> {
  const looked = wasLookedFor ? 'It is not there so far, which proves nothing: it may still appear.' : 'It could not be looked for so far.';
  return {
    status: 'unknown',
    message: `${words.what} may or may not have been applied: ${why}. ${looked}`,
    nextStep: `${words.look} Do not repeat it before you have looked.`,
  };
}

/** Why a push left a doubt. */
export function doubtOf(result: Extract<PushResult, { kind: 'unknown' }>): string {
  const reasons: Readonly<Record<typeof result.reason, string>> = {
    connection_lost: 'the connection was lost before the server answered',
    timeout: 'the server did not answer in time',
    cancelled: 'the call was cancelled after it had left',
    no_status: 'the server answered without a numeric status, which confirms nothing',
    proxy_status: "the server's gateway reported an error in place of an answer",
  };
  return reasons[result.reason];
}

/** A certain failure: nothing was written. */
export function failureOf(result: Exclude<PushResult, { kind: 'committed' | 'unknown' }>): Extract<Outcome, { status: 'failed' }> {
  switch (result.kind) {
    case 'refused':
      return {
        status: 'failed',
        code: RATE_STATUSES.has(result.status) ? 'rate_limited' : 'server_error',
        message: `Yandex Messenger refused it with status ${result.status} ${result.statusName}${meaningOf(result.status)}. Nothing was changed.`,
        nextStep: RATE_STATUSES.has(result.status)
          ? waitWords(result.retryAfterMs)
          : (NEXT_STEPS[result.status] ?? 'Tell the person; do not repeat it unchanged.'),
        data: { commit_status: result.status, commit_status_name: result.statusName },
      };
    case 'rejected':
      return {
        status: 'failed',
        code: 'server_error',
        message: `Yandex Messenger rejected the request before it was carried out (proxy status ${result.proxyStatus} ${result.proxyStatusName}). Nothing was changed.`,
        nextStep: 'Do not repeat it unchanged; tell the person.',
        data: { proxy_status: result.proxyStatus, proxy_status_name: result.proxyStatusName },
      };
    case 'not_sent':
      return { status: 'failed', ...NOT_SENT[result.reason], ...(result.reason === 'rate_limited' && { nextStep: waitWords(result.retryAfterMs) }) };
  }
}

/** UNIPROXY_COMMITTED and POSTPROC_COMMITTED: no success (protocol §3), but by their names something was written. */
const HALF_COMMITTED: ReadonlySet<number> = new Set([2, 9]);
/** The last status whose meaning is known (protocol §3). */
const LAST_KNOWN_STATUS = 25;

/**
 * The doubt that a status leaves which is no success but may hide a write all the same: half committed, or of unknown meaning.
 * Undefined for every other result: a certain failure, or a success.
 */
export function doubtOfStatus(result: PushResult): string | undefined {
  if (result.kind !== 'refused') return undefined;
  const { status, statusName } = result;
  const isDoubtful = HALF_COMMITTED.has(status) || status < 0 || status > LAST_KNOWN_STATUS;
  return isDoubtful ? `the server answered ${status} ${statusName}, which is no confirmation` : undefined;
}

const RATE_STATUSES: ReadonlySet<number> = new Set([18, 23]);

const NOT_SENT: Readonly<Record<Extract<PushResult, { kind: 'not_sent' }>['reason'], { code: string; message: string; nextStep: string }>> = {
  connection_lost: {
    code: 'server_error',
    message: 'Nothing was sent: there is no connection to Yandex Messenger.',
    nextStep: 'Try again with a new draft when the connection is back (session_status tells).',
  },
  timeout: { code: 'timeout', message: 'Nothing was sent: the time ran out before the connection was ready.', nextStep: 'Try again in a while.' },
  cancelled: { code: 'cancelled', message: 'Nothing was sent: the call was cancelled.', nextStep: 'Call again if it is still wanted.' },
  rate_limited: { code: 'rate_limited', message: 'Nothing was sent: Yandex Messenger asks to wait.', nextStep: 'Try again later.' },
  not_signed_in: {
    code: 'not_signed_in',
    message: 'Nothing was sent: nobody is signed in.',
    nextStep: 'Ask the person to sign in in the Vestnik window, then try again.',
  },
};

/** What some statuses mean to a person; the others only have a name (protocol §3). */
const MEANINGS: Readonly<Record<number, string>> = {
  4: 'there is no such chat',
  7: 'the person is not in this chat',
  11: 'there is no such message',
  15: 'the person may not do this here',
  19: 'the person is banned',
  20: 'the person is on a blacklist',
  21: 'not found',
  22: 'it was taken for spam',
  24: "the other person's privacy settings forbid it",
};

const NEXT_STEPS: Readonly<Record<number, string>> = {
  11: 'Read the chat again: the message may have been deleted.',
  15: 'Do not repeat it: for this the person lacks the right. Only own messages can be edited or deleted.',
  22: 'Do not repeat it; tell the person.',
};

function meaningOf(status: number): string {
  const meaning = MEANINGS[status];
  return meaning === undefined ? '' : ` (${meaning})`;
}

function waitWords(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? 'Wait a minute, then try again.' : `Wait ${Math.ceil(retryAfterMs / 1000)} s, then try again.`;
}
