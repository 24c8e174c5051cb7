/** The wire's errors: classes with a stable `code`. They are put into words elsewhere, once per audience. */

export abstract class WireError extends Error {
  abstract readonly code: string;
}

/** No session, or one that Yandex rejects and that a refresh did not renew (protocol §2). */
export class NotSignedInError extends WireError {
  readonly code = 'not_signed_in';
  constructor(message = 'no valid session') {
    super(message);
  }
}

/** Yandex rejected the cookies just now; the caller may refresh once and repeat a read. */
export class CookieRejectedError extends WireError {
  readonly code = 'cookie_rejected';
  constructor(readonly where: 'handshake' | 'socket' | 'registry' | 'files') {
    super(`cookies rejected at the ${where}`);
  }
}

/** Layer 1 (protocol §3): the proxy's transport error for one request. */
export class ProxyStatusError extends WireError {
  readonly code = 'proxy_status';
  constructor(
    readonly status: number,
    readonly statusName: string,
    readonly method: string,
  ) {
    super(`${method}: proxy status ${status} ${statusName}`);
  }
}

/** Layer 2 (protocol §3): the `Status` of a read response. */
export class ReadStatusError extends WireError {
  readonly code = 'read_status';
  constructor(
    readonly status: number,
    readonly statusName: string,
    readonly method: string,
  ) {
    super(`${method}: status ${status} ${statusName}`);
  }
}

/** The registry answered `status:"error"`, or an HTTP status that is not a cookie rejection (protocol §5). */
export class RegistryError extends WireError {
  readonly code = 'registry';
  constructor(
    readonly method: string,
    readonly registryCode: string,
    readonly httpStatus: number,
  ) {
    super(`${method}: registry ${registryCode} (HTTP ${httpStatus})`);
  }
}

/** The connection went away. `wasSent` tells whether the request may have reached the server. */
export class ConnectionLostError extends WireError {
  readonly code = 'connection_lost';
  constructor(
    readonly wasSent: boolean,
    message = 'connection lost',
  ) {
    super(message);
  }
}

/** An answer that does not have the shape the protocol page gives it. */
export class UnexpectedAnswerError extends WireError {
  readonly code = 'unexpected_answer';
  constructor(readonly what: string) {
    super(`unexpected answer: ${what}`);
  }
}

/** The server asked to wait (protocol §3, `RateLimit.WaitFor`, statuses 18 and 23, HTTP 429). */
export class RateLimitedError extends WireError {
  readonly code = 'rate_limited';
  constructor(readonly retryAfterMs: number) {
    super(`rate limited for ${retryAfterMs} ms`);
  }
}

/** The call's own budget ran out. `wasSent`: a write may or may not have been applied. */
export class TimeoutError extends WireError {
  readonly code = 'timeout';
  constructor(readonly wasSent = false) {
    super('the call ran out of time');
  }
}

/** The client cancelled the call. `wasSent` as in {@link TimeoutError}. */
export class CancelledError extends WireError {
  readonly code = 'cancelled';
  constructor(readonly wasSent = false) {
    super('the call was cancelled');
  }
}

/** A file transfer that Yandex refused (protocol §6: 507 or 403 is quota, 413 is size; B, the 403 seen live). */
export class UploadError extends WireError {
  constructor(
    readonly code: 'upload_quota' | 'upload_too_large' | 'upload_failed',
    readonly httpStatus: number,
  ) {
    super(`${code} (HTTP ${httpStatus})`);
  }
}

/** A download that Yandex refused or that does not exist. */
export class DownloadError extends WireError {
  constructor(
    readonly code: 'file_missing' | 'download_failed',
    readonly httpStatus: number,
  ) {
    super(`${code} (HTTP ${httpStatus})`);
  }
}

/** What calls get on a wire that was closed for good. */
export const closedError = (): ConnectionLostError => new ConnectionLostError(false, 'closed');

/** The stable code of anything thrown, for the log. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : 'unexpected';
}
