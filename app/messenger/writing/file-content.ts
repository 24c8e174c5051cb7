import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';

/** What a file holds, told by its bytes; its name says nothing (an `.exe` named `.jpg` is a file, not an image). */

export interface FileContent {
  readonly sha256: string;
  readonly mime: string;
  readonly kind: 'image' | 'file';
  readonly width: number | undefined;
  readonly height: number | undefined;
}

const CHUNK_BYTES = 1024 * 1024;
/** Enough for type and dimensions: JPEG puts its size behind previews and profiles. */
const HEAD_BYTES = 1024 * 1024;
/** Formats the web client shows as a picture; others go as files (B). */
const SHOWN_AS_IMAGE: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/gif', 'image/webp', 'image/bmp']);
/** EXIF orientations that turn a picture by a quarter. */
const FIRST_TURNED_ORIENTATION = 5;

/** Reads an open file once from its start: hash of everything, type and dimensions from its head. @throws the signal's reason */
export async function inspectFile(handle: FileHandle, signal: AbortSignal): Promise<FileContent> {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let headBytes = 0;
  for await (const chunk of chunksOf(handle, signal)) {
    hash.update(chunk);
    if (headBytes < HEAD_BYTES) {
      head.push(Buffer.from(chunk));
      headBytes += chunk.length;
    }
  }
  return { sha256: hash.digest('hex'), ...(await describeHead(Buffer.concat(head))) };
}

/** The bytes of an open file from its start. Each chunk is valid until the next one is asked for. @throws the signal's reason */
export async function* chunksOf(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function describeHead(head: Buffer): Promise<Omit<FileContent, 'sha256'>> {
  const type = await fileTypeFromBuffer(head).catch(() => undefined);
  const mime = type?.mime ?? (isText(head) ? 'text/plain' : 'application/octet-stream');
  const kind = SHOWN_AS_IMAGE.has(mime) ? 'image' : 'file';
  return { mime, kind, ...(kind === 'image' ? dimensionsOf(head) : { width: undefined, height: undefined }) };
}

function dimensionsOf(head: Buffer): { width: number | undefined; height: number | undefined } {
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    return orientation >= FIRST_TURNED_ORIENTATION ? { width: height, height: width } : { width, height };
  } catch {
    return { width: undefined, height: undefined }; // a picture all the same; its size is only for show
  }
}

/** UTF-8 without control characters, as far as the head goes; the last bytes may be half a character. */
function isText(head: Buffer): boolean {
  if (head.length === 0 || head.includes(0)) return false;
  const end = head.length < HEAD_BYTES ? head.length : head.length - 4;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, end), { stream: true });
    return true;
  } catch {
    return false;
  }
}
