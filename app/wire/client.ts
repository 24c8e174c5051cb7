import type { CallOptions, ConnectionState, DownloadStream, Identity, Json, JsonObject, LiveEvent, PushResult, UploadFile, Wire } from './api.ts';
import { throwIfAborted, untilAborted } from './abort.ts';
import { Call } from './call.ts';
import type { Connection } from './connection.ts';
import { closedError, ConnectionLostError, CookieRejectedError, NotSignedInError } from './errors.ts';
import { connectionState } from './connection-state.ts';
import { downloadFile, uploadFile, type DownloadRequest } from './files.ts';
import { Listeners } from './listeners.ts';
import type { Clock, HttpFetch, Log, SessionSource, SocketFactory } from './ports.ts';
import type { Protocol } from './protocol.ts';
import { PushQueue } from './push-queue.ts';
import { judgeRead } from './read-outcome.ts';
import { RegistryClient } from './registry.ts';
import { SignIn } from './sign-in.ts';
import { SocketClient } from './socket-client.ts';

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

class WireClient implements Wire {
  private readonly registryClient: RegistryClient;
  private readonly signIn: SignIn;
  private readonly socket: SocketClient;
  private readonly pushes: PushQueue;
  private readonly random: () => number;
  private readonly eventListeners: Listeners<LiveEvent>;
  private readonly stateListeners: Listeners<ConnectionState>;
  private publishedState: ConnectionState = 'offline';
  private suspendedAtMs: number | undefined;
  private isClosed = false;

  constructor(private readonly deps: WireDeps) {
    this.random = deps.random ?? Math.random;
    this.eventListeners = new Listeners(deps.log);
    this.stateListeners = new Listeners(deps.log);
    this.registryClient = new RegistryClient(deps);
    this.signIn = new SignIn({
      ...deps,
      registry: this.registryClient,
      onChange: () => this.signInChanged(),
      onSignedOut: () => this.socket.stop(new NotSignedInError()),
    });
    this.socket = new SocketClient({
      ...deps,
      random: this.random,
      signIn: this.signIn,
      onEvent: (event) => this.eventListeners.emit(event),
      onChange: () => this.publishState(),
    });
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
      const outcome = judgeRead(method, answer, attempt);
      if ('body' in outcome) return outcome.body;
      if (!outcome.mayRetry || this.isClosed) throw outcome.failure;
      this.deps.log.debug('wire.read_retry', { method, attempt, answer: answer.kind });
      // The reconnect has its own pause.
      if (answer.kind !== 'lost') await call.pause(outcome.failure, attempt - 1);
    }
  }

  async registry(method: string, params: JsonObject, { signal, isMutation = false }: CallOptions & { readonly isMutation?: boolean }): Promise<Json> {
    const call = this.begin(signal);
    return call.overHttp(!isMutation, () => this.registryClient.call(method, params, { signal, withCsrf: isMutation, isWrite: isMutation }));
  }

  async push(variant: JsonObject, { signal }: CallOptions): Promise<PushResult> {
    // Not `begin`, which throws: an aborted signal is an outcome too.
    const call = this.callFor(signal);
    return this.pushes.push(variant, signal, () => this.acquire(call));
  }

  async upload(file: UploadFile, options: CallOptions & { readonly onProgress?: (sentBytes: number) => void }): Promise<{ fileId: string }> {
    const { signal } = options;
    const call = this.begin(signal);
    const registry = (method: string, params: JsonObject) => call.overHttp(false, () => this.registryClient.call(method, params, { signal, withCsrf: true }));
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
    return call.overHttp(true, () => downloadFile(this.deps, file, signal));
  }

  onEvent(listener: (event: LiveEvent) => void): () => void {
    return this.eventListeners.add(listener);
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    return this.stateListeners.add(listener);
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

  /** @throws when the wire is closed or the signal aborted already. */
  private begin(signal: AbortSignal): Call {
    if (this.isClosed) throw closedError();
    throwIfAborted(signal);
    return this.callFor(signal);
  }

  private callFor(signal: AbortSignal): Call {
    if (this.suspendedAtMs !== undefined && this.deps.clock.now() - this.suspendedAtMs >= RESUME_UNASKED_AFTER_MS) this.resume();
    return new Call(signal, this.signIn, this.random);
  }

  /** A usable connection of the call's account. */
  private async acquire(call: Call): Promise<Connection> {
    for (;;) {
      if (this.isClosed) throw closedError();
      const connection = await this.socket.acquire(call.signal);
      if (!this.signIn.identity) continue; // the session changed in between
      call.holdAccount(this.signIn.identity);
      return connection;
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
    this.stateListeners.emit(state);
  }
}
