import { app } from 'electron';
import type { AppUpdater } from 'electron-updater';
import type { UpdateState } from '../app/ipc/contract.ts';
import type { Log } from '../app/wire/ports.ts';

const CHECK_EVERY_MS = 6 * 3600_000;

export interface UpdatesDeps {
  /** Address of the feed; "" for none. */
  readonly feedUrl: () => string;
  readonly log: Log;
  readonly onChange: (state: UpdateState) => void;
  /** To be called before a restart that installs: the app must really quit. */
  readonly prepareQuit: () => Promise<void>;
}

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
    if (this.deps.feedUrl() === '' || !app.isPackaged) {
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
      await (await this.updater()).checkForUpdates();
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
      autoUpdater.setFeedURL({ provider: 'generic', url: this.deps.feedUrl() });
      autoUpdater.on('update-not-available', () => this.set({ state: 'idle', version: null, percent: null }));
      autoUpdater.on('update-available', (info) => this.set({ state: 'downloading', version: info.version, percent: 0 }));
      autoUpdater.on('download-progress', (progress) => this.set({ ...this.value, state: 'downloading', percent: Math.round(progress.percent) }));
      autoUpdater.on('update-downloaded', (info) => this.set({ state: 'ready', version: info.version, percent: 100 }));
      autoUpdater.on('error', () => {
        this.deps.log.warn('update_failed');
        this.set({ state: 'failed', version: null, percent: null });
      });
      return autoUpdater;
    });
    return this.configured;
  }

  private set(state: UpdateState): void {
    this.value = state;
    this.deps.onChange(state);
  }
}
