import type { Clock } from '../app/wire/ports.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1; // setTimeout overflows beyond

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
