import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { newHex } from './ids.ts';
import type { SimState } from './state.ts';
import type { StoredFile } from './world.ts';

/** Downloads and uploads (protocol §6): Yandex's file host, and the foreign host where the bytes really are. */

const PREVIEW_SIZES = new Set(['SMALL', 'SMALL48', 'MIDDLE2048', 'ORIGINAL']);
const CHUNK = Buffer.alloc(64 * 1024, 'vestnik ');
/** Uploads up to this many bytes are kept; of larger ones only the size and hash. */
const KEEP_BYTES = 64 * 1024 * 1024;

/** `GET /file_shortterm/<bucket>/<uuid>`: needs the cookies, answers 302 to the storage host. */
export function serveFileShortterm(state: SimState, request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const fault = state.faults.take('files', path);
  if (fault?.kind === 'http') return void response.writeHead(fault.status, fault.headers).end(fault.body);
  if (fault?.kind === 'drop') return void request.socket.destroy();
  if (fault?.kind === 'silence') return;
  if (!state.accounts.find(request.headers.cookie)?.isValid) return void response.writeHead(401).end();
  const params = new URLSearchParams(query);
  const size = params.get('size');
  const isAsked = params.get('attach') === 'true' || (size !== null && PREVIEW_SIZES.has(size));
  const segments = path.slice('/file_shortterm/'.length).split('/').map(decodeURIComponent);
  const file = segments.length === 2 && !segments.some((segment) => segment.includes('/')) ? state.world.files.get(segments.join('/')) : undefined;
  if (!isAsked) return void response.writeHead(400).end('attach=true or size=');
  if (!file) return void response.writeHead(404).end();
  const token = newHex(12);
  state.storageTokens.set(token, { file, hops: state.settings.storageHops });
  response.writeHead(302, { location: `${state.foreignOrigin}/storage/${token}` }).end();
}

/** The storage host: it must never see the session's cookies, and notes it when it does. */
export async function serveStorage(state: SimState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = (request.url ?? '').split('/')[2] ?? '';
  noteCookies(state, request, 'storage');
  const entry = state.storageTokens.get(token);
  if (!entry) return void response.writeHead(404).end();
  if (entry.hops > 0) {
    entry.hops -= 1;
    return void response.writeHead(302, { location: `/storage/${token}` }).end();
  }
  const fault = state.faults.take('storage', token);
  if (fault?.kind === 'http') return void response.writeHead(fault.status, fault.headers).end(fault.body);
  if (fault?.kind === 'drop') return void request.socket.destroy();
  if (fault?.kind === 'silence') return;
  const { file } = entry;
  const total = file.generatedSize ?? file.bytes.length;
  response.writeHead(200, {
    'content-type': file.contentType,
    'content-length': total,
    'content-disposition': `attachment; filename="download.bin"; filename*=UTF-8''${encodeURIComponent(file.name).replaceAll("'", '%27')}`,
  });
  const stopAt = fault?.kind === 'stall' || fault?.kind === 'cut' ? (fault.afterBytes ?? Math.floor(total / 2)) : total;
  await sendBytes(file, Math.min(stopAt, total), response);
  if (fault?.kind === 'cut') response.destroy();
  else if (fault?.kind !== 'stall') response.end();
}

async function sendBytes(file: StoredFile, total: number, response: ServerResponse): Promise<void> {
  let sent = 0;
  while (sent < total && !response.destroyed) {
    const source = file.generatedSize === undefined ? file.bytes.subarray(sent, sent + CHUNK.length) : CHUNK;
    const part = source.subarray(0, Math.min(source.length, total - sent));
    sent += part.length;
    if (!response.write(part)) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          response.off('drain', done);
          response.off('close', done);
          resolve();
        };
        response.once('drain', done);
        response.once('close', done);
      });
    }
  }
}

/** `PUT /upload-target/<token>`: the bytes, as many as were announced; answers with `Location`. */
export async function serveUpload(state: SimState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  noteCookies(state, request, 'upload');
  const token = (request.url ?? '').split('/')[2] ?? '';
  const upload = state.uploads.get(token);
  const fault = state.faults.take('upload', 'PUT');
  if (fault?.kind === 'http') return void response.writeHead(fault.status, { connection: 'close', ...fault.headers }).end(fault.body);
  if (fault?.kind === 'drop') return void request.socket.destroy();
  if (fault?.kind === 'silence') return;
  if (request.method !== 'PUT' || !upload) return void response.writeHead(404, { connection: 'close' }).end();
  if (upload.size > state.settings.maxUploadBytes) return void response.writeHead(413, { connection: 'close' }).end();
  if (state.usedBytes + upload.size > state.settings.quotaBytes) return void response.writeHead(507, { connection: 'close' }).end();
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    hash.update(chunk);
    if (size <= KEEP_BYTES) kept.push(chunk);
    if (fault?.kind === 'cut' && size >= (fault.afterBytes ?? 0)) return void request.socket.destroy();
  }
  if (size !== upload.size) {
    state.log.violate(`upload: ${upload.size} bytes were announced, ${size} came`);
    return void response.writeHead(400).end();
  }
  state.usedBytes += size;
  const isKept = size <= KEEP_BYTES;
  const file = state.world.file(upload.name, isKept ? Buffer.concat(kept) : '', 'application/octet-stream', isKept ? undefined : size);
  upload.fileId = file.id2;
  upload.location = `/disk/${newHex(16)}`;
  state.received.push({ fileId: file.id2, name: upload.name, size, sha256: hash.digest('hex'), chatId: upload.chatId });
  response.writeHead(201, { location: upload.location }).end();
}

function noteCookies(state: SimState, request: IncomingMessage, where: 'storage' | 'upload'): void {
  const cookies = request.headers.cookie ?? '';
  state.log.add({
    channel: 'storage',
    method: request.method ?? '',
    params: { url: request.url ?? '', where },
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    cookiesSent: cookies,
  });
  if (/Session_id|sessionid2|yandexuid/.test(cookies)) state.log.violate(`${where}: the foreign host received the session's cookies`);
}
