import { type Settings, settingsSchema } from '../../app/ipc/contract.ts';
import { JsonFile, type StoreNotice } from './json-file.ts';
import fs from 'node:fs';
import path from 'node:path';

/** What a fresh installation starts with. @param folders the person's own folders, as the system names them */
export function defaultSettings(folders: { readonly allowed: readonly string[]; readonly downloads: string }): Settings {
  return {
    language: 'system',
    timeZone: 'system',
    startAtLogin: false,
    notifications: true,
    notificationText: false,
    allowedFolders: [...folders.allowed],
    maxFileBytes: 100 * 1024 * 1024,
    downloadsFolder: folders.downloads,
    downloadsDays: 7,
    draftLifetimeHours: 24,
    defaultAccess: 'default',
    mode: 'full',
    frontDoor: 'personal',
    protocolOverrides: '',
    updateFeedUrl: '',
    firstRunDone: false,
  };
}

/**
 * Reads what a file says key by key: a value that does not fit falls back to its default and is named, so that one bad line does not cost
 * a person all the others. Unknown keys (of a newer version) are left out.
 */
export function readSettings(stored: Readonly<Record<string, unknown>>, defaults: Settings): { settings: Settings; badKeys: string[] } {
  const badKeys: string[] = [];
  const settings: Record<string, unknown> = { ...defaults };
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    if (!(key in stored)) continue;
    const result = schema.safeParse(stored[key]);
    if (result.success) settings[key] = result.data;
    else badKeys.push(key);
  }
  return { settings: settingsSchema.parse(settings), badKeys };
}

/** The person's settings: validated, on disk at once, and announced to whoever depends on them. */
export class SettingsStore {
  private readonly file: JsonFile;
  private value: Settings;
  private readonly listeners = new Set<(settings: Settings, before: Settings) => void>();
  readonly notices: readonly StoreNotice[];

  constructor(folder: string, defaults: Settings) {
    this.file = new JsonFile(folder, 'settings', 'settings_broken');
    const { settings, badKeys } = readSettings(this.file.all(), defaults);
    this.value = settings;
    const notices = [...this.file.notices];
    if (badKeys.length > 0) {
      const aside = path.join(folder, `settings.broken-${new Date().toISOString().replace(/[:.]/g, '-')}.json`);
      fs.copyFileSync(this.file.path, aside);
      notices.push({ code: 'settings_values_broken', detail: `${badKeys.join(', ')} · ${aside}` });
      this.file.replace({ ...this.file.all(), ...Object.fromEntries(badKeys.map((key) => [key, settings[key as keyof Settings]])) });
    }
    this.notices = notices;
  }

  get(): Settings {
    return this.value;
  }

  /** Changes some of them. The window's gate has checked the shape; meaning is checked by whoever uses a value. */
  update(patch: { readonly [K in keyof Settings]?: Settings[K] | undefined }): void {
    const before = this.value;
    const next = settingsSchema.parse({ ...before, ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) });
    this.file.replace({ ...this.file.all(), ...next });
    this.value = next;
    for (const listener of this.listeners) listener(next, before);
  }

  onChange(listener: (settings: Settings, before: Settings) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
