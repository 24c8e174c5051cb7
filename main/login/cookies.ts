import type { Cookie, CookiesSetDetails } from 'electron';
import type { SessionCookies } from '../../app/wire/ports.ts';

/**
 * How long a cookie without an expiry is kept once the sign-in is proven. Such cookies die with the process (Chromium keeps them in memory only),
 * so a person would have to sign in after every restart of the computer; the window of Yandex itself, left open, keeps them as long. The term is
 * renewed at every start and refresh, and Yandex can void the session at any time.
 */
const DURABLE_SECONDS = 30 * 24 * 3600;

function bareDomain(domain: string): string {
  return domain.replace(/^\./, '').toLowerCase();
}

/** Whether a cookie belongs to the session's domain or to a host below it. */
export function isSessionDomain(cookieDomain: string | undefined, domain: string): boolean {
  const host = bareDomain(cookieDomain ?? '');
  const wanted = bareDomain(domain);
  return host === wanted || host.endsWith(`.${wanted}`);
}

/**
 * Builds the `Cookie` header of the socket's handshake from the cookies Chromium would send there, and from those of the cookie domain itself
 * (protocol §2, L: host or dotted). Of two cookies with one name the one with the longer path or the closer host comes first, as in browsers; the
 * socket's own wins.
 * @returns undefined when there is nothing to send.
 */
export function socketCookies(forSocket: readonly Cookie[], ofDomain: readonly Cookie[], domain: string): SessionCookies | undefined {
  const chosen = new Map<string, Cookie>();
  for (const cookie of byPathLength(forSocket)) if (!chosen.has(cookie.name)) chosen.set(cookie.name, cookie);
  for (const cookie of byPathLength(ofDomain)) {
    if (bareDomain(cookie.domain ?? '') === bareDomain(domain) && !chosen.has(cookie.name)) chosen.set(cookie.name, cookie);
  }
  if (chosen.size === 0) return undefined;
  const header = [...chosen.values()].map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
  return { header, yandexuid: chosen.get('yandexuid')?.value };
}

function byPathLength(cookies: readonly Cookie[]): readonly Cookie[] {
  return [...cookies].sort((a, b) => (b.path?.length ?? 0) - (a.path?.length ?? 0));
}

/** The same cookie with an expiry, or undefined for one that already has one. @param nowMs milliseconds since the epoch */
export function durableCookie(cookie: Cookie, nowMs: number): CookiesSetDetails | undefined {
  if (!cookie.session) return undefined;
  const host = bareDomain(cookie.domain ?? '');
  if (host === '') return undefined;
  return {
    url: `${cookie.secure ? 'https' : 'http'}://${host}${cookie.path ?? '/'}`,
    name: cookie.name,
    value: cookie.value,
    path: cookie.path ?? '/',
    secure: cookie.secure ?? false,
    httpOnly: cookie.httpOnly ?? false,
    sameSite: cookie.sameSite,
    expirationDate: Math.floor(nowMs / 1000) + DURABLE_SECONDS,
    ...(cookie.hostOnly || cookie.domain === undefined ? {} : { domain: cookie.domain }),
  };
}
