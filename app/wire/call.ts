import type { Identity } from './api.ts';
import { throwIfAborted } from './abort.ts';
import { closedError, CookieRejectedError, NotSignedInError, RateLimitedError, TimeoutError } from './errors.ts';
import { isTransient, retryDelayMs } from './retry.ts';
import type { SignIn } from './sign-in.ts';

/** Attempts at one HTTP read. */
const MAX_HTTP_ATTEMPTS = 4;

/** One call of the wire: its budget, the account it is for, and whether rejected cookies were already renewed for it. */
export class Call {
  private guid: string | undefined;
  private hasRenewed = false;

  constructor(
    readonly signal: AbortSignal,
    private readonly signIn: SignIn,
    private readonly random: () => number,
  ) {
    this.guid = signIn.identity?.guid;
  }

  /** A call never goes on under another account than it began with. @throws NotSignedInError */
  holdAccount(identity: Identity): void {
    if (this.guid !== undefined && this.guid !== identity.guid) throw new NotSignedInError('another account is signed in now');
    this.guid = identity.guid;
  }

  /** Waits before the next attempt. A budget that ends during a 429's own wait ends as that, which says more than a timeout. */
  async pause(failure: unknown, failures: number): Promise<void> {
    try {
      await this.signIn.sleep(retryDelayMs(failure, failures, this.random), this.signal);
    } catch (error) {
      throw failure instanceof RateLimitedError && error instanceof TimeoutError ? failure : error;
    }
  }

  /**
   * Runs one HTTP operation as a proven person. Cookies that it finds rejected are renewed once and it runs again, a change too: the server
   * certainly refused it. After any other failure that may pass, it runs again only with `mayRepeat`.
   */
  async overHttp<T>(mayRepeat: boolean, operation: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      throwIfAborted(this.signal);
      if (this.signIn.isClosed) throw closedError();
      let epoch: number | undefined;
      try {
        this.holdAccount(await this.signIn.prove(this.signal));
        ({ epoch } = this.signIn);
        return await operation();
      } catch (error) {
        if (epoch !== undefined && error instanceof CookieRejectedError) await this.renewOnce(epoch);
        else if ((epoch !== undefined && !mayRepeat) || !isTransient(error) || attempt >= MAX_HTTP_ATTEMPTS) throw error;
        else await this.pause(error, attempt - 1);
      }
    }
  }

  private async renewOnce(epoch: number): Promise<void> {
    if (this.hasRenewed) throw new NotSignedInError();
    this.hasRenewed = true;
    await this.signIn.renew(epoch, this.signal);
  }
}
