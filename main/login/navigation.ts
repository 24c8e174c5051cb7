import { isLoopbackHost, type Protocol } from '../../app/wire/protocol.ts';

/**
 * Where the login window may go (design §2). Pure decisions; `guards.ts` asks them at every door Chromium has.
 *
 * Yandex's own hosts are free. Any other https host is allowed only as a part of signing in: reached from a Passport page (a company's
 * identity provider, protocol §2) or from the provider itself, on the way back. The Messenger page is no part of signing in: links people
 * post there go to the system browser.
 */
export type NavigationVerdict = 'allow' | 'external' | 'refuse';

/** What one login flow knows about where it has been. */
export interface FlowPosition {
  /** URL the top-level document shows, or the last hop of a redirect chain; undefined before the first load. */
  readonly from: string | undefined;
  /** Whether a person clicked or pressed a key in the page just before. */
  readonly hasUserActivation: boolean;
  /** For a hop of a server's redirect: the page that was shown when it began. */
  readonly redirectedSince?: string | undefined;
}

function hostMatches(hostname: string, domain: string): boolean {
  const bare = domain.replace(/^\./, '').toLowerCase();
  return hostname === bare || (hostname.endsWith(`.${bare}`) && !/^[\d.]+$/.test(bare));
}

/** Whether a URL stands on one of Yandex's own hosts: the cookie domain, its subdomains, and the Messenger page's host. */
export function isYandexUrl(url: URL, protocol: Protocol): boolean {
  const hostname = url.hostname.toLowerCase();
  return hostMatches(hostname, protocol.cookieDomain) || hostname === new URL(protocol.messengerPageUrl).hostname;
}

/** How Passport and its helpers name their hosts (`passport.`, `sso.passport.`, `id.`, `oauth.`) or paths. */
const SIGN_IN_WORD = /(^|[./_-])(passport|o?auth2?|sso|saml2?|log-?in|sign-?in|idp|id|accounts?)([./_-]|$)/i;

/** The Messenger page itself, where a signed-in person reads what others wrote. */
export function isMessengerPage(url: URL, protocol: Protocol): boolean {
  const page = new URL(protocol.messengerPageUrl);
  if (url.origin !== page.origin) return false;
  const root = page.pathname.replace(/\/+$/, '');
  if (root === '') return !SIGN_IN_WORD.test(url.pathname); // the whole host is Messenger's, but for pages named like Passport
  return url.pathname === root || url.pathname.startsWith(`${root}/`);
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** https, or http on this machine while the constants describe a Messenger on this machine. */
function isWebUrl(url: URL, protocol: Protocol): boolean {
  if (url.username || url.password) return false; // `https://passport.yandex.ru@evil.example` reads like Yandex
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && isLoopbackHost(url.hostname) && isLoopbackHost(new URL(protocol.messengerPageUrl).hostname);
}

/**
 * Whether a page is a part of signing in: one of Yandex's that is named like Passport, or a company's provider, which can only have been
 * reached from there. Yandex has many other pages, and their links lead anywhere.
 */
function isSigningIn(from: string | undefined, protocol: Protocol): boolean {
  const url = from === undefined ? undefined : parse(from);
  if (!url || !isWebUrl(url, protocol)) return false;
  if (!isYandexUrl(url, protocol)) return true;
  return !isMessengerPage(url, protocol) && SIGN_IN_WORD.test(`${url.hostname}${url.pathname}`);
}

/**
 * A click on one of Yandex's pages other than Messenger's, which Yandex's server answered by sending the person on: how Passport hands over to a
 * company's provider, whatever its pages are called. A click on a link that somebody posted begins on the Messenger page and is none.
 */
function isSentOnByClick({ from, hasUserActivation, redirectedSince }: FlowPosition, protocol: Protocol): boolean {
  const isOtherYandexPage = (page: string | undefined): boolean => {
    const url = page === undefined ? undefined : parse(page);
    return url !== undefined && isYandexUrl(url, protocol) && !isMessengerPage(url, protocol);
  };
  return hasUserActivation && isOtherYandexPage(redirectedSince) && isOtherYandexPage(from);
}

/** May the top-level document go to `target`? Also asked for every hop of a redirect. */
export function decideNavigation(target: string, position: FlowPosition, protocol: Protocol): NavigationVerdict {
  const url = parse(target);
  if (!url) return 'refuse';
  if (!isWebUrl(url, protocol)) return 'refuse';
  if (isYandexUrl(url, protocol)) return 'allow';
  if (isSigningIn(position.from, protocol) || isSentOnByClick(position, protocol)) return 'allow';
  return externalOrRefuse(url, position);
}

/** May a page open a window for `target`? Only a click is followed; unclicked popups would loop (protocol §2). */
export function decidePopup(target: string, position: FlowPosition, protocol: Protocol): NavigationVerdict {
  if (!position.hasUserActivation) return 'refuse';
  if (target === 'about:blank' || target === '') return 'allow'; // opened empty, then pointed at Passport; every later step is asked again
  return decideNavigation(target, position, protocol);
}

/** May a frame inside the page load `target`? Frames take part in Passport's own checks; they stay on the web. */
export function decideFrame(target: string, protocol: Protocol): NavigationVerdict {
  if (target === 'about:blank' || target === 'about:srcdoc') return 'allow';
  const url = parse(target);
  if (!url) return 'refuse';
  if (url.protocol === 'blob:') return 'allow'; // inherits the origin that made it
  return isWebUrl(url, protocol) ? 'allow' : 'refuse';
}

function externalOrRefuse(url: URL, position: FlowPosition): NavigationVerdict {
  return url.protocol === 'https:' && position.hasUserActivation ? 'external' : 'refuse';
}

/**
 * Title of the login window: always the real host first (punycode as it is, so that look-alike letters show), never the page's own title.
 */
export function loginTitle(currentUrl: string, label: string): string {
  const url = parse(currentUrl);
  return url && url.host ? `${url.host} — ${label}` : label;
}
