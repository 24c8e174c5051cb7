import type { Identity, JsonObject } from './api.ts';
import { sleep, untilAborted, withDeadline } from './abort.ts';
import { closedError, CookieRejectedError, NotSignedInError, UnexpectedAnswerError } from './errors.ts';
import { objectAt, stringAt } from './json.ts';
import { mcsToString } from './numbers.ts';
import type { Clock, Log, SessionSource } from './ports.ts';
import type { RegistryClient } from './registry.ts';

const PROOF_WITHIN_MS = 15_000; // two small requests; ours
/** Signed out, each call asks Yandex again rather than trusting an old answer, but not more often than this. */
const MIN_PROOF_GAP_MS = 1000;

export interface SignInDeps {
  readonly session: SessionSource;
  readonly registry: RegistryClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Called on every change of `identity`, `isSignedOut` or `isBusy`. */
  readonly onChange: () => void;
  /** Called when nobody is signed in (any more): what waits shall stop waiting. */
  readonly onSignedOut: () => void;
}

/**
 * Asks Yandex who is signed in. The proof is a numeric uid, never a cookie's presence: a guest has cookies too (protocol §2, L).
 * @throws NotSignedInError for a guest, CookieRejectedError, and what a registry call throws.
 */
export async function proveIdentity(registry: RegistryClient, signal: AbortSignal): Promise<Identity> {
  const data = await registry.call('request_user', { bind_phone_number: false }, { signal, withCsrf: true });
  const user = objectAt(data, 'user');
  const uid = mcsToString(user?.['uid']);
  if (!user || uid === undefined || uid === '0') throw new NotSignedInError('a guest session');
  const guid = stringAt(user, 'guid');
  if (guid === undefined) throw new UnexpectedAnswerError('request_user without a guid');
  return { guid, uid, displayName: displayNameOf(user) };
}

function displayNameOf(user: JsonObject): string | undefined {
  return stringAt(user, 'display_name') ?? stringAt(user, 'displayName') ?? stringAt(user, 'nickname'); // I
}

/**
 * Whether a person is signed in, and the one place that renews rejected cookies. All callers share a proof or a refresh that is
 * under way; nobody waits for a person.
 */
export class SignIn {
  private provenIdentity: Identity | undefined;
  private signedOut = false;
  private task: Promise<Identity> | undefined;
  private lastProofAtMs = Number.NEGATIVE_INFINITY;
  private generation = 0;
  private closed = false;
  private readonly wakers = new Set<() => void>();
  private currentEpoch = 0;

  constructor(private readonly deps: SignInDeps) {}

  get identity(): Identity | undefined {
    return this.provenIdentity;
  }
  get isSignedOut(): boolean {
    return this.signedOut;
  }
  get isClosed(): boolean {
    return this.closed;
  }
  /** A proof or a refresh is under way. */
  get isBusy(): boolean {
    return this.task !== undefined;
  }
  /** Grows whenever the session was renewed, so that of many callers with the same rejected cookies one refreshes. */
  get epoch(): number {
    return this.currentEpoch;
  }

  /**
   * The proven identity, proving it first where needed: one attempt, shared. Rejected cookies are refreshed once, unless already signed out.
   * @throws NotSignedInError, or what stood in the way of asking (ConnectionLostError, RegistryError, …), or the signal's reason.
   */
  prove(signal: AbortSignal): Promise<Identity> {
    if (this.closed) return Promise.reject(closedError());
    if (this.task) return untilAborted(this.task, signal);
    if (this.provenIdentity) return Promise.resolve(this.provenIdentity);
    if (this.signedOut && this.deps.clock.now() - this.lastProofAtMs < MIN_PROOF_GAP_MS) return Promise.reject(new NotSignedInError());
    return untilAborted(this.start({ mustRefresh: false, mayRefresh: !this.signedOut }), signal);
  }

  /**
   * The cookies of `seenEpoch` were rejected: renews them, once for all callers, and proves the identity again.
   * @throws as {@link prove}
   */
  renew(seenEpoch: number, signal: AbortSignal): Promise<Identity> {
    if (this.task) return untilAborted(this.task, signal);
    if (this.signedOut) return Promise.reject(new NotSignedInError());
    if (seenEpoch !== this.currentEpoch) return this.prove(signal);
    return untilAborted(this.start({ mustRefresh: true, mayRefresh: true }), signal);
  }

