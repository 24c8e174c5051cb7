import fs from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import type { AppUpdater } from 'electron-updater';
import writeFileAtomic from 'write-file-atomic';
import type { UpdateState } from '../app/ipc/contract.ts';
import type { Log } from '../app/wire/ports.ts';

const CHECK_EVERY_MS = 6 * 3600_000;

export interface UpdatesDeps {
  /** Address of the feed that the person named; "" for the build's own, which most builds lack. */
  readonly feedUrl: () => string;
  readonly log: Log;
  readonly onChange: (state: UpdateState) => void;
  /** To be called before a restart that installs: everything of ours is closed when it resolves, because the new version may start at once. */
  readonly prepareQuit: () => Promise<void>;
}

/** What packing writes beside the app when the build is told of a feed; on Windows it also names who must have signed an update. */
const BUILD_FEED_FILE = path.join(process.resourcesPath, 'app-update.yml');

const OFF: UpdateState = { state: 'off', version: null, percent: null };

/** Updates from a feed the person or the build names. It never restarts by itself: an update waits until the person says so. */
export class Updates {
  private value: UpdateState = OFF;
  private timer: NodeJS.Timeout | undefined;
  private configured: Promise<AppUpdater> | undefined;

  constructor(private readonly deps: UpdatesDeps) {}

  get state(): UpdateState {
    return this.value;
  }

  /** Starts, restarts or ends checking, as the feed says. */
  apply(): void {
    clearInterval(this.timer);
    this.configured = undefined;
    if (this.feedUrl() === '' || !app.isPackaged) {
      this.set(OFF);
      return;
    }
    this.set({ state: 'idle', version: null, percent: null });
    this.timer = setInterval(() => void this.check(), CHECK_EVERY_MS);
    void this.check();
  }

  /** @returns false when there is no feed */
  async check(): Promise<boolean> {
    if (this.value.state === 'off') return false;
    if (this.value.state === 'ready' || this.value.state === 'downloading') return true;
    this.set({ state: 'checking', version: null, percent: null });
    try {
      // null: this installation cannot replace itself (a package of the system's, or an unpacked folder).
      if ((await (await this.updater()).checkForUpdates()) === null) {
        this.deps.log.info('update_not_supported_here');
        this.set(OFF);
      }
    } catch {
      this.deps.log.warn('update_check_failed');
      this.set({ state: 'failed', version: null, percent: null });
    }
    return true;
  }

  /** Installs what is ready. @returns false when nothing is */
  async restart(): Promise<boolean> {
    if (this.value.state !== 'ready') return false;
    const updater = await this.updater();
    await this.deps.prepareQuit();
    // Nothing of ours runs any more: where the installation fails, the old version starts again.
    updater.once('error', () => {
      const appImage = process.env['APPIMAGE'];
      app.relaunch(appImage ? { execPath: appImage } : {});
      app.quit();
    });
    app.releaseSingleInstanceLock(); // an AppImage starts its successor before it ends itself
    updater.quitAndInstall(true, true);
    return true;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private updater(): Promise<AppUpdater> {
    this.configured ??= import('electron-updater').then(({ default: { autoUpdater } }) => {
      autoUpdater.removeAllListeners();
      autoUpdater.logger = null;
      autoUpdater.autoDownload = true;
      autoUpdater.autoInstallOnAppQuit = false; // never behind the person's back
      if (!fs.existsSync(BUILD_FEED_FILE)) autoUpdater.updateConfigPath = this.writeConfig();
      autoUpdater.setFeedURL({ provider: 'generic', url: this.feedUrl() });
      autoUpdater.on('update-not-available', () => this.set({ state: 'idle', version: null, percent: null }));
      autoUpdater.on('update-available', (info) => this.set({ state: 'downloading', version: info.version, percent: 0 }));
      autoUpdater.on('download-progress', (progress) => {
        const percent = Math.round(progress.percent);
        if (percent !== this.value.percent) this.set({ ...this.value, state: 'downloading', percent });
      });
      autoUpdater.on('update-downloaded', (info) => this.set({ state: 'ready', version: info.version, percent: 100 }));
      autoUpdater.on('error', () => {
        this.deps.log.warn('update_failed');
        this.set({ state: 'failed', version: null, percent: null });
      });
      return autoUpdater;
    });
    return this.configured;
  }

  /** The person's feed, else the build's; "" for none. */
  private feedUrl(): string {
    return this.deps.feedUrl() || feedOfBuild(BUILD_FEED_FILE);
  }

  /** electron-updater takes the name of its download folder from a file. Without a build's one we give it our own (JSON is YAML). */
  private writeConfig(): string {
    const file = path.join(app.getPath('userData'), 'update-feed.json');
    writeFileAtomic.sync(file, JSON.stringify({ provider: 'generic', url: this.feedUrl(), updaterCacheDirName: 'vestnik-updater' }), { mode: 0o600 });
    return file;
  }

  private set(state: UpdateState): void {
    this.value = state;
    this.deps.onChange(state);
  }
}

/** @returns the address in electron-builder's `app-update.yml`, "" where there is none */
export function feedOfBuild(file: string): string {
  try {
    return /^url:\s*['"]?([^'"\s]+)/m.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}
