import type { Session } from 'electron';
import WebSocket from 'ws';
import type { SocketFactory } from '../app/wire/ports.ts';
import { proxyAgent, trustedCertificates } from './proxy.ts';

const HANDSHAKE_TIMEOUT_MS = 15_000; // a hanging upgrade counts as lost, and the wire backs off

/**
 * Sockets by `ws`, through the proxy the session would use (Chromium's own WebSocket is out of reach of main, and a page's could not carry these headers).
 * The socket is returned before it is open, so that listeners catch `subscribed` (protocol §3, L).
 */
export function createSocketFactory(session: Session): SocketFactory {
  return async (url, headers) => {
    const agent = await proxyAgent(session, url);
    return new WebSocket(url, {
      headers: { 'User-Agent': session.getUserAgent(), ...headers },
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      ...trustedCertificates(),
      ...(agent ? { agent } : {}),
    });
  };
}
