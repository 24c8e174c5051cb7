import type { JsonObject, PushResult } from './api.ts';
import { isJsonObject, objectAt } from './json.ts';
import { mcsToString } from './numbers.ts';

/** Names and meanings of the three error layers (protocol §3, L). They overlap in numbers and are never mixed. */

const PROXY_STATUS_NAMES: readonly string[] = [
  'SUCCESS',
  'PROTOCOL_ERROR',
  'BACKEND_CALL_ERROR',
  'INTERNAL_ERROR',
  'CORRUPTED_DATA_HEADER',
  'BACKEND_NOT_FOUND',
  'SERVICE_UNAVAILABLE',
  'TOO_MANY_REQUESTS',
  'FRAME_TOO_LARGE',
];

const READ_STATUS_NAMES: readonly string[] = ['SUCCESS', 'INTERNAL_ERROR', 'ACCESS_DENIED', 'MISCONFIGURATION', 'ENTITY_NOT_FOUND', 'OVERLOAD', 'UNAUTHORIZED'];

const PUSH_STATUS_NAMES: readonly string[] = [
  'UNCOMMITTED',
  'FULLY_COMMITTED',
  'UNIPROXY_COMMITTED',
  'FAILED',
  'NO_SUCH_CHAT',
  'NOT_LEADING',
  'FOREIGN_PARTITION',
  'SENDER_NOT_IN_CHAT',
  'DUPLICATE',
  'POSTPROC_COMMITTED',
  'KIKIMR_WRITE_FAILED',
  'MESSAGE_NOT_FOUND',
  'DEQUEUED_AFTER_ERROR',
  'BAD_REQUEST',
  'FILESHARE_FAILED',
  'NO_PERMISSION',
  'CONFLICT',
  'NO_SUCH_USER',
  'THROTTLED',
  'BANNED',
  'BLACKLISTED',
  'NOT_FOUND',
  'SPAM_DETECTED',
  'RATE_LIMIT_EXCEEDED',
  'BLOCKED_BY_PRIVACY_SETTINGS',
  'PUSH_UNAUTHORIZED',
];

const nameIn = (names: readonly string[], status: number): string => names[status] ?? `UNKNOWN_${status}`;

export const proxyStatusName = (status: number): string => nameIn(PROXY_STATUS_NAMES, status);
export const readStatusName = (status: number): string => nameIn(READ_STATUS_NAMES, status);
export const pushStatusName = (status: number): string => nameIn(PUSH_STATUS_NAMES, status);

export const PROXY_SUCCESS = 0;
const PROXY_TOO_MANY_REQUESTS = 7;
const RETRYABLE_PROXY_STATUSES: ReadonlySet<number> = new Set([3, 5, 6, 7]);
const RETRYABLE_READ_STATUSES: ReadonlySet<number> = new Set([1, 5]);
/** The request was refused before a backend could commit it: malformed, unroutable or too large. 3, 6 and 7 may hide a write. */
const PROXY_STATUSES_BEFORE_COMMIT: ReadonlySet<number> = new Set([1, 2, 4, 5, 8]);

const FULLY_COMMITTED = 1;
const DUPLICATE = 8;
const WAITING_PUSH_STATUSES: ReadonlySet<number> = new Set([18, 23]);

const DEFAULT_WAIT_MS = 1000; // without a value the protocol page takes a second
const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000; // the unit of WaitFor is unknown, so neither end of the range is trusted

/** Whether a read may be sent again after this status of layer 1 or 2 (protocol §3). */
export function mayRetryRead(layer: 'proxy' | 'read', status: number): boolean {
  return (layer === 'proxy' ? RETRYABLE_PROXY_STATUSES : RETRYABLE_READ_STATUSES).has(status);
}

/** Layer 2 of a read response: 0 for success or an absent `Status`, undefined when `Status` is present and no number. */
export function readStatusOf(body: JsonObject): number | undefined {
  const status = body['Status'];
  if (status === undefined || status === null) return 0;
  return typeof status === 'number' ? status : undefined;
}

/** What a layer-1 status means for a push, and the wait it asks for in milliseconds. */
export function classifyPushProxyStatus(status: number): { result: PushResult; waitMs: number | undefined } {
  const waitMs = status === PROXY_TOO_MANY_REQUESTS ? DEFAULT_WAIT_MS : undefined;
  if (PROXY_STATUSES_BEFORE_COMMIT.has(status)) {
    return { result: { kind: 'rejected', proxyStatus: status, proxyStatusName: proxyStatusName(status) }, waitMs };
  }
  return { result: { kind: 'unknown', reason: 'proxy_status' }, waitMs };
}

