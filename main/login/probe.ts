import type { Cookies } from 'electron';

const SETTLE_MS = 300; // Passport sets cookies in bursts; one question per burst
const MIN_PAUSE_MS = 1_000; // a page that changes cookies without end must not turn into a flood of questions
const RETRY_MS = 10_000; // after a network failure, and as a slow beat for whatever changed unseen

export interface SignInProbeOptions {
  /** Whether `request_user` proves a sign-in. Throws when it could not be asked. */
  readonly isSignedIn: (signal: AbortSignal) => Promise<boolean>;
  readonly onSignedIn: () => void;
  readonly cookies: Pick<Cookies, 'on' | 'off'>;
}

/**
 * Asks whether the sign-in is proven: soon after each change of cookies or page, never twice at once. It ends with the first yes.
 * A cookie's presence proves nothing (protocol §2, L), so this asks the server every time.
 */
export class SignInProbe {
  private readonly abort = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isAsking = false;
  private isWanted = false;
  private lastAskedAt = 0;
  private readonly onCookie = (): void => this.poke();

  constructor(private readonly options: SignInProbeOptions) {
    options.cookies.on('changed', this.onCookie);
  }

  /** Something may have changed. */
  poke(delayMs = SETTLE_MS): void {
    if (this.abort.signal.aborted) return;
    this.isWanted = true;
    if (this.isAsking) return;
    clearTimeout(this.timer);
    const pause = Math.max(delayMs, this.lastAskedAt + MIN_PAUSE_MS - Date.now());
    this.timer = setTimeout(() => void this.ask(), pause);
  }

  close(): void {
    this.abort.abort();
    clearTimeout(this.timer);
    this.options.cookies.off('changed', this.onCookie);
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    this.isWanted = false;
    let isProven = false;
    try {
      isProven = await this.options.isSignedIn(this.abort.signal);
    } catch {
      // Not asked: no network, or the server is not well. The slow beat below tries again.
    }
    this.isAsking = false;
    this.lastAskedAt = Date.now();
    if (this.abort.signal.aborted) return;
    if (isProven) {
      this.close();
      this.options.onSignedIn();
      return;
    }
    this.poke(this.isWanted ? SETTLE_MS : RETRY_MS);
  }
}
