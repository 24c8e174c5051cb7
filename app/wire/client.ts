import type { CallOptions, ConnectionState, DownloadStream, Identity, Json, JsonObject, LiveEvent, PushResult, UploadFile, Wire } from './api.ts';
import { throwIfAborted, untilAborted } from './abort.ts';
import type { Connection } from './connection.ts';
import {
  ConnectionLostError,
  CookieRejectedError,
  NotSignedInError,
  ProxyStatusError,
  RateLimitedError,
  ReadStatusError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import { connectionState } from './connection-state.ts';
import { downloadFile, uploadFile, type DownloadRequest } from './files.ts';
import type { Clock, HttpFetch, Log, SessionSource, SocketFactory } from './ports.ts';
import type { Protocol } from './protocol.ts';
import { PushQueue } from './push-queue.ts';
import { RegistryClient } from './registry.ts';
import { isTransient, retryDelayMs } from './retry.ts';
import { SignIn } from './sign-in.ts';
import { closedError, SocketClient } from './socket-client.ts';
import { mayRetryRead, proxyStatusName, readStatusName, readStatusOf } from './status.ts';

/** Attempts at one read that reached the server and came back with something worth another try; about 6 s of pauses. */
const MAX_READ_ATTEMPTS = 6;
/** The same for one HTTP read. */
const MAX_HTTP_ATTEMPTS = 4;
/** A call that arrives this long after the computer fell asleep proves that it woke up, whether or not anybody said so. */
const RESUME_UNASKED_AFTER_MS = 5000;

export interface WireDeps {
  readonly protocol: Protocol;
  readonly session: SessionSource;
  readonly http: HttpFetch;
  readonly socketFactory: SocketFactory;
  readonly clock: Clock;
  readonly log: Log;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

/** The wire client (protocol §2, §3, §5, §6). Does nothing until the first call. */
export function createWire(deps: WireDeps): Wire {
  return new WireClient(deps);
}

/** One call's view: the account it is for, and whether rejected cookies were already renewed for it. */
interface Call {
  readonly signal: AbortSignal;
  guid: string | undefined;
  hasRenewed: boolean;
}

class WireClient implements Wire {
  private readonly registryClient: RegistryClient;
  private readonly signIn: SignIn;
  private readonly socket: SocketClient;
  private readonly pushes: PushQueue;
  private readonly random: () => number;
  private readonly eventListeners = new Set<(event: LiveEvent) => void>();
  private readonly stateListeners = new Set<(state: ConnectionState) => void>();
  private publishedState: ConnectionState = 'offline';
  private suspendedAtMs: number | undefined;
  private isClosed = false;

  constructor(private readonly deps: WireDeps) {
    this.random = deps.random ?? Math.random;
    const onChange = () => this.publishState();
    this.registryClient = new RegistryClient(deps);
    this.signIn = new SignIn({
      ...deps,
      registry: this.registryClient,
      onChange: () => this.signInChanged(),
      onSignedOut: () => this.socket.stop(new NotSignedInError()),
    });
    this.socket = new SocketClient({ ...deps, random: this.random, signIn: this.signIn, onEvent: (event) => this.emitEvent(event), onChange });
    this.pushes = new PushQueue({ ...deps, signIn: this.signIn });
  }

  get state(): ConnectionState {
    return connectionState({
      isClosed: this.isClosed,
      isSignedOut: this.signIn.isSignedOut,
      isAsking: this.signIn.isBusy,
      isProven: this.signIn.identity !== undefined,
      isOnline: this.socket.isOnline,
      isConnecting: this.socket.isConnecting,
      hasBeenOnline: this.socket.hasBeenOnline,
    });
  }

  get identity(): Identity | undefined {
    return this.signIn.identity;
  }

  async connect({ signal }: CallOptions): Promise<Identity> {
    const call = this.begin(signal);
    await this.acquire(call);
    return this.signIn.prove(signal);
  }

  async read(method: string, params: JsonObject, { signal }: CallOptions): Promise<JsonObject> {
    const call = this.begin(signal);
    for (let attempt = 1; ; attempt++) {
      throwIfAborted(signal);
      const connection = await this.acquire(call);
      const sent = connection.request(method, params);
      if (!sent) {
        attempt--; // it never left
        continue;
      }
      const answer = await untilAborted(sent.answer, signal);
      let failure: Error;
      if (answer.kind === 'response') {
        const status = readStatusOf(answer.body);
        if (status === 0) return answer.body;
        if (status === undefined) throw new UnexpectedAnswerError(`${method}: Status is no number`);
        failure = new ReadStatusError(status, readStatusName(status), method);
        if (!mayRetryRead('read', status)) throw failure;
      } else if (answer.kind === 'proxy_status') {
        failure = new ProxyStatusError(answer.status, proxyStatusName(answer.status), method);
        if (!mayRetryRead('proxy', answer.status)) throw failure;
      } else if (answer.kind === 'lost') {
        if (this.isClosed) throw closedError();
        failure = new ConnectionLostError(true);
      } else {
        failure = new UnexpectedAnswerError(`${method}: unreadable answer`);
        if (attempt > 1) throw failure;
      }
      if (attempt >= MAX_READ_ATTEMPTS) throw failure;
      this.deps.log.debug('wire.read_retry', { method, attempt });
      // The reconnect has its own pause.
      if (answer.kind !== 'lost') await this.pause(failure, attempt - 1, signal);
    }
  }

  async registry(method: string, params: JsonObject, { signal, isMutation = false }: CallOptions & { readonly isMutation?: boolean }): Promise<Json> {
    const call = this.begin(signal);
    return this.overHttp(call, !isMutation, () => this.registryClient.call(method, params, { signal, withCsrf: isMutation, isWrite: isMutation }));
  }

  async push(variant: JsonObject, { signal }: CallOptions): Promise<PushResult> {
    if (this.isClosed) return { kind: 'not_sent', reason: 'connection_lost' };
    const call = this.begin(signal);
    return this.pushes.push(variant, signal, () => this.acquire(call));
  }

  async upload(file: UploadFile, options: CallOptions & { readonly onProgress?: (sentBytes: number) => void }): Promise<{ fileId: string }> {
    const { signal } = options;
    const call = this.begin(signal);
    const registry = (method: string, params: JsonObject) =>
      this.overHttp(call, false, () => this.registryClient.call(method, params, { signal, withCsrf: true }));
    try {
      return await uploadFile({ ...this.deps, registry }, file, signal, options.onProgress);
    } catch (error) {
      if (!(error instanceof CookieRejectedError)) throw error;
      // The bytes can be opened only once, so this upload is over; the next one finds the session renewed or gone.
      await this.signIn.renew(this.signIn.epoch, signal);
      throw new ConnectionLostError(false, 'upload interrupted');
    }
  }

  async download(file: DownloadRequest, { signal }: CallOptions): Promise<DownloadStream> {
    const call = this.begin(signal);
    return this.overHttp(call, true, () => downloadFile(this.deps, file, signal));
  }

  onEvent(listener: (event: LiveEvent) => void): () => void {
    this.eventListeners.add(listener);
    return () => this.eventListeners.delete(listener);
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    this.stateListeners.add(listener);
    return () => this.stateListeners.delete(listener);
  }

  suspend(): void {
    this.suspendedAtMs = this.deps.clock.now();
    this.socket.suspend();
  }

  resume(): void {
    this.suspendedAtMs = undefined;
    if (!this.isClosed) this.socket.resume();
  }

  sessionChanged(): void {
    if (this.isClosed) return;
    this.signIn.reset();
    this.socket.restart();
    void this.startOver();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.signIn.close();
    this.socket.stop(closedError());
    this.publishState();
    this.eventListeners.clear();
    this.stateListeners.clear();
  }

  private begin(signal: AbortSignal): Call {
    if (this.isClosed) throw closedError();
    throwIfAborted(signal);
    if (this.suspendedAtMs !== undefined && this.deps.clock.now() - this.suspendedAtMs >= RESUME_UNASKED_AFTER_MS) this.resume();
    return { signal, guid: this.signIn.identity?.guid, hasRenewed: false };
  }

  /** A usable connection of the call's account. */
  private async acquire(call: Call): Promise<Connection> {
    for (;;) {
      if (this.isClosed) throw closedError();
      const connection = await this.socket.acquire(call.signal);
      if (!this.signIn.identity) continue; // the session changed in between
      this.holdAccount(call, this.signIn.identity);
      return connection;
    }
  }

  /** A call never goes on under another account than it began with. */
  private holdAccount(call: Call, identity: Identity): void {
    if (call.guid !== undefined && call.guid !== identity.guid) throw new NotSignedInError('another account is signed in now');
    call.guid = identity.guid;
  }

  /** Runs one HTTP operation as a proven person; rejected cookies are renewed once, and what may be repeated is repeated. */
  private async overHttp<T>(call: Call, mayRepeat: boolean, operation: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      throwIfAborted(call.signal);
      if (this.isClosed) throw closedError();
      try {
        this.holdAccount(call, await this.signIn.prove(call.signal));
      } catch (error) {
        // Nothing of the operation was sent, so this may be repeated even for a mutation.
        if (!isTransient(error) || attempt >= MAX_HTTP_ATTEMPTS) throw error;
        await this.pause(error, attempt - 1, call.signal);
        continue;
      }
      const { epoch } = this.signIn;
      try {
        return await operation();
      } catch (error) {
        if (error instanceof CookieRejectedError) await this.renewOnce(call, epoch);
        else if (!mayRepeat || !isTransient(error) || attempt >= MAX_HTTP_ATTEMPTS) throw error;
        else await this.pause(error, attempt - 1, call.signal);
      }
    }
  }

  private async renewOnce(call: Call, epoch: number): Promise<void> {
    if (call.hasRenewed) throw new NotSignedInError();
    call.hasRenewed = true;
    await this.signIn.renew(epoch, call.signal);
  }

  /** Waits before the next attempt. A budget that ends during a 429's own wait ends as that, which says more than a timeout. */
  private async pause(failure: unknown, failures: number, signal: AbortSignal): Promise<void> {
    try {
      await this.signIn.sleep(retryDelayMs(failure, failures, this.random), signal);
    } catch (error) {
      throw failure instanceof RateLimitedError && error instanceof TimeoutError ? failure : error;
    }
  }

  private async startOver(): Promise<void> {
    const cookies = await this.deps.session.cookies().catch(() => undefined);
    if (this.isClosed || this.signIn.identity) return;
    if (cookies) this.socket.keep();
    else this.signIn.signOut();
  }

  private signInChanged(): void {
    const { identity } = this.signIn;
    if (identity) this.socket.dropOtherAccount(identity.uid);
    this.publishState();
  }

  private publishState(): void {
    const { state } = this;
    if (state === this.publishedState) return;
    this.publishedState = state;
    for (const listener of [...this.stateListeners]) this.notify(() => listener(state));
  }

  private emitEvent(event: LiveEvent): void {
    for (const listener of [...this.eventListeners]) this.notify(() => listener(event));
  }

  /** A listener's failure is its own: it must not end the connection that called it. */
  private notify(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.deps.log.error('wire.listener_failed', { name: error instanceof Error ? error.name : typeof error });
    }
  }
}
