import type { Identity, LiveEvent } from './api.ts';
import { abortError, deferred, onAbort, type Deferred } from './abort.ts';
import { backoffDelayMs } from './backoff.ts';
import { Connection, type ConnectionEnd } from './connection.ts';
import { codeOf, CookieRejectedError, NotSignedInError } from './errors.ts';
import type { Clock, Log, SessionSource, SocketFactory } from './ports.ts';
import { isTransient } from './retry.ts';
import type { Protocol } from './protocol.ts';
import type { SignIn } from './sign-in.ts';

const RECONNECT = { firstMs: 250, maxMs: 30_000 };
/** While a call waits for the connection, pauses stay short enough for its budget. */
const MAX_DELAY_WITH_WAITERS_MS = 3000;
/** A connection that lasted this long, or answered anything, was a good one: the next failure starts the backoff anew. */
const STABLE_AFTER_MS = 10_000;

/** Rejections in a row, each followed by a refresh, before nobody counts as signed in: at the handshake, and on sockets that opened. */
const MAX_HANDSHAKE_REJECTIONS = 1;
const MAX_REJECTIONS = 3;

export interface SocketClientDeps {
  readonly protocol: Protocol;
  readonly session: SessionSource;
  readonly socketFactory: SocketFactory;
  readonly signIn: SignIn;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly onEvent: (event: LiveEvent) => void;
  readonly onChange: () => void;
}

/**
 * Keeps one connection: opened by the first need, and from then on reopened without end, with backoff and jitter, until
 * nobody is signed in, the computer sleeps, or it is stopped.
 */
export class SocketClient {
  private current: Connection | undefined;
  private readonly waiters = new Set<Deferred<Connection>>();
  private currentUid: string | undefined;
  private isKept = false;
  private isSuspended = false;
  private wasOnline = false;
  private failures = 0;
  private rejections = 0;
  private handshakeRejections = 0;
  /** The session was just renewed: the next attempt needs no pause. */
  private hasRenewed = false;
  private run: AbortController | undefined;
  private hurry: (() => void) | undefined;

  constructor(private readonly deps: SocketClientDeps) {}

  get isOnline(): boolean {
    return this.current?.isUsable ?? false;
  }
  /** It is at work to get online, or pauses before the next attempt. */
  get isConnecting(): boolean {
    return this.run !== undefined && !this.isOnline;
  }
  /** Since it was last stopped or started over. */
  get hasBeenOnline(): boolean {
    return this.wasOnline;
  }

  /**
   * The connection, once it may be used.
   * @throws NotSignedInError, an error of the sign-in's proof that waiting does not mend, or the signal's reason.
   */
  acquire(signal: AbortSignal): Promise<Connection> {
    if (signal.aborted) return Promise.reject(abortError(signal));
    if (this.current?.isUsable) return Promise.resolve(this.current);
    const waiter = deferred<Connection>();
    this.waiters.add(waiter);
    const undo = onAbort(signal, () => waiter.reject(abortError(signal)));
    this.start();
    return waiter.promise.finally(() => {
      undo();
      this.waiters.delete(waiter);
    });
  }

  /** Begins to connect in the background and stays with it. */
  keep(): void {
    this.isKept = true;
    this.start();
  }

  /** Closes quietly. What waits goes on waiting, for {@link resume}. */
  suspend(): void {
    this.isSuspended = true;
    this.halt();
  }

  /** Reconnects at once where a connection was kept or is waited for. */
  resume(): void {
    this.isSuspended = false;
    this.failures = 0;
    if (this.isKept || this.waiters.size > 0) this.start();
  }

  /** The session is another one: closes, and starts over for those who wait. */
  restart(): void {
    this.forget();
    if (this.waiters.size > 0) this.start();
  }

  /** Closes and forgets; waiting calls fail with `error`. */
  stop(error: Error): void {
    this.forget();
    for (const waiter of [...this.waiters]) waiter.reject(error);
  }

  /** Closes a connection opened for another uid than the one proven now; a new one follows. */
  dropOtherAccount(uid: string): void {
    if (this.current && this.currentUid !== uid) this.current.close();
  }

  private forget(): void {
    this.isKept = false;
    this.wasOnline = false;
    this.failures = 0;
    this.rejections = 0;
    this.handshakeRejections = 0;
    this.hasRenewed = false;
    this.halt();
  }

