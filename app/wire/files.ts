import { randomUUID } from 'node:crypto';
import type { DownloadStream, Json, JsonObject, UploadFile } from './api.ts';
import { ConnectionLostError, CookieRejectedError, DownloadError, RateLimitedError, RegistryError, UploadError } from './errors.ts';
import { fileUrl, isOwnHost, isSignInRedirect, redirectTarget } from './file-urls.ts';
import { asWireError, discard, exchange, retryAfterMs } from './http-body.ts';
import { isJsonObject, stringAt } from './json.ts';
import type { HttpFetch, HttpResponse } from './ports.ts';
import type { Protocol } from './protocol.ts';
import { clampWaitMs } from './status.ts';
import { suggestedFileName } from './content-name.ts';

const MAX_REDIRECTS = 5;

export interface FileDeps {
  readonly protocol: Protocol;
  readonly http: HttpFetch;
  /** A registry mutation with the session's care around it. */
  readonly registry: (method: string, params: JsonObject, signal: AbortSignal) => Promise<Json>;
}

/**
 * Uploads in three steps (protocol §6, B; the 403 for quota seen live) and resolves with the `Id2` for FileInfo.
 * Nobody sees the file before a push names it, so a failure anywhere here means: nothing was sent.
 * @throws UploadError, ConnectionLostError, NotSignedInError, the signal's reason, or whatever `file.open()` throws.
 */
export async function uploadFile(deps: FileDeps, file: UploadFile, signal: AbortSignal, onProgress?: (sentBytes: number) => void): Promise<{ fileId: string }> {
  const request = { name: file.name, upload_id: randomUUID(), size: file.sizeBytes, chat_id: file.chatId };
  const granted = await uploadStep(deps, 'upload_to_disk', { files: [request] }, signal);
  const uploadUrl = stringAt(granted, 'upload_url');
  if (uploadUrl === undefined) throw new UploadError('upload_failed', 200);

  const location = await putBytes(deps, uploadUrl, file, signal, onProgress);
  const added = await uploadStep(deps, 'add_files', { chat_id: file.chatId, files: [{ location }] }, signal);
  const fileId = stringAt(added, 'id');
  if (fileId === undefined) throw new UploadError('upload_failed', 200);
  return { fileId };
}

async function uploadStep(deps: FileDeps, method: string, params: JsonObject, signal: AbortSignal): Promise<Json | undefined> {
  try {
    const data = await deps.registry(method, params, signal);
    const files = isJsonObject(data) ? data['files'] : undefined;
    return Array.isArray(files) ? (files as Json[])[0] : undefined;
  } catch (error) {
    if (error instanceof RegistryError) throw uploadErrorFor(error.httpStatus);
    throw error;
  }
}

async function putBytes(deps: FileDeps, uploadUrl: string, file: UploadFile, signal: AbortSignal, onProgress?: (sentBytes: number) => void): Promise<string> {
  const target = redirectTarget(uploadUrl, deps.protocol.registryUrl);
  if (!target) throw new UploadError('upload_failed', 200);
  const withSession = isOwnHost(target, deps.protocol.cookieDomain, [deps.protocol.registryUrl, deps.protocol.privateFilesUrl]);
  const source = new CountedSource(file, onProgress);
  let response: HttpResponse;
  try {
    response = await exchange(deps.http, {
      method: 'PUT',
      url: target.href,
      headers: { 'Content-Type': 'application/octet-stream' },
      body: source.bytes(),
      contentLength: file.sizeBytes,
      withSession,
      signal,
    });
  } catch (error) {
    if (source.failure !== undefined) throw source.failure;
    throw error;
  }
  await discard(response);
  if (response.status === 401 && withSession) throw new CookieRejectedError('files');
  const location = response.headers['location'];
  if (response.status < 200 || response.status >= 300) throw uploadErrorFor(response.status);
  if (location === undefined || location === '') throw new UploadError('upload_failed', response.status);
  return location;
}

