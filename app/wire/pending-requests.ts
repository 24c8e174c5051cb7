import type { JsonObject } from './api.ts';
import { parsePayload } from './codec.ts';
import { deferred, type Deferred } from './abort.ts';
import type { Clock, Log } from './ports.ts';
import { PROXY_SUCCESS } from './status.ts';

/** How a request on a connection ended. */
export type Answer =
  | { readonly kind: 'response'; readonly body: JsonObject }
  | { readonly kind: 'proxy_status'; readonly status: number }
  /** A frame came for this request whose JSON is none. */
  | { readonly kind: 'unreadable' }
  /** The connection ended first. */
  | { readonly kind: 'lost' };

interface Pending {
  readonly requestId: string;
  readonly method: string;
  readonly answer: Deferred<Answer>;
  cancelGrace?: () => void;
}

const BROKEN_ANSWER_GRACE_MS = 2000; // a broken frame is dropped, but its caller shall not wait out the whole budget for nothing

/** Matches answers to the requests of one connection, by `seq` and `RequestId` (protocol §3). */
export class PendingRequests {
  private readonly bySeq = new Map<number, Pending>();

  /** Whether any request was answered by a response. */
  hasAnswered = false;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  add(seq: number, requestId: string, method: string): Promise<Answer> {
    const pending: Pending = { requestId, method, answer: deferred<Answer>() };
    this.bySeq.set(seq, pending);
    return pending.answer.promise;
  }

  response(seq: number, payload: Uint8Array): void {
    const pending = this.bySeq.get(seq);
    if (!pending) {
      this.log.debug('wire.answer_without_request', { seq });
      return;
    }
    const body = parsePayload(payload);
    if (!body) {
      this.log.warn('wire.answer_unreadable', { seq, method: pending.method, bytes: payload.length });
      pending.cancelGrace ??= this.clock.after(BROKEN_ANSWER_GRACE_MS, () => this.settle(seq, { kind: 'unreadable' }));
      return;
    }
    const requestId = body['RequestId'];
    if (requestId !== undefined && requestId !== pending.requestId) {
      this.log.warn('wire.answer_of_another_request', { seq, method: pending.method });
      return;
    }
    this.hasAnswered = true;
    this.settle(seq, { kind: 'response', body });
  }

  proxyStatus(seq: number, status: number): void {
    this.log.debug('wire.proxy_status', { seq, status, method: this.bySeq.get(seq)?.method });
    // SUCCESS is no answer: the response itself follows.
    if (status !== PROXY_SUCCESS) this.settle(seq, { kind: 'proxy_status', status });
  }

  loseAll(): void {
    for (const seq of [...this.bySeq.keys()]) this.settle(seq, { kind: 'lost' });
  }

  private settle(seq: number, answer: Answer): void {
    const pending = this.bySeq.get(seq);
    if (!pending) return;
    this.bySeq.delete(seq);
    pending.cancelGrace?.();
    pending.answer.resolve(answer);
  }
}
