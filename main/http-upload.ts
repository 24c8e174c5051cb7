import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Session } from 'electron';
import type { HttpRequest, HttpResponse } from '../app/wire/ports.ts';
import { proxyAgent, trustedCertificates } from './proxy.ts';

/** One request with a streamed body by Node's http(s), through the proxy of `session`. Rejects on network failure or with the signal's reason. */
export async function streamOverNode(session: Session, request: HttpRequest, body: AsyncIterable<Uint8Array>): Promise<HttpResponse> {
  const url = new URL(request.url);
  const agent = await proxyAgent(session, request.url);
  const headers: Record<string, string> = { 'User-Agent': session.getUserAgent(), ...request.headers };
  if (request.contentLength !== undefined) headers['Content-Length'] = String(request.contentLength);
  if (request.withSession) {
    const cookies = await session.cookies.get({ url: request.url });
    if (cookies.length > 0) headers['Cookie'] = cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
  }
  const send = url.protocol === 'https:' ? https.request : http.request;
  return new Promise((resolve, reject) => {
    const client = send(url, { method: request.method, headers, signal: request.signal, ...trustedCertificates(), ...(agent ? { agent } : {}) });
    const fail = (error: unknown): void => {
      const cause: unknown = request.signal.aborted ? request.signal.reason : error;
      reject(cause instanceof Error ? cause : new Error('request failed'));
      client.destroy();
    };
    client.on('response', (response) => {
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])),
        body: response,
      });
    });
    client.on('error', fail);
    // A server that refuses early (quota, size) answers and closes; its answer, if it came, has resolved the promise already.
    pipeline(Readable.from(body), client).catch(fail);
  });
}