/** HTTP 403 and 507 are quota, 413 is size: two different errors to a person (protocol §6). */
function uploadErrorFor(httpStatus: number): UploadError {
  if (httpStatus === 403 || httpStatus === 507) return new UploadError('upload_quota', httpStatus);
  return new UploadError(httpStatus === 413 ? 'upload_too_large' : 'upload_failed', httpStatus);
}

/** The file's bytes on their way out: counted for progress, held to the announced size, their own failure remembered. */
class CountedSource {
  /** What reading the file threw, if it did. */
  failure: Error | undefined;

  constructor(
    private readonly file: UploadFile,
    private readonly onProgress: ((sentBytes: number) => void) | undefined,
  ) {}

  async *bytes(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    try {
      for await (const chunk of this.file.open()) {
        if (sent + chunk.length > this.file.sizeBytes) throw new UploadError('upload_failed', 0);
        yield chunk;
        sent += chunk.length;
        this.onProgress?.(sent);
      }
      if (sent !== this.file.sizeBytes) throw new UploadError('upload_failed', 0);
    } catch (error) {
      this.failure = error instanceof Error ? error : new UploadError('upload_failed', 0);
      throw error;
    }
  }
}

export type DownloadRequest = { fileId: string; size?: 'SMALL' | 'SMALL48' | 'MIDDLE2048' | 'ORIGINAL' };

/**
 * Opens an attachment (protocol §6, L). Redirects are followed; the session's cookies never go to another origin, nor anywhere after one.
 * A stalled transfer is ended by the signal alone.
 * @throws DownloadError, CookieRejectedError, RateLimitedError, ConnectionLostError, or the signal's reason. The body's iteration throws the last two.
 */
export async function downloadFile(deps: Pick<FileDeps, 'protocol' | 'http'>, file: DownloadRequest, signal: AbortSignal): Promise<DownloadStream> {
  const start = fileUrl(deps.protocol.privateFilesUrl, file.fileId, file.size);
  if (!start) throw new DownloadError('file_missing', 0);
  let url = start;
  let withSession = true;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await exchange(deps.http, { method: 'GET', url: url.href, headers: {}, withSession, signal });
    if (!isRedirect(response.status)) return openStream(response, withSession, signal);
    await discard(response);
    if (withSession && isSignInRedirect(response)) throw new CookieRejectedError('files');
    const next = redirectTarget(response.headers['location'], url.href);
    if (!next) throw new DownloadError('download_failed', response.status);
    withSession &&= next.origin === start.origin;
    url = next;
  }
  throw new DownloadError('download_failed', 310);
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

async function openStream(response: HttpResponse, wasWithSession: boolean, signal: AbortSignal): Promise<DownloadStream> {
  const { status, headers } = response;
  if (status !== 200) {
    await discard(response);
    if (status === 401 && wasWithSession) throw new CookieRejectedError('files');
    if (status === 429) throw new RateLimitedError(clampWaitMs(retryAfterMs(response)));
    throw new DownloadError(status === 404 || status === 410 ? 'file_missing' : 'download_failed', status);
  }
  const length = headers['content-length'];
  const contentLength = length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
  const isEncoded = headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity';
  return {
    contentType: headers['content-type'],
    contentLength,
    suggestedName: suggestedFileName(headers['content-disposition']),
    body: checkedBody(response.body, isEncoded ? undefined : contentLength, signal),
  };
}

/**
 * The body, with its failures typed and a short one noticed: half a file must not look like a whole one.
 * Returning from it, even before the first chunk, ends the transfer.
 */
function checkedBody(body: AsyncIterable<Uint8Array>, expectedBytes: number | undefined, signal: AbortSignal): AsyncIterable<Uint8Array> {
  let hasStarted = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let received = 0;
    try {
      for await (const chunk of body) {
        received += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw asWireError(error, signal, false);
    }
    if (expectedBytes !== undefined && received !== expectedBytes) throw new ConnectionLostError(false, 'download broke off');
  }
  const iterator = chunks();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        hasStarted = true;
        return iterator.next();
      },
      return: async () => {
        if (!hasStarted) void discard({ body });
        return iterator.return(undefined);
      },
    }),
  };
}
