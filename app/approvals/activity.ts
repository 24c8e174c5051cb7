import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sync as writeFileAtomicSync } from 'write-file-atomic';

/** One call or decision, without any text: what the person can look back on (design §4). */
export interface ActivityEntry {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Who did it: an agent's call, the person's click, or the deadline of a draft. */
  readonly by: 'agent' | 'person' | 'clock';
  /** The client's self-given name; for a decision, of the client that asked. */
  readonly client: string;
  readonly tool: string;
  readonly chatId: string | null;
  /** Status or error code of the result. */
  readonly outcome: string;
  readonly durationMs: number;
}

export interface ActivityFilter {
  readonly chatId?: string;
  readonly tool?: string;
  readonly outcome?: string;
}

/** Turns a line into what stands on disk and back; `main` encrypts here where the system really can. */
export interface LineCodec {
  encode(line: string): string;
  /** Throws for a line that it cannot read. */
  decode(line: string): string;
}

export const PLAIN_LINES: LineCodec = { encode: (line) => line, decode: (line) => line };

/** Beyond this the oldest half is dropped: months of use, and still quick to read at start. */
const MAX_ENTRIES = 100_000;

export interface ActivityOptions {
  readonly file: string;
  readonly codec?: LineCodec;
  readonly maxEntries?: number;
}

/**
 * The journal of every call. Lines are appended to one file (mode 0600) and kept in memory for paging; an unreadable line is
 * moved to a file beside it and counted in `brokenLines`, the rest stays usable.
 */
export class ActivityJournal {
  #entries: ActivityEntry[] = [];
  #writes: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();
  readonly #codec: LineCodec;
  readonly #maxEntries: number;
  /** Lines that could not be read at start, and where they were put. */
  readonly broken: { count: number; file: string } | undefined;
  #writeError: Error | undefined;

  constructor(private readonly options: ActivityOptions) {
    this.#codec = options.codec ?? PLAIN_LINES;
    this.#maxEntries = options.maxEntries ?? MAX_ENTRIES;
    mkdirSync(path.dirname(options.file), { recursive: true, mode: 0o700 });
    this.broken = this.#load();
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The last failure to write, so that the person can be told that the journal has gaps. */
  get writeError(): Error | undefined {
    return this.#writeError;
  }

  append(entry: Omit<ActivityEntry, 'id'>): void {
    const full: ActivityEntry = { id: randomUUID(), ...entry };
    this.#entries.push(full);
    if (this.#entries.length > this.#maxEntries) {
      this.#entries = this.#entries.slice(-Math.ceil(this.#maxEntries / 2));
      this.#rewrite();
    } else {
      this.#enqueue(() => appendFile(this.options.file, `${this.#codec.encode(JSON.stringify(full))}\n`, { mode: 0o600 }));
    }
    this.#changed();
  }

  /** Newest first. @param offset rows to skip among those that match */
  page(offset: number, limit: number, filter: ActivityFilter = {}): { rows: ActivityEntry[]; total: number } {
    const rows: ActivityEntry[] = [];
    let total = 0;
    for (let index = this.#entries.length - 1; index >= 0; index--) {
      const entry = this.#entries[index];
      if (!entry || !matches(entry, filter)) continue;
      if (total >= offset && rows.length < limit) rows.push(entry);
      total++;
    }
    return { rows, total };
  }

  /** Distinct values for filters. */
  facets(): { tools: string[]; outcomes: string[]; chatIds: string[] } {
    const distinct = (pick: (entry: ActivityEntry) => string | null) => [...new Set(this.#entries.map(pick))].filter((value) => value !== null).sort();
    return { tools: distinct((entry) => entry.tool), outcomes: distinct((entry) => entry.outcome), chatIds: distinct((entry) => entry.chatId) };
  }

  /** Everything, oldest first, as JSON Lines or as CSV (RFC 4180; a leading =, +, - or @ is quoted away from spreadsheets). */
  export(format: 'jsonl' | 'csv'): string {
    if (format === 'jsonl') return this.#entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    const columns = ['at', 'by', 'client', 'tool', 'chatId', 'outcome', 'durationMs'] as const;
    const rows = this.#entries.map((entry) => columns.map((column) => csvField(column === 'at' ? new Date(entry.at).toISOString() : entry[column])).join(','));
    return [columns.join(','), ...rows].map((row) => `${row}\r\n`).join('');
  }

  clear(): void {
    this.#entries = [];
    this.#rewrite();
    this.#changed();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when everything appended so far is on disk. */
  async flush(): Promise<void> {
    await this.#writes;
  }

  #load(): { count: number; file: string } | undefined {
    if (!existsSync(this.options.file)) return undefined;
    const brokenLines: string[] = [];
    for (const line of readFileSync(this.options.file, 'utf8').split('\n')) {
      if (line === '') continue;
      const entry = this.#parse(line);
      if (entry) this.#entries.push(entry);
      else brokenLines.push(line);
    }
    this.#entries = this.#entries.slice(-this.#maxEntries);
    if (brokenLines.length === 0) return undefined;
    const aside = `${this.options.file}.broken-${Date.now()}`;
    renameSync(this.options.file, aside); // the whole old file: nothing is lost, whatever was wrong with it
    writeFileAtomicSync(this.options.file, this.#serialise(), { mode: 0o600 });
    return { count: brokenLines.length, file: aside };
  }

  #parse(line: string): ActivityEntry | undefined {
    try {
      const value = JSON.parse(this.#codec.decode(line)) as Partial<ActivityEntry> | null;
      const isEntry = value && typeof value.id === 'string' && Number.isFinite(value.at) && typeof value.tool === 'string' && typeof value.outcome === 'string';
      return isEntry ? ({ by: 'agent', client: '', chatId: null, durationMs: 0, ...value } as ActivityEntry) : undefined;
    } catch {
      return undefined; // reported by the caller as a broken line
    }
  }

  #serialise(): string {
    return this.#entries.map((entry) => `${this.#codec.encode(JSON.stringify(entry))}\n`).join('');
  }

  /** Queues the file as the entries stand now: what is appended later is queued behind it. */
  #rewrite(): void {
    const content = this.#serialise();
    this.#enqueue(async () => {
      await writeFile(`${this.options.file}.tmp`, content, { mode: 0o600 });
      await rename(`${this.options.file}.tmp`, this.options.file);
    });
  }

  #enqueue(work: () => Promise<void>): void {
    this.#writes = this.#writes.then(work).catch((error: unknown) => {
      this.#writeError = error instanceof Error ? error : new Error(String(error));
    });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function matches(entry: ActivityEntry, filter: ActivityFilter): boolean {
  return (
    (filter.chatId === undefined || entry.chatId === filter.chatId) &&
    (filter.tool === undefined || entry.tool === filter.tool) &&
    (filter.outcome === undefined || entry.outcome === filter.outcome)
  );
}

function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
