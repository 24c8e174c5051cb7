/**
 * The wire's public face, as the messenger sees it. The classes in this folder implement it.
 * Bodies are untyped JSON here: the wire moves them, `app/messenger` reads them.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface CallOptions {
  /** One budget for the whole tool call; aborting stops waiting and starts no further request. Its `reason` is a TimeoutError or CancelledError. */
  readonly signal: AbortSignal;
}

/** Who is signed in, as `request_user` proves it (protocol §2, L). */
export interface Identity {
  readonly guid: string;
  readonly uid: string;
  readonly displayName: string | undefined;
}

/** What a push came to. The transport never repeats one, so `unknown` is a real answer (protocol §3, §6). */
export type PushResult =
  | {
      readonly kind: 'committed';
      /** 1 FULLY_COMMITTED or 8 DUPLICATE: the two successes (protocol §3, L). */
      readonly status: number;
      readonly statusName: string;
      readonly isDuplicate: boolean;
      readonly messageInfo:
        { readonly timestampMcs: string; readonly prevTimestampMcs?: string; readonly seqNo?: number; readonly version?: number } | undefined;
    }
  /** A numeric status that is not a success: the server says it did not write. `retryAfterMs` for 18, 23 and RateLimit. */
  | { readonly kind: 'refused'; readonly status: number; readonly statusName: string; readonly retryAfterMs: number | undefined }
  /** Layer 1 refused the request before a backend committed it (statuses 1, 2, 4, 5, 8 are certain; others are `unknown`). */
  | { readonly kind: 'rejected'; readonly proxyStatus: number; readonly proxyStatusName: string }
  /** Nothing reached the socket: certain not to have been written. */
  | {
      readonly kind: 'not_sent';
      readonly reason: 'connection_lost' | 'timeout' | 'cancelled' | 'rate_limited' | 'not_signed_in';
      readonly retryAfterMs?: number;
    }
  /** It left the machine and no answer with a numeric status came: it may or may not have been written. */
  | { readonly kind: 'unknown'; readonly reason: 'connection_lost' | 'timeout' | 'cancelled' | 'no_status' | 'proxy_status' };

/** A live event (protocol §7, B): the flat body of a PUSH frame. Anything undecodable is dropped before it gets here. */
export interface LiveEvent {
  readonly body: JsonObject;
  readonly transitId: string | undefined;
}

export type ConnectionState = 'signed_out' | 'signing_in' | 'online' | 'reconnecting' | 'offline';

export interface Wire {
  /** `offline` before the first connection, after `suspend()` and while nothing asked for one. */
  readonly state: ConnectionState;
  /** The proven identity, kept while reconnecting; undefined when signed out. */
  readonly identity: Identity | undefined;
  /** Proves the sign-in (if not yet proven) and opens the socket. Fails at once with NotSignedInError when there is no session. */
  connect(options: CallOptions): Promise<Identity>;
  /** One read over the socket, retried with backoff where the protocol allows it (§3). Throws WireErrors. */
  read(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject>;
  /** One registry call (§5). `isMutation` adds the CSRF token; a mutation is repeated only where it was certainly refused: `bad_csrf_token`, rejected cookies. Resolves with `data`. */
  registry(method: string, params: JsonObject, options: CallOptions & { readonly isMutation?: boolean }): Promise<Json>;
  /** One push (§6): `variant` is what goes into ClientMessage beside LogData. Serialised, paced by the server's wait, never repeated, never throws for an outcome. */
  push(variant: JsonObject, options: CallOptions): Promise<PushResult>;
  /** Uploads a file in three steps (§6, B) and resolves with `FileInfo.Id2`. */
  upload(file: UploadFile, options: CallOptions & { readonly onProgress?: (sentBytes: number) => void }): Promise<{ fileId: string }>;
  /** Streams an attachment (§6, L). Redirects are followed, without the session's cookies on another host. */
  download(file: { fileId: string; size?: 'SMALL' | 'SMALL48' | 'MIDDLE2048' | 'ORIGINAL' }, options: CallOptions): Promise<DownloadStream>;
  onEvent(listener: (event: LiveEvent) => void): () => void;
  onState(listener: (state: ConnectionState) => void): () => void;
  /** The computer sleeps: close quietly. */
  suspend(): void;
  /** It woke up: reconnect. */
  resume(): void;
  /** The session changed from outside (signed in, signed out): forget the identity and start over. */
  sessionChanged(): void;
  /** Ends everything for good; pending reads fail, pushes in flight end as `unknown`. */
  close(): Promise<void>;
}

export interface UploadFile {
  readonly chatId: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Opens the bytes; called once, after Yandex gave an address. */
  open(): AsyncIterable<Uint8Array>;
}

export interface DownloadStream {
  readonly contentType: string | undefined;
  readonly contentLength: number | undefined;
  /** File name from Content-Disposition (RFC 5987), raw: not yet safe for a disk. */
  readonly suggestedName: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}
