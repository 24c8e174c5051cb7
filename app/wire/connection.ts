import type { JsonObject, LiveEvent } from './api.ts';
import { deferred, withDeadline } from './abort.ts';
import { decodeFrame, encodeRequest, FrameError, parsePayload, type Frame } from './codec.ts';
import { ConnectionLostError, CookieRejectedError, UnexpectedAnswerError, type WireError } from './errors.ts';
import { isJsonObject, parseJson, stringAt } from './json.ts';
import { PendingRequests, type Answer } from './pending-requests.ts';
import { PingDeadline } from './ping-deadline.ts';
import type { Clock, Log, SessionCookies, SocketFactory, SocketLike } from './ports.ts';
import type { Protocol } from './protocol.ts';
import { newRequestId, newSocketSessionId } from './request-id.ts';
import { socketUrl } from './socket-url.ts';
import { closeMeaning, isHandshakeRejection, saysCookieRejected } from './status.ts';

const SOCKET_OPEN = 1; // WebSocket.OPEN
const READY_WITHIN_MS = 15_000; // from the first byte to `subscribed`; ours
const CLOSE_HANDSHAKE_MS = 1000; // how long a polite close may take; ours

/** Why a connection ended. `cookie_rejected` needs a new session, everything else just a new connection. */
export type ConnectionEnd = 'cookie_rejected' | 'invalid_argument' | 'lost' | 'closed_by_us';

export interface ConnectionDeps {
  readonly protocol: Protocol;
  readonly socketFactory: SocketFactory;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent: (event: LiveEvent) => void;
}

/**
 * One socket connection: from the handshake to its end, never reused. Frames that cannot be decoded are logged and dropped.
 */
export class Connection {
  /** Resolves with the reason when the socket has ended; never rejects. */
  readonly ended: Promise<ConnectionEnd>;

  private readonly endedHandle = deferred<ConnectionEnd>();
  private readonly readyHandle = deferred<void>();
  private readonly pending: PendingRequests;
  private readonly pingDeadline: PingDeadline;
  private readonly cancelReadyTimer: () => void;
  private lastSeq = 0;
  private currentSubscriptionId: string | undefined;
  private end: ConnectionEnd | undefined;

  /**
   * Opens a socket and waits for `subscribed` (protocol §3, L).
   * @throws CookieRejectedError when the handshake or the first operations reject the cookies, ConnectionLostError for all else.
   */
  static async open(deps: ConnectionDeps, cookies: SessionCookies, uid: string, signal: AbortSignal): Promise<Connection> {
    const url = socketUrl(deps.protocol, newSocketSessionId(), uid);
    // No await between the socket's creation and its listeners: `subscribed` comes right behind the upgrade.
    const created = deps.socketFactory(url, { Cookie: cookies.header, Origin: deps.protocol.origin }).then(
      (socket) => new Connection(deps, socket, cookies.yandexuid),
      () => Promise.reject(new ConnectionLostError(false, 'the socket could not be created')),
    );
    let connection: Connection;
    try {
      connection = await withDeadline(deps.clock, READY_WITHIN_MS, signal, () => created);
    } catch (error) {
      created.then(
        (late) => late.close(),
        () => undefined,
      );
      throw error instanceof ConnectionLostError ? error : new ConnectionLostError(false);
    }
    const abandon = () => connection.close();
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    try {
      await connection.readyHandle.promise;
      return connection;
    } finally {
      signal.removeEventListener('abort', abandon);
    }
  }

  private constructor(
    private readonly deps: ConnectionDeps,
    private readonly socket: SocketLike,
    /** The `yandexuid` cookie this connection was opened with. */
    readonly yandexuid: string | undefined,
  ) {
    this.ended = this.endedHandle.promise;
    this.pending = new PendingRequests(deps.clock, deps.log);
    this.pingDeadline = new PingDeadline(deps.clock, () => this.fail('wire.ping_missed'));
    this.cancelReadyTimer = deps.clock.after(READY_WITHIN_MS, () => this.fail('wire.subscribed_missed'));

    socket.on('open', () => {
      if (!this.end) this.pingDeadline.start();
    });
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('error', (error) => {
      deps.log.debug('wire.socket_error', { code: (error as NodeJS.ErrnoException).code });
      this.finish('lost');
    });
    socket.on('close', (code, reason) => {
      const text = reason.toString();
      deps.log.debug('wire.socket_closed', { code });
      this.finish(closeMeaning(code, text));
    });
    socket.on('unexpected-response', (_request, response) => {
      const status = response.statusCode ?? 0;
      deps.log.debug('wire.handshake_refused', { status });
      response.resume?.();
      this.finish(isHandshakeRejection(status) ? 'cookie_rejected' : 'lost');
    });
  }

  /** The id every push of this connection carries; undefined once the connection may not be used any more. */
  get subscriptionId(): string | undefined {
    return this.isUsable ? this.currentSubscriptionId : undefined;
  }

