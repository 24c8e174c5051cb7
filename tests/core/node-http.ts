import http from 'node:http';
import https from 'node:https';
import type { HttpFetch, HttpRequest, HttpResponse, SessionSource } from '../../app/wire/ports.ts';

/**
 * `HttpFetch` over Node's own client. The `Cookie` header goes along iff `withSession`; redirects are returned as they are.
 */
export function createNodeHttp(source: Pick<SessionSource, 'cookies'>): HttpFetch {
  return async (request) => {
    const session = request.withSession ? await source.cookies() : undefined;
    return exchange(request, session?.header);
  };
}

function exchange(request: HttpRequest, cookie: string | undefined): Promise<HttpResponse> {
  const { method, url, body, contentLength, signal } = request;
  const isStream = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
  const headers: Record<string, string | number> = { ...request.headers };
  if (cookie !== undefined) headers['Cookie'] = cookie;
  if (isStream && contentLength !== undefined) headers['Content-Length'] = contentLength;
  if (!isStream && method !== 'GET') headers['Content-Length'] = body === undefined ? 0 : Buffer.byteLength(body);

  return new Promise<HttpResponse>((resolve, reject) => {
    if (signal.aborted) {
      reject(asError(signal.reason));
      return;
    }
    // A connection of its own per exchange: no request ever meets a kept-alive socket that the server has just closed.
    const outgoing = (url.startsWith('https:') ? https : http).request(url, { method, headers, agent: false });
    const abort = () => outgoing.destroy(asError(signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    outgoing.on('close', () => signal.removeEventListener('abort', abort));
    outgoing.on('error', reject);

    let isAnswered = false;
    outgoing.on('response', (incoming) => {
      isAnswered = true;
      incoming.on('error', () => undefined); // the body's reader sees it
      resolve({ status: incoming.statusCode ?? 0, headers: flatHeaders(incoming.headers), body: bodyOf(incoming, outgoing) });
    });

    if (!isStream) outgoing.end(body);
    else void sendStream(outgoing, body, () => isAnswered).catch((error: unknown) => outgoing.destroy(asError(error)));
  });
}

/** Writes a streamed body at the socket's pace. Stops when the server has already answered (413 before the end, for one). */
async function sendStream(outgoing: http.ClientRequest, body: AsyncIterable<Uint8Array>, isAnswered: () => boolean): Promise<void> {
  for await (const chunk of body) {
    if (outgoing.destroyed || isAnswered()) return;
    if (!outgoing.write(chunk)) await firstOf(outgoing, ['drain', 'response', 'close']);
    // Lets an answer in before the next chunk; a refusal must not drown in a broken pipe.
    await new Promise((resolve) => setImmediate(resolve));
  }
  outgoing.end();
}

function firstOf(emitter: http.ClientRequest, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) emitter.off(event, done);
      resolve();
    };
    for (const event of events) emitter.on(event, done);
  });
}

function bodyOf(incoming: http.IncomingMessage, outgoing: http.ClientRequest): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for await (const chunk of incoming) yield chunk as Uint8Array;
      } finally {
        outgoing.destroy();
      }
    },
  };
}

function flatHeaders(headers: http.IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted');
}
