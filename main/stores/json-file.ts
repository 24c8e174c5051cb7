import fs from 'node:fs';
import path from 'node:path';
import ElectronStore from 'electron-store';
import { closeForeignChannel } from '../ipc.ts';

type Entries = Record<string, unknown>;

/**
 * Something that could not be read was kept aside, never deleted: the person is told once.
 * `code` is stable and put into words by the window; `detail` is the path of the copy, or a reason.
 */
export interface StoreNotice {
  readonly code: string;
  readonly detail: string;
}

/** Moves a file that cannot be read beside itself under a new name. @returns the new path */
export function keepAside(file: string, now = new Date()): string {
  const stamp = now.toISOString().replace(/[:.]/g, '-');
  const { dir, name, ext } = path.parse(file);
  let aside = path.join(dir, `${name}.broken-${stamp}${ext}`);
  for (let index = 2; fs.existsSync(aside); index += 1) aside = path.join(dir, `${name}.broken-${stamp}-${index}${ext}`);
  fs.renameSync(file, aside);
  return aside;
}

/** Whether a file is absent, a JSON object, or something that must be kept aside. */
function isReadable(file: string): boolean {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
  if (text.trim() === '') return true; // never written to the end: nothing is lost
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * One JSON file of ours by electron-store: atomic writes, on disk before the call returns, mode 0600. A broken file is kept aside and reported.
 */
export class JsonFile {
  private readonly store: ElectronStore<Entries>;
  private entries: Entries;
  readonly notices: StoreNotice[] = [];

  /** @param name file name without extension, inside `folder` */
  constructor(
    readonly folder: string,
    name: string,
    brokenCode: string,
  ) {
    const file = path.join(folder, `${name}.json`);
    if (!isReadable(file)) this.notices.push({ code: brokenCode, detail: keepAside(file) });
    this.store = new ElectronStore<Entries>({ cwd: folder, name, accessPropertiesByDotNotation: false, configFileMode: 0o600, clearInvalidConfig: true });
    // electron-store opens a channel for renderers; ours use one gate only (main/ipc.ts).
    closeForeignChannel('electron-store-get-data');
    if (fs.existsSync(file) && process.platform !== 'win32') fs.chmodSync(file, 0o600);
    this.entries = { ...this.store.store };
  }

  get path(): string {
    return this.store.path;
  }

  /** Everything in the file, as last read or written by us. */
  all(): Readonly<Entries> {
    return this.entries;
  }

  set(key: string, value: unknown): void {
    this.store.set(key, value);
    this.entries[key] = value;
  }

  remove(key: string): void {
    this.store.delete(key);
    delete this.entries[key];
  }

  /** Replaces the whole content in one write. */
  replace(entries: Readonly<Entries>): void {
    this.store.store = { ...entries };
    this.entries = { ...entries };
  }
}
