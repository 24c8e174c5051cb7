/** Proxies for connections that do not go through Chromium: the socket, and uploads. */
import type { Agent } from 'node:http';
import tls from 'node:tls';
import type { Session } from 'electron';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import { firstProxyUrl } from './proxy-url.ts';

/** An agent for the proxy the system (or its PAC file) names for this URL; undefined for none. `wss:` is asked as `https:`, which PAC files know. */
export async function proxyAgent(session: Session, url: string): Promise<Agent | undefined> {
  const proxy = firstProxyUrl(await session.resolveProxy(url.replace(/^ws/, 'http')));
  if (!proxy) return undefined;
  return proxy.startsWith('socks') ? new SocksProxyAgent(proxy) : new HttpsProxyAgent(proxy, trustedCertificates());
}

/**
 * Certificates to trust besides Node's own: the system's, where this Node can read them (22.15 and later; Electron 45 can). A company's own root
 * then works for the socket as it does for Chromium.
 */
export function trustedCertificates(): { ca?: string[] } {
  const read = (tls as { getCACertificates?: (type: string) => string[] }).getCACertificates;
  if (!read) return {};
  try {
    return { ca: [...new Set([...read('default'), ...read('system')])] };
  } catch {
    return {};
  }
}
