/** Exponential delays with jitter, in milliseconds. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A number in [0, 1); passed in so that a test knows the delays. */
  readonly random: () => number;
}

/** Delay before attempt `failures + 1`: doubles from `firstMs` to `maxMs`, then a random half of it, so that clients do not come back together. */
export function backoffDelayMs(failures: number, { firstMs, maxMs, random }: BackoffOptions): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30));
  return Math.round(full * (0.5 + random() / 2));
}
