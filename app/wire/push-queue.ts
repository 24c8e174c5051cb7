import type { JsonObject, PushResult } from './api.ts';
import { abortError, untilAborted } from './abort.ts';
import type { Connection } from './connection.ts';
import { CancelledError, codeOf, NotSignedInError } from './errors.ts';
import type { Answer } from './pending-requests.ts';
import type { Clock, Log } from './ports.ts';
import type { Protocol } from './protocol.ts';
import type { SignIn } from './sign-in.ts';
import { classifyPushProxyStatus, classifyPushResponse } from './status.ts';

export interface PushQueueDeps {
  readonly protocol: Protocol;
  readonly signIn: SignIn;
  readonly clock: Clock;
  readonly log: Log;
}

/** A usable connection of the account the push was meant for. */
type Acquire = () => Promise<Connection>;

/**
 * Pushes one after the other, at the pace the server asks for, each at most once (protocol §3, §6, L). Silence does not mean that
 * nothing was written, so nothing here sends a push again after it left.
 */
export class PushQueue {
  private tail: Promise<void> = Promise.resolve();
  private closedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: PushQueueDeps) {}

  /** Sends one ClientMessage `variant` on a connection that `acquire` gives. Never rejects for an outcome. */
  async push(variant: JsonObject, signal: AbortSignal, acquire: Acquire): Promise<PushResult> {
    const previous = this.tail;
    let release: () => void = () => undefined;
    this.tail = new Promise<void>((resolve) => (release = resolve));
    try {
      await untilAborted(previous, signal);
      await this.waitForWindow(signal);
      return await this.send(variant, signal, acquire);
    } catch (error) {
      return this.notSent(error, signal);
    } finally {
      // A push that gave up in the queue must not let the next one overtake those before it.
      void previous.then(release);
    }
  }

  private async waitForWindow(signal: AbortSignal): Promise<void> {
    for (let leftMs = this.windowLeftMs(); leftMs > 0; leftMs = this.windowLeftMs()) await this.deps.signIn.sleep(leftMs, signal);
  }

  private async send(variant: JsonObject, signal: AbortSignal, acquire: Acquire): Promise<PushResult> {
    for (;;) {
      const connection = await acquire();
      if (signal.aborted) throw abortError(signal);
      // From here to the socket nothing is awaited: the id is that of the connection the push leaves on.
      const subscriptionId = connection.subscriptionId;
      const sent = subscriptionId === undefined ? undefined : connection.request('push', this.envelope(variant, subscriptionId, connection.yandexuid));
      if (sent) return this.outcome(sent.answer, signal);
    }
  }

  private envelope(variant: JsonObject, subscriptionId: string, yandexuid: string | undefined): JsonObject {
    const { userAgent, serviceId } = this.deps.protocol;
    return {
      ClientTransportId: { XivaSubscriptionId: subscriptionId },
      UserAgent: userAgent,
      ClientMessage: { ...variant, LogData: { ...(yandexuid !== undefined && { YandexUid: yandexuid }) } },
      Meta: { Origin: serviceId },
      ClientSupportedFeatures: 0,
    };
  }

  private async outcome(answer: Promise<Answer>, signal: AbortSignal): Promise<PushResult> {
    // Read even when nobody waits any more: a late answer may still ask for a pause.
    const outcome = answer.then((value) => this.read(value));
    try {
      return await untilAborted(outcome, signal);
    } catch {
      return { kind: 'unknown', reason: abortKind(signal) };
    }
  }

  private read(answer: Answer): PushResult {
    switch (answer.kind) {
      case 'lost':
        return { kind: 'unknown', reason: 'connection_lost' };
      case 'unreadable':
        return { kind: 'unknown', reason: 'no_status' };
      case 'proxy_status': {
        const { result, waitMs } = classifyPushProxyStatus(answer.status);
        if (waitMs !== undefined) this.openWindow(waitMs);
        return result;
      }
      case 'response': {
        const { result, wait } = classifyPushResponse(answer.body);
        if (wait) {
          this.deps.log.info('wire.rate_limit', { rawWaitFor: wait.rawWaitFor, waitMs: wait.waitMs });
          this.openWindow(wait.waitMs);
        }
        return result;
      }
    }
  }

  private notSent(error: unknown, signal: AbortSignal): PushResult {
    if (error instanceof NotSignedInError) return { kind: 'not_sent', reason: 'not_signed_in' };
    if (!signal.aborted) {
      this.deps.log.warn('wire.push_not_sent', { code: codeOf(error) });
      return { kind: 'not_sent', reason: 'connection_lost' };
    }
    const reason = abortKind(signal);
    const leftMs = this.windowLeftMs();
    return reason === 'timeout' && leftMs > 0 ? { kind: 'not_sent', reason: 'rate_limited', retryAfterMs: leftMs } : { kind: 'not_sent', reason };
  }

  private openWindow(waitMs: number): void {
    this.closedUntilMs = Math.max(this.closedUntilMs, this.deps.clock.now() + waitMs);
  }

  private windowLeftMs(): number {
    return Math.max(0, this.closedUntilMs - this.deps.clock.now());
  }
}

function abortKind(signal: AbortSignal): 'timeout' | 'cancelled' {
  return abortError(signal) instanceof CancelledError ? 'cancelled' : 'timeout';
}
