/** Proxies for connections that do not go through Chromium: the socket, and uploads. */
import type { Agent } from 'node:http';
import tls from 'node:tls';
import type { Session } from 'electron';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

/** URL of the first usable proxy in Chromium's answer (`PROXY a:1; SOCKS5 b:2; DIRECT`), or undefined for a direct connection. */
export function firstProxyUrl(answer: string): string | undefined {
  for (const entry of answer.split(';')) {
    const [kind, address] = entry.trim().split(/\s+/, 2);
    switch (kind?.toUpperCase()) {
      case 'DIRECT':
        return undefined;
      case 'PROXY':
        if (address) return `http://${address}`;
        break;
      case 'HTTPS':
        if (address) return `https://${address}`;
        break;
      case 'SOCKS':
      case 'SOCKS4':
        if (address) return `socks4://${address}`;
        break;
      case 'SOCKS5':
        if (address) return `socks5h://${address}`; // h: the proxy resolves names, as in Chromium
        break;
      default:
        break;
    }
  }
  return undefined;
}

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
