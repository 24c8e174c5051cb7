import { CancelledError, TimeoutError, type Clock } from '../../wire/index.ts';

/**
 * Runs `work` with a signal of its own, which aborts after `timeoutMs` (TimeoutError) or together with `outer`.
 * Plain listeners, taken off afterwards: one outer signal serves a whole commit.
 */
export async function within<T>(clock: Clock, timeoutMs: number, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const forward = () => controller.abort(outer.reason);
  if (outer.aborted) forward();
  outer.addEventListener('abort', forward, { once: true });
  const cancel = clock.after(timeoutMs, () => controller.abort(new TimeoutError()));
  try {
    return await work(controller.signal);
  } finally {
    cancel();
    outer.removeEventListener('abort', forward);
  }
}

/** Waits on the given clock. @throws the signal's reason as soon as it aborts. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(reasonOf(signal));
    const stop = () => {
      cancel();
      reject(reasonOf(signal));
    };
    const cancel = clock.after(delayMs, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new CancelledError();
}
