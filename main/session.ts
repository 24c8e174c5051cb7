import type { Session } from 'electron';
import type { Log, SessionSource } from '../app/wire/ports.ts';
import type { Protocol } from '../app/wire/protocol.ts';
import { durableCookie, isSessionDomain, socketCookies } from './login/cookies.ts';

/**
 * The session of the login partition as the wire needs it. It never says whether anybody is signed in: only `request_user` does (protocol §2, L).
 */
export class PartitionSession implements SessionSource {
  private refreshing: Promise<boolean> | undefined;
  private isDurable = false;
  private keeping: NodeJS.Timeout | undefined;
  private readonly onCookieChanged: () => void;

  /** @param reload loads the Messenger page unseen and says whether that renewed the session; bounded to 30 s (`login/refresh.ts`). */
  constructor(
    private readonly partition: Session,
    private readonly protocol: () => Protocol,
    private readonly reload: () => Promise<boolean>,
    private readonly log: Log,
  ) {
    this.onCookieChanged = () => {
      if (this.isDurable) this.scheduleKeeping();
    };
    partition.cookies.on('changed', this.onCookieChanged);
  }

  async cookies(): Promise<{ header: string; yandexuid: string | undefined } | undefined> {
    const { socketUrl, cookieDomain } = this.protocol();
    const [forSocket, ofDomain] = await Promise.all([
      this.partition.cookies.get({ url: socketUrl.replace(/^ws/, 'http') }),
      this.partition.cookies.get({ domain: cookieDomain.replace(/^\./, '') }),
    ]);
    return socketCookies(forSocket, ofDomain, cookieDomain);
  }

  refresh(): Promise<boolean> {
    this.refreshing ??= this.reload()
      .catch(() => false)
      .finally(() => {
        this.refreshing = undefined;
      });
    return this.refreshing;
  }

  /** The sign-in is proven: from now on the session's cookies outlive the process. */
  async keep(): Promise<void> {
    this.isDurable = true;
    await this.makeDurable();
  }

  /** Signed out: cookies are a guest's again and may die with the process. */
  forget(): void {
    this.isDurable = false;
  }

  async flush(): Promise<void> {
    await this.partition.cookies.flushStore();
  }

  close(): void {
    this.partition.cookies.off('changed', this.onCookieChanged);
    clearTimeout(this.keeping);
  }

  /** Passport renews cookies in bursts; one pass after the burst is enough. */
  private scheduleKeeping(): void {
    this.keeping ??= setTimeout(() => {
      this.keeping = undefined;
      if (this.isDurable) void this.makeDurable();
    }, 1_000);
  }

  private async makeDurable(): Promise<void> {
    const { cookieDomain } = this.protocol();
    try {
      const cookies = await this.partition.cookies.get({ session: true });
      for (const cookie of cookies) {
        if (!isSessionDomain(cookie.domain, cookieDomain)) continue;
        const durable = durableCookie(cookie, Date.now());
        if (durable) await this.partition.cookies.set(durable);
      }
      await this.flush();
    } catch {
      this.log.warn('cookies_not_kept'); // the session works; only a restart may ask for a new sign-in
    }
  }
}
