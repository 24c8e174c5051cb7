/**
 * What the wire needs from outside. `main` supplies these from Electron, `tests/core` from plain Node.
 * Nothing here knows which.
 */

/** Time, passed in so that a test can hold it still. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Cookies as the socket handshake and the pushes need them. HTTP never sees them: see {@link HttpRequest.withSession}. */
export interface SessionCookies {
  /** Value of the `Cookie` request header. Secret: never logged. */
  readonly header: string;
  /** The `yandexuid` cookie, which pushes carry in `LogData` (protocol §2, §6, L). */
  readonly yandexuid: string | undefined;
}

/** Where the session comes from: a login window's partition, or a cookie given on the command line. */
export interface SessionSource {
  /** The cookies now, or undefined when there are none at all. A cookie's presence proves nothing (protocol §2, L). */
  cookies(): Promise<SessionCookies | undefined>;
  /**
   * Tries to renew rejected cookies without a person (protocol §2: load the page again in the same profile).
   * Resolves true when the session is worth another try, false when a person has to sign in. Bounded to about 30 s
   * by the source; concurrent callers share one refresh.
   */
  refresh(): Promise<boolean>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Length of a streamed body in bytes. */
  readonly contentLength?: number;
  /** Whether the session's cookies go along. The port adds them; a redirect to another host is a new request without them. */
  readonly withSession: boolean;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Streams the body; must be read to the end or returned early, which aborts the transfer. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** One HTTP exchange. Redirects are never followed by the port: a 302 is returned as it is. Rejects on network failure. */
export type HttpFetch = (request: HttpRequest) => Promise<HttpResponse>;

/** What the wire uses of a WebSocket; `ws` fits as it is. Listeners are attached synchronously after creation (protocol §3, L). */
export interface SocketLike {
  readonly readyState: number;
  send(data: Uint8Array, callback?: (error?: Error | null) => void): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on(event: 'open', listener: () => void): unknown;
  on(event: 'message', listener: (data: Buffer | ArrayBuffer | Buffer[], isBinary: boolean) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'unexpected-response', listener: (request: unknown, response: { statusCode?: number; resume?: () => void }) => void): unknown;
}

/** Opens a socket. Async, because a proxy has to be resolved first in `main`. The socket is returned before it is open. */
export type SocketFactory = (url: string, headers: Readonly<Record<string, string>>) => Promise<SocketLike>;

/** A log without secrets: `fields` hold codes, counts and durations, never text, names, cookies or tokens. */
export interface Log {
  debug(event: string, fields?: Readonly<Record<string, string | number | boolean | null | undefined>>): void;
  info(event: string, fields?: Readonly<Record<string, string | number | boolean | null | undefined>>): void;
  warn(event: string, fields?: Readonly<Record<string, string | number | boolean | null | undefined>>): void;
  error(event: string, fields?: Readonly<Record<string, string | number | boolean | null | undefined>>): void;
}
