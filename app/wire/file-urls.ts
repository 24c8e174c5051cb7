import type { HttpResponse } from './ports.ts';
import { isLoopbackHost } from './protocol.ts';

/**
 * Address of an attachment. `Id2` holds a slash, so it is encoded per segment (protocol §4 and §6, L).
 * Undefined for an id that could leave the folder it belongs in (`..`, an empty segment).
 */
export function fileUrl(filesUrl: string, fileId: string, size: string | undefined): URL | undefined {
  const segments = fileId.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return undefined;
  const url = new URL(filesUrl);
  try {
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/file_shortterm/${segments.map(encodeURIComponent).join('/')}`;
  } catch {
    return undefined; // half a surrogate pair cannot be encoded
  }
  url.search = size === undefined ? '?attach=true' : `?size=${encodeURIComponent(size)}`;
  return url;
}

/**
 * Where the server sends us next, resolved against `from`. Undefined for a missing or broken address, for credentials in it, and for
 * anything but https (http counts only from one loopback address to another).
 */
export function redirectTarget(location: string | undefined, from: string): URL | undefined {
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  const url = new URL(location, from);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return url;
  const isLocal = isLoopbackHost(url.hostname) && isLoopbackHost(new URL(from).hostname);
  return url.protocol === 'http:' && isLocal ? url : undefined;
}

/**
 * Whether the session's cookies belong to this host: the cookie domain itself or a host below it. On this machine other ports are
 * other servers, so there only the addresses of `ownUrls` count.
 */
export function isOwnHost(url: URL, cookieDomain: string, ownUrls: readonly string[] = []): boolean {
  if (isLoopbackHost(url.hostname)) return ownUrls.some((own) => new URL(own).origin === url.origin);
  const domain = cookieDomain.replace(/^\./, '').toLowerCase();
  return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
}

/** A redirect to Passport in place of an answer: the session is not accepted any more (I; the proven answers are HTTP 401 and the registry's codes). */
export function isSignInRedirect(response: Pick<HttpResponse, 'status' | 'headers'>): boolean {
  const { location } = response.headers;
  if (response.status < 300 || response.status > 399 || location === undefined || !URL.canParse(location)) return false;
  return new URL(location).hostname.startsWith('passport.');
}
