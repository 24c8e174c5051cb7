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

/** Whether the session's cookies belong to this host: the cookie domain itself or a host below it. */
export function isOwnHost(url: URL, cookieDomain: string): boolean {
  const domain = cookieDomain.replace(/^\./, '').toLowerCase();
  return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
}