  private halt(): void {
    this.run?.abort();
    this.run = undefined;
    const connection = this.current;
    this.current = undefined;
    connection?.close();
    this.deps.onChange();
  }

  private start(): void {
    this.hurry?.();
    if (this.run || this.isSuspended) return;
    const run = new AbortController();
    this.run = run;
    void this.loop(run.signal).finally(() => {
      if (this.run !== run) return;
      this.run = undefined;
      if (this.waiters.size > 0) this.start(); // it came while the loop was ending
      this.deps.onChange();
    });
    this.deps.onChange();
  }

  private async loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (this.isKept || this.waiters.size > 0)) {
      try {
        const identity = await this.deps.signIn.prove(signal);
        const connection = await this.connect(identity, signal);
        await this.serve(connection, identity, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.deps.log.debug('wire.connect_failed', { failures: this.failures, code: codeOf(error) });
        if (error instanceof NotSignedInError) {
          this.stop(error);
          return;
        }
        // No use in waiting for these; a kept connection is tried again all the same.
        if (!isTransient(error) && !(error instanceof CookieRejectedError)) for (const waiter of [...this.waiters]) waiter.reject(error);
      }
      if (signal.aborted) return;
      this.deps.onChange();
      if (this.hasRenewed) this.hasRenewed = false;
      else await this.pause(signal);
    }
  }

  private async connect(identity: Identity, signal: AbortSignal): Promise<Connection> {
    const { signIn, session } = this.deps;
    const { epoch } = signIn;
    const cookies = await session.cookies();
    if (!cookies) {
      signIn.signOut();
      throw new NotSignedInError('no cookies');
    }
    try {
      return await Connection.open(this.deps, cookies, identity.uid, signal);
    } catch (error) {
      if (!(error instanceof CookieRejectedError)) this.handshakeRejections = 0;
      else if (!signal.aborted) await this.renew(epoch, ++this.handshakeRejections > MAX_HANDSHAKE_REJECTIONS, signal);
      throw error;
    }
  }

  private async serve(connection: Connection, identity: Identity, signal: AbortSignal): Promise<void> {
    const { clock, signIn, log } = this.deps;
    if (signal.aborted) {
      connection.close();
      return;
    }
    const { epoch } = signIn;
    const sinceMs = clock.now();
    this.current = connection;
    this.currentUid = identity.uid;
    this.isKept = true;
    this.wasOnline = true;
    this.handshakeRejections = 0;
    log.info('wire.online');
    this.deps.onChange();
    for (const waiter of [...this.waiters]) waiter.resolve(connection);

    const end: ConnectionEnd = await connection.ended;
    if (this.current === connection) this.current = undefined;
    if (signal.aborted) return;
    log.info('wire.connection_ended', { end, lastedMs: clock.now() - sinceMs });
    this.deps.onChange();
    if (connection.hasAnswered || clock.now() - sinceMs >= STABLE_AFTER_MS) {
      this.failures = 0;
      this.rejections = 0;
    }
    if (end === 'cookie_rejected') await this.renew(epoch, ++this.rejections > MAX_REJECTIONS, signal);
  }

  /** Renews rejected cookies, unless the socket has rejected too often what the registry accepts. */
  private async renew(epoch: number, isTooOften: boolean, signal: AbortSignal): Promise<void> {
    if (isTooOften) {
      this.deps.signIn.signOut();
      throw new NotSignedInError();
    }
    await this.deps.signIn.renew(epoch, signal);
    this.hasRenewed = true;
  }

  private async pause(signal: AbortSignal): Promise<void> {
    const fullMs = backoffDelayMs(this.failures++, { ...RECONNECT, random: this.deps.random });
    const delayMs = () => (this.waiters.size > 0 ? Math.min(fullMs, MAX_DELAY_WITH_WAITERS_MS) : fullMs);
    const startedAtMs = this.deps.clock.now();
    await new Promise<void>((resolve) => {
      let cancel: () => void = () => undefined;
      let undo: () => void = () => undefined;
      const arm = () => {
        cancel();
        cancel = this.deps.clock.after(Math.max(0, startedAtMs + delayMs() - this.deps.clock.now()), finish);
      };
      const finish = () => {
        cancel();
        undo();
        this.hurry = undefined;
        resolve();
      };
      this.hurry = arm;
      arm();
      undo = onAbort(signal, finish);
    });
  }
}
