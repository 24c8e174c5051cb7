import { CancelledError, TimeoutError, WireError } from './errors.ts';
import type { Clock } from './ports.ts';

/**
 * Waiting that a signal ends. Plain listeners, removed afterwards: `AbortSignal.any` loses signals to the garbage collector on Node 20,
 * and one signal serves a whole tool call, so listeners must not pile up on it.
 */

/** The error an aborted call ends with: the signal's reason, told whether the request had left. */
export function abortError(signal: AbortSignal, wasSent = false): WireError {
  const reason: unknown = signal.reason;
  if (reason instanceof TimeoutError) return wasSent === reason.wasSent ? reason : new TimeoutError(wasSent);
  if (reason instanceof CancelledError) return wasSent === reason.wasSent ? reason : new CancelledError(wasSent);
  if (reason instanceof WireError) return reason;
  return reason instanceof Error && reason.name === 'TimeoutError' ? new TimeoutError(wasSent) : new CancelledError(wasSent);
}

/** @throws the signal's {@link abortError} when it is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

/** Calls `listener` once when the signal aborts (at once if it has); returns the undo. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => undefined;
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** Waits for `promise` no longer than the signal allows; the promise itself goes on. @throws {@link abortError} */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const undo = onAbort(signal, () => reject(abortError(signal)));
    promise.then(resolve, reject).finally(undo);
  });
}

/** Sleeps on the given clock. @throws {@link abortError} as soon as the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let undo: () => void = () => undefined;
    const cancel = clock.after(delayMs, () => {
      undo();
      resolve();
    });
    undo = onAbort(signal, () => {
      cancel();
      reject(abortError(signal));
    });
  });
}

/** Runs `work` with a signal of its own that aborts after `timeoutMs` (TimeoutError) or together with `outer`. */
export async function withDeadline<T>(clock: Clock, timeoutMs: number, outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const cancel = clock.after(timeoutMs, () => controller.abort(new TimeoutError()));
  const undo = outer ? onAbort(outer, () => controller.abort(outer.reason)) : () => undefined;
  try {
    return await untilAborted(work(controller.signal), controller.signal);
  } finally {
    cancel();
    undo();
  }
}

/** A promise with its handles outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