  /** Whether a request could leave right now. */
  get isUsable(): boolean {
    return this.end === undefined && this.currentSubscriptionId !== undefined && this.socket.readyState === SOCKET_OPEN;
  }

  /**
   * Sends one request. `RequestId` is added. The answer promise never rejects and is settled at the latest when the connection ends.
   * Returns undefined when the connection cannot be used: then nothing was sent.
   */
  request(method: string, params: JsonObject): { answer: Promise<Answer> } | undefined {
    if (!this.isUsable) return undefined;
    const requestId = newRequestId();
    const frame = encodeRequest(this.lastSeq + 1, method, { RequestId: requestId, ...params });
    const seq = ++this.lastSeq;
    const answer = this.pending.add(seq, requestId, method);
    try {
      this.socket.send(frame, (error) => {
        if (error) this.fail('wire.send_failed');
      });
    } catch {
      this.fail('wire.send_failed');
    }
    return { answer };
  }

  /** Whether the server answered anything on it: the cookies were good for that. */
  get hasAnswered(): boolean {
    return this.pending.hasAnswered;
  }

  /** Ends the connection from our side; requests without an answer are lost. */
  close(): void {
    this.finish('closed_by_us');
  }

  private receive(data: Buffer | ArrayBuffer | Buffer[], isBinary: boolean): void {
    if (this.end) return;
    const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data;
    if (isBinary) this.receiveFrame(bytes);
    else this.receiveOperation(Buffer.from(bytes).toString('utf8'));
  }

  private receiveFrame(bytes: Uint8Array): void {
    let frame: Frame;
    try {
      frame = decodeFrame(bytes);
    } catch (error) {
      this.deps.log.warn('wire.frame_dropped', { bytes: bytes.length, reason: error instanceof FrameError ? error.reason : 'unknown' });
      return;
    }
    if (frame.type === 'data') this.pending.response(frame.seq, frame.payload);
    else if (frame.type === 'proxy_status') this.pending.proxyStatus(frame.seq, frame.status);
    else this.receiveEvent(frame);
  }

  private receiveEvent(frame: Extract<Frame, { type: 'push' }>): void {
    const body = parsePayload(frame.payload);
    if (!body) {
      this.deps.log.warn('wire.event_dropped', { bytes: frame.payload.length });
      return;
    }
    this.deps.onEvent({ body, transitId: frame.transitId });
  }

  private receiveOperation(text: string): void {
    const message = parseJson(text);
    const operation = stringAt(message, 'operation');
    if (!isJsonObject(message) || operation === undefined) {
      this.deps.log.warn('wire.operation_dropped', { length: text.length });
      return;
    }
    switch (operation) {
      case 'subscribed':
        this.subscribed(stringAt(message, 'subscription-id'));
        return;
      case 'ping':
        this.pingDeadline.ping(message['server-interval-sec']);
        return;
      case 'unsubscribe':
        this.rejectCookies();
        return;
      case 'xivaws-error':
        this.deps.log.warn('wire.server_error', { length: text.length });
        if (saysCookieRejected(text)) this.rejectCookies();
        return;
      default:
        this.deps.log.debug('wire.operation_unknown');
    }
  }

  private subscribed(subscriptionId: string | undefined): void {
    if (subscriptionId === undefined) {
      this.deps.log.warn('wire.subscribed_without_id');
      return;
    }
    this.currentSubscriptionId = subscriptionId;
    this.cancelReadyTimer();
    this.readyHandle.resolve();
  }

  private rejectCookies(): void {
    this.finish('cookie_rejected');
  }

  private fail(event: string): void {
    if (this.end) return;
    this.deps.log.info(event);
    this.finish('lost');
  }

  private finish(reason: ConnectionEnd): void {
    if (this.end) return;
    const wasHandshake = this.currentSubscriptionId === undefined;
    this.end = reason;
    this.pingDeadline.stop();
    this.cancelReadyTimer();
    this.closeSocket(reason);
    this.pending.loseAll();
    this.readyHandle.promise.catch(() => undefined); // nobody waits for it once the connection was ready
    this.readyHandle.reject(openingError(reason, wasHandshake));
    this.endedHandle.resolve(reason);
  }

  private closeSocket(reason: ConnectionEnd): void {
    const { socket } = this;
    if (reason !== 'closed_by_us' || socket.readyState !== SOCKET_OPEN) {
      socket.terminate();
      return;
    }
    const cancel = this.deps.clock.after(CLOSE_HANDSHAKE_MS, () => socket.terminate());
    socket.on('close', cancel);
    socket.close(1000);
  }
}

/** Why a connection did not open. A refused query is a matter of configuration, which no waiting mends. */
function openingError(reason: ConnectionEnd, wasHandshake: boolean): WireError {
  if (reason === 'cookie_rejected') return new CookieRejectedError(wasHandshake ? 'handshake' : 'socket');
  return reason === 'invalid_argument' ? new UnexpectedAnswerError("the socket's query was refused") : new ConnectionLostError(false);
}
