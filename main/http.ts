import type { ClientRequest, IncomingMessage, Session } from 'electron';
import { net } from 'electron';
import type { HttpFetch, HttpRequest, HttpResponse } from '../app/wire/ports.ts';
import { streamOverNode } from './http-upload.ts';

/**
 * HTTP through the login partition's own network stack: its cookies, proxy and certificates come with it (design §2).
 *
 * Chromium sends a body of unknown length in chunks, which file stores refuse; a streamed body with a known length therefore goes by Node's
 * https, with the same proxy, and with the session's cookies only where the request asks for them.
 */
export function createHttpFetch(session: Session): HttpFetch {
  return (request) => (isStream(request.body) ? streamOverNode(session, request, request.body) : fetchOverChromium(session, request));
}

function isStream(body: HttpRequest['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}

function fetchOverChromium(session: Session, request: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    if (request.signal.aborted) {
      reject(abortReason(request.signal));
      return;
    }
    const client = net.request({
      method: request.method,
      url: request.url,
      session,
      credentials: request.withSession ? 'include' : 'omit',
      redirect: 'manual',
      cache: 'no-store',
      ...(request.withSession ? { origin: new URL(request.url).origin } : {}),
    });
    for (const [name, value] of Object.entries(request.headers)) {
      if (name.toLowerCase() === 'content-length') continue; // Chromium counts for itself and refuses ours
      client.setHeader(name, value);
    }

    const onAbort = (): void => {
      reject(abortReason(request.signal));
      client.abort();
    };
    request.signal.addEventListener('abort', onAbort, { once: true });
    const release = (): void => request.signal.removeEventListener('abort', onAbort);

    client.on('redirect', (statusCode, _method, redirectUrl, headers) => {
      release();
      resolve({ status: statusCode, headers: { ...flatten(headers), location: redirectUrl }, body: emptyBody() });
      client.abort(); // the caller decides whether to follow, as a new request
    });
    client.on('response', (response) => {
      const body = readBody(client, response, request.signal, release);
      resolve({ status: response.statusCode, headers: flatten(response.headers), body });
    });
    client.on('error', (error) => {
      release();
      reject(error);
    });
    client.on('login', (_info, answer) => answer()); // no credentials of a proxy or a site are made up
    if (request.body !== undefined) client.write(typeof request.body === 'string' ? request.body : Buffer.from(request.body as Uint8Array));
    client.end();
  });
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {
  /* nothing */
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]));
}

/**
 * The response as an async iterable. Electron's IncomingMessage is a Readable at run time (paused while nobody reads, so a slow
 * disk slows the network down), which its typings do not say.
 */
async function* readBody(client: ClientRequest, response: IncomingMessage, signal: AbortSignal, release: () => void): AsyncGenerator<Uint8Array> {
  let isComplete = false;
  try {
    for await (const chunk of response as unknown as AsyncIterable<Buffer>) yield chunk;
    if (signal.aborted) throw abortReason(signal);
    isComplete = true;
  } catch (error) {
    throw signal.aborted ? abortReason(signal) : error;
  } finally {
    release();
    if (!isComplete) client.abort();
  }
}
