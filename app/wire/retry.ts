import { backoffDelayMs } from './backoff.ts';
import { ConnectionLostError, DownloadError, RateLimitedError, RegistryError } from './errors.ts';

const RETRY = { firstMs: 200, maxMs: 4000 };

/** Whether an HTTP read that failed like this is worth another try: no network, a server's 5xx, or a 429. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionLostError || error instanceof RateLimitedError) return true;
  return (error instanceof RegistryError || error instanceof DownloadError) && error.httpStatus >= 500;
}

/** Pause before trying again after `failures` failures, in milliseconds; a 429 says itself how long. */
export function retryDelayMs(error: unknown, failures: number, random: () => number): number {
  const delayMs = backoffDelayMs(failures, { ...RETRY, random });
  return error instanceof RateLimitedError ? Math.max(error.retryAfterMs, delayMs) : delayMs;
}