/** The raw value of a `WaitFor` and what it is taken for, 1–60 s in milliseconds. */
export interface WaitRequest {
  readonly waitMs: number;
  readonly rawWaitFor: string;
}

/** Reads `RateLimit.WaitFor`, which may come with a success too; undefined when there is no `RateLimit`. */
export function waitRequestOf(body: JsonObject): WaitRequest | undefined {
  const rateLimit = body['RateLimit'];
  if (!isJsonObject(rateLimit)) return undefined;
  const raw = rateLimit['WaitFor'];
  const value = typeof raw === 'number' ? raw : typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : Number.NaN;
  return { waitMs: clampWaitMs(value), rawWaitFor: typeof raw === 'number' || typeof raw === 'string' ? String(raw).slice(0, 32) : typeof raw };
}

/** Clamps a wait to 1–60 s; anything that is no number becomes 1 s. */
export function clampWaitMs(value: number): number {
  if (Number.isNaN(value)) return DEFAULT_WAIT_MS;
  return Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, value));
}

/**
 * Layer 3: what a push response came to. Success is FULLY_COMMITTED or DUPLICATE; without a numeric `Status` nothing is confirmed.
 * `wait` is set by `RateLimit` and by the statuses 18 and 23.
 */
export function classifyPushResponse(body: JsonObject): { result: PushResult; wait: WaitRequest | undefined } {
  const requested = waitRequestOf(body);
  const status = body['Status'];
  if (typeof status !== 'number' || !Number.isInteger(status)) return { result: { kind: 'unknown', reason: 'no_status' }, wait: requested };

  const statusName = pushStatusName(status);
  if (status === FULLY_COMMITTED || status === DUPLICATE) {
    const result: PushResult = { kind: 'committed', status, statusName, isDuplicate: status === DUPLICATE, messageInfo: messageInfoOf(body) };
    return { result, wait: requested };
  }
  const wait = requested ?? (WAITING_PUSH_STATUSES.has(status) ? { waitMs: DEFAULT_WAIT_MS, rawWaitFor: 'none' } : undefined);
  return { result: { kind: 'refused', status, statusName, retryAfterMs: wait?.waitMs }, wait };
}

type MessageInfo = NonNullable<Extract<PushResult, { kind: 'committed' }>['messageInfo']>;

function messageInfoOf(body: JsonObject): MessageInfo | undefined {
  const info = objectAt(body, 'MessageInfo');
  const timestampMcs = mcsToString(info?.['TimestampMcs']);
  if (!info || timestampMcs === undefined) return undefined;
  const prevTimestampMcs = mcsToString(info['PrevTimestampMcs']);
  const seqNo = info['SeqNo'];
  const version = info['Version'];
  return {
    timestampMcs,
    ...(prevTimestampMcs !== undefined && { prevTimestampMcs }),
    ...(typeof seqNo === 'number' && { seqNo }),
    ...(typeof version === 'number' && { version }),
  };
}

/** Why a socket ended, as far as it decides what to do next. */
export type CloseMeaning = 'cookie_rejected' | 'invalid_argument' | 'lost';

const COOKIE_REJECTED_REASONS = ['cookie auth failed', 'no credentials', 'bad sign'];
const CLOSE_UNAUTHORIZED = 4401; // the HTTP status in xiva's private range (I); the reason text is what is proven
const CLOSE_INVALID_ARGUMENT = 4400;

/** What a close code and reason say (protocol §2 and §3, L/B). Anything else is an ordinary loss. */
export function closeMeaning(code: number, reason: string): CloseMeaning {
  if (saysCookieRejected(reason) || code === CLOSE_UNAUTHORIZED) return 'cookie_rejected';
  return code === CLOSE_INVALID_ARGUMENT ? 'invalid_argument' : 'lost';
}

/** True for a text that contains one of the server's ways to reject cookies. */
export function saysCookieRejected(text: string): boolean {
  const lower = text.toLowerCase();
  return COOKIE_REJECTED_REASONS.some((reason) => lower.includes(reason));
}

/** HTTP statuses that reject the cookies at the socket's handshake (protocol §2). */
export function isHandshakeRejection(httpStatus: number): boolean {
  return httpStatus === 401 || httpStatus === 403;
}
