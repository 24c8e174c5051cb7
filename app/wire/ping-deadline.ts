import type { Clock } from './ports.ts';

const FIRST_PING_WITHIN_MS = 5000; // protocol §3 (L)
const DEADLINE_FACTOR = 1.3; // the web client's own tolerance (L/B)
const DEFAULT_INTERVAL_SEC = 60;
const MIN_INTERVAL_SEC = 0.1;
const MAX_INTERVAL_SEC = 600;

/** Declares a connection dead when the server's pings stop. The client itself never pings. */
export class PingDeadline {
  private cancel: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onDead: () => void,
  ) {}

  /** The socket opened: the first ping is due. */
  start(): void {
    this.arm(FIRST_PING_WITHIN_MS * DEADLINE_FACTOR);
  }

  /** A ping came; `intervalSec` is its `server-interval-sec`, whatever it holds. */
  ping(intervalSec: unknown): void {
    const isUsable = typeof intervalSec === 'number' && intervalSec > 0;
    const seconds = isUsable ? Math.min(MAX_INTERVAL_SEC, Math.max(MIN_INTERVAL_SEC, intervalSec)) : DEFAULT_INTERVAL_SEC;
    this.arm(seconds * 1000 * DEADLINE_FACTOR);
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private arm(delayMs: number): void {
    this.stop();
    this.cancel = this.clock.after(delayMs, this.onDead);
  }
}
