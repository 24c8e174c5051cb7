/** Attachments to disk: streamed under a temporary name, then given their own name without ever overwriting one (design §4). */
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { DownloadError, type DownloadStream } from '../../wire/index.ts';
import type { Call } from '../api.ts';
import type { ReadingBase } from './base.ts';
import { numberedName, safeFileName } from './safe-name.ts';
import { sweepFolder } from './sweep.ts';

export const DOWNLOAD_SIZES = ['SMALL', 'SMALL48', 'MIDDLE2048', 'ORIGINAL'] as const;
export type DownloadSize = (typeof DOWNLOAD_SIZES)[number];

/** Bytes between two progress reports, and how many reports a large file makes at most. */
const PROGRESS_STEP_BYTES = 512 * 1024;
const PROGRESS_REPORTS = 200;
const MAX_NUMBERED = 10_000;

export interface Download {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly contentType: string | undefined;
}

export class Downloads {
  constructor(private readonly base: ReadingBase) {}

  /** Removes what is older than the person's limit; called at start and before each download. */
  async sweep(): Promise<number> {
    const { downloadsFolder, downloadsDays } = this.base.ports.settings();
    const removed = await sweepFolder(downloadsFolder, downloadsDays, this.base.ports.clock.now());
    if (removed > 0) this.base.ports.log.info('downloads_swept', { removed });
    return removed;
  }

  /**
   * Downloads one attachment into the downloads folder. Nothing is left behind on failure.
   * @throws DownloadError, and what the wire throws
   */
  async fetch(request: { fileId: string; size?: DownloadSize; name?: string }, call: Call): Promise<Download> {
    const { fileId, size } = request;
    await this.base.myGuid(call);
    await this.sweep();
    const { downloadsFolder } = this.base.ports.settings();
    await mkdir(downloadsFolder, { recursive: true, mode: 0o700 });
    const stream = await this.base.ports.wire.download({ fileId, ...(size !== undefined && { size }) }, call);
    // FileInfo.Name wins over Content-Disposition (protocol §6, L).
    const wanted = safeFileName(request.name ?? this.base.fileName(fileId) ?? stream.suggestedName ?? fileId.split('/').pop() ?? '');
    const partial = join(downloadsFolder, `download-${randomBytes(8).toString('hex')}.part`);
    try {
      const bytes = await writeStream(partial, stream, call);
      const path = await moveWithoutOverwriting(partial, downloadsFolder, wanted);
      return { path: join(downloadsFolder, path), name: path, bytes, contentType: stream.contentType };
    } catch (error) {
      await unlink(partial).catch(() => undefined);
      throw error;
    }
  }
}

async function writeStream(path: string, stream: DownloadStream, call: Call): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  let reported = 0;
  const step = Math.max(PROGRESS_STEP_BYTES, (stream.contentLength ?? 0) / PROGRESS_REPORTS);
  try {
    for await (const chunk of stream.body) {
      call.signal.throwIfAborted();
      await writeAll(file, chunk);
      bytes += chunk.byteLength;
      if (bytes - reported >= step) {
        reported = bytes;
        call.onProgress?.(bytes, stream.contentLength);
      }
    }
  } finally {
    await file.close();
  }
  call.signal.throwIfAborted();
  // A connection that ends early must not pass for a whole file.
  if (stream.contentLength !== undefined && bytes < stream.contentLength) throw new DownloadError('download_failed', 0);
  if (bytes > reported) call.onProgress?.(bytes, stream.contentLength ?? bytes);
  return bytes;
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength;) done += (await file.write(chunk, done)).bytesWritten;
}

/** Takes the first free of `name`, `name (2)`, … by creating it exclusively, then moves the file over that empty one of ours. */
async function moveWithoutOverwriting(from: string, folder: string, name: string): Promise<string> {
  for (let number = 1; number < MAX_NUMBERED; number += 1) {
    const candidate = numberedName(name, number);
    try {
      await (await open(join(folder, candidate), 'wx', 0o600)).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    try {
      await rename(from, join(folder, candidate));
    } catch (error) {
      await unlink(join(folder, candidate)).catch(() => undefined);
      throw error;
    }
    return candidate;
  }
  throw new DownloadError('download_failed', 0);
}
