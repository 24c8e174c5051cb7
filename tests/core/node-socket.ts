import { WebSocket } from 'ws';
import type { SocketFactory } from '../../app/wire/ports.ts';

const MAX_FRAME_BYTES = 32 * 1024 * 1024; // a page of history at the ceiling stays far below
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** `SocketFactory` over `ws`, direct, without a proxy. */
export function createNodeSocketFactory(): SocketFactory {
  return async (url, headers) =>
    new WebSocket(url, {
      headers: { ...headers },
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      perMessageDeflate: false,
      followRedirects: false, // the cookies stay with the host they were given for
    });
}
