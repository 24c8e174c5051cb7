import fs from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import type { Log } from '../app/wire/ports.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MAX_FILE_BYTES = 2_000_000; // a few days of normal use; older lines help nobody
const KEPT_FILES = 3;

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The level of `VESTNIK_LOG_LEVEL`; an unknown word counts as `info`. */
export function parseLogLevel(value: string | undefined): LogLevel {
  return LOG_LEVELS.find((level) => level === value) ?? 'info';
}

/** A 0600 file that starts anew when it is full, keeping a few old ones beside it. Writes are synchronous: the last line before a crash counts. */
export class RotatingFile {
  private descriptor: number | undefined;
  private sizeBytes = 0;

  constructor(
    private readonly file: string,
    private readonly maxBytes = MAX_FILE_BYTES,
  ) {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    this.open();
  }

  write(line: string): void {
    if (this.descriptor === undefined) return;
    const bytes = Buffer.from(line);
    try {
      if (this.sizeBytes > 0 && this.sizeBytes + bytes.length > this.maxBytes) this.rotate();
      fs.writeSync(this.descriptor, bytes);
      this.sizeBytes += bytes.length;
    } catch {
      this.close(); // a full disk must not take the app down; stderr still has the line
    }
  }

  close(): void {
    if (this.descriptor !== undefined) fs.closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private open(): void {
    this.descriptor = fs.openSync(this.file, 'a', 0o600);
    if (process.platform !== 'win32') fs.fchmodSync(this.descriptor, 0o600); // also a file that was there before
    this.sizeBytes = fs.fstatSync(this.descriptor).size;
  }

  private rotate(): void {
    this.close();
    for (let index = KEPT_FILES - 1; index >= 1; index -= 1) {
      const older = index === 1 ? this.file : `${this.file}.${index - 1}`;
      if (fs.existsSync(older)) fs.renameSync(older, `${this.file}.${index}`);
    }
    this.open();
  }
}

/**
 * The app's log: JSON lines to a rotated file and to stderr. Fields hold codes, counts and durations only; keeping text, names, cookies
 * and tokens out is the callers' duty (ports.ts), and the shape of {@link Log} leaves them no room for objects.
 */
export function createLog(file: string, level: LogLevel): { log: Log; close: () => void } {
  const rotating = new RotatingFile(file);
  const stream = {
    write(line: string): void {
      rotating.write(line);
      process.stderr.write(line);
    },
  };
  // A parent that closed its end of stderr must not end a tray app with EPIPE.
  process.stderr.on('error', () => undefined);
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } }, stream);
  const at = (name: LogLevel) => (event: string, fields?: Fields) => logger[name]({ ...fields }, event);
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, close: () => rotating.close() };
}
