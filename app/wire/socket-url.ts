import type { Protocol } from './protocol.ts';

const API_VERSION = 5; // protocol page, table at the top (L)

/**
 * The socket's address. The query is form-urlencoded exactly as the web client does it (protocol §3, L): `:` and `+` escaped, `*` literal;
 * a literal `+` makes the server close with 4400. `sessionId` is random per connection, `uid` the proven one.
 */
export function socketUrl(protocol: Protocol, sessionId: string, uid: string): string {
  const url = new URL(protocol.socketUrl);
  const channels = [`${protocol.xivaServiceName}:version${API_VERSION}*common`, `version${API_VERSION}*main`].join('+');
  url.search = new URLSearchParams([...url.searchParams, ['service', channels], ['session', sessionId], ['client', 'web_main'], ['user', uid]]).toString();
  return url.toString();
}