  /** The session is void although it may look renewed: nobody is signed in until a later proof says otherwise. */
  signOut(): void {
    this.provenIdentity = undefined;
    this.signedOut = true;
    this.deps.registry.forgetToken();
    this.deps.onSignedOut();
    this.wakeSleepers();
    this.deps.onChange();
  }

  /** The session changed from outside: what was known about it is void, and a proof under way counts for nothing. */
  reset(): void {
    this.generation++;
    this.currentEpoch++;
    this.provenIdentity = undefined;
    this.signedOut = false;
    this.task = undefined;
    this.lastProofAtMs = Number.NEGATIVE_INFINITY;
    this.deps.registry.forgetToken();
    this.deps.onChange();
  }

  /** For good: whatever is still being asked counts for nothing. */
  close(): void {
    this.closed = true;
    this.reset();
    this.wakeSleepers();
  }

  /** Sleeps; a sign-out ends it at once. @throws NotSignedInError, or the signal's reason. */
  async sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    if (this.signedOut) throw new NotSignedInError();
    let wake: () => void = () => undefined;
    const signedOut = new Promise<never>((_resolve, reject) => {
      wake = () => reject(this.closed ? closedError() : new NotSignedInError());
    });
    const controller = new AbortController();
    this.wakers.add(wake);
    try {
      await untilAborted(Promise.race([sleep(this.deps.clock, delayMs, controller.signal), signedOut]), signal);
    } finally {
      this.wakers.delete(wake);
      controller.abort();
    }
  }

  private wakeSleepers(): void {
    for (const wake of [...this.wakers]) wake();
  }

  private start(how: { mustRefresh: boolean; mayRefresh: boolean }): Promise<Identity> {
    const generation = this.generation;
    const task = this.run(how, generation).finally(() => {
      if (this.task !== task) return;
      this.task = undefined;
      this.deps.onChange();
    });
    task.catch(() => undefined); // its waiters may all have left
    this.task = task;
    this.deps.onChange();
    return task;
  }

  private async run({ mustRefresh, mayRefresh }: { mustRefresh: boolean; mayRefresh: boolean }, generation: number): Promise<Identity> {
    try {
      if (mustRefresh) await this.refresh(generation);
      try {
        return this.accept(await this.ask(), generation);
      } catch (error) {
        if (!(error instanceof CookieRejectedError)) throw error;
        if (mustRefresh || !mayRefresh) throw new NotSignedInError();
      }
      await this.refresh(generation);
      return this.accept(await this.ask(), generation);
    } catch (error) {
      if (generation !== this.generation) return this.supersede();
      if (!(error instanceof NotSignedInError) && !(error instanceof CookieRejectedError)) throw error;
      this.deps.log.info('wire.signed_out');
      this.signOut();
      throw new NotSignedInError();
    }
  }

  private async refresh(generation: number): Promise<void> {
    this.deps.log.info('wire.session_refresh');
    const isRenewed = await this.deps.session.refresh().catch(() => false);
    if (generation !== this.generation) throw new NotSignedInError();
    this.deps.registry.forgetToken();
    if (!isRenewed) throw new NotSignedInError();
    this.currentEpoch++;
  }

  private async ask(): Promise<Identity> {
    const { session, clock, registry } = this.deps;
    if (!(await session.cookies())) throw new NotSignedInError('no cookies');
    this.lastProofAtMs = clock.now();
    return withDeadline(clock, PROOF_WITHIN_MS, undefined, (signal) => proveIdentity(registry, signal));
  }

  private accept(identity: Identity, generation: number): Identity | Promise<Identity> {
    if (generation !== this.generation) return this.supersede();
    this.provenIdentity = identity;
    this.signedOut = false;
    return identity;
  }

  /** The session changed while this was being asked: the answer is that of the session now. */
  private supersede(): Promise<Identity> {
    return this.prove(new AbortController().signal);
  }
}
