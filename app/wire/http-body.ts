import { abortError } from './abort.ts';
import { ConnectionLostError, UnexpectedAnswerError, WireError } from './errors.ts';
import type { HttpFetch, HttpRequest, HttpResponse } from './ports.ts';

/**
 * One exchange through the port, with its failures typed. `isWrite`: something may have been changed when no answer comes.
 * @throws the signal's reason when aborted, ConnectionLostError for a network failure.
 */
export async function exchange(http: HttpFetch, request: HttpRequest, isWrite = false): Promise<HttpResponse> {
  if (request.signal.aborted) throw abortError(request.signal);
  try {
    return await http(request);
  } catch (error) {
    throw asWireError(error, request.signal, isWrite);
  }
}

/**
 * Reads a whole body as UTF-8 text of at most `maxBytes`.
 * @throws UnexpectedAnswerError when it is longer, ConnectionLostError when it breaks off.
 */
export async function readText(response: HttpResponse, maxBytes: number, signal: AbortSignal, isWrite = false): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > maxBytes) throw new UnexpectedAnswerError('answer too large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw asWireError(error, signal, isWrite);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Ends a body nobody reads. Starts it first: an iterator that never ran has nothing to clean up, and the transfer would stay open. */
export async function discard(response: Pick<HttpResponse, 'body'>): Promise<void> {
  try {
    for await (const chunk of response.body) {
      void chunk;
      break;
    }
  } catch {
    // The transfer is being thrown away; how it ended is of no interest.
  }
}

/** A port's failure as one of ours: errors of the wire pass, an abort wins over the network error it caused. */
export function asWireError(error: unknown, signal: AbortSignal, wasSent: boolean): WireError {
  if (error instanceof WireError && error !== signal.reason) return error;
  if (signal.aborted) return abortError(signal, wasSent);
  return new ConnectionLostError(wasSent, 'network failure');
}

/** `Retry-After` in milliseconds; NaN unless it is a number of seconds. */
export function retryAfterMs(response: HttpResponse): number {
  const header = response.headers['retry-after'];
  return header !== undefined && /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Number.NaN;
}
