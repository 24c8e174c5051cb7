import { app, BrowserWindow, nativeTheme, screen, type Session, type WebContents } from 'electron';
import type { EventPayload } from '../app/ipc/contract.ts';
import type { Log } from '../app/wire/ports.ts';
import { APP_ORIGIN } from './app-scheme.ts';
import { sendEvent } from './ipc.ts';
import type { WindowBoundsStore } from './stores/window-bounds.ts';
import { MIN_HEIGHT, MIN_WIDTH, openingBounds } from './stores/window-bounds-rules.ts';

/** `--bg` of the window's tokens, so that nothing flashes before the page is painted. */
const BACKGROUND = { light: '#f6f6f7', dark: '#17181a' } as const;

export interface MainWindowDeps {
  readonly preload: string;
  readonly icon: string | undefined;
  readonly session: Session;
  readonly bounds: WindowBoundsStore;
  readonly log: Log;
  /** True once the app is really quitting; until then closing only hides. */
  readonly isQuitting: () => boolean;
}

type Navigation = EventPayload<'navigate'>;

/** Our own window: made on first need, hidden rather than closed, and closed to everything remote (design §7). */
export class MainWindow {
  private window: BrowserWindow | undefined;
  private isPageReady = false;
  private pendingNavigation: Navigation | undefined;

  constructor(private readonly deps: MainWindowDeps) {}

  get contents(): WebContents | undefined {
    return this.window && !this.window.isDestroyed() ? this.window.webContents : undefined;
  }

  get isVisible(): boolean {
    return this.window?.isVisible() ?? false;
  }

  /** Shows the window, optionally at a view or a card. */
  show(navigation?: Navigation): void {
    if (navigation) this.navigate(navigation);
    const window = this.window ?? this.create();
    if (window.isMinimized()) window.restore();
    if (this.isPageReady) {
      window.show();
      window.focus();
    }
    if (process.platform === 'darwin') void app.dock?.show();
  }

  /** For a window that will be shown as soon as its page asks for its first data. */
  pageReady(): void {
    if (this.isPageReady) return;
    this.isPageReady = true;
    if (this.pendingNavigation) sendEvent(this.contents, 'navigate', this.pendingNavigation);
    this.pendingNavigation = undefined;
  }

  private navigate(navigation: Navigation): void {
    if (this.isPageReady) sendEvent(this.contents, 'navigate', navigation);
    else this.pendingNavigation = navigation;
  }

  private create(): BrowserWindow {
    const { bounds, deps } = { bounds: this.deps.bounds, deps: this.deps };
    const window = new BrowserWindow({
      ...openingBounds(
        bounds.get(),
        screen.getAllDisplays().map((display) => display.workArea),
      ),
      minWidth: MIN_WIDTH,
      minHeight: MIN_HEIGHT,
      show: false,
      title: 'Vestnik',
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      ...(deps.icon ? { icon: deps.icon } : {}),
      webPreferences: {
        session: deps.session,
        preload: deps.preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
        webSecurity: true,
        navigateOnDragDrop: false,
        safeDialogs: true,
        spellcheck: false,
        devTools: !app.isPackaged,
      },
    });
    this.window = window;
    this.guard(window.webContents);
    window.once('ready-to-show', () => {
      this.pageReady();
      window.show();
      window.focus();
    });
    const remember = (): void => {
      if (!window.isDestroyed() && !window.isMinimized() && !window.isFullScreen()) bounds.set(window.getNormalBounds());
    };
    window.on('close', (event) => {
      remember();
      if (deps.isQuitting()) return;
      event.preventDefault();
      window.hide();
      if (process.platform === 'darwin') app.dock?.hide();
    });
    window.once('closed', () => {
      this.window = undefined;
      this.isPageReady = false;
    });
    nativeTheme.on('updated', () => {
      if (!window.isDestroyed()) window.setBackgroundColor(nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light);
    });
    window.loadURL(`${APP_ORIGIN}/`).catch(() => deps.log.error('window_load_failed'));
    return window;
  }

  /** Navigation, new windows and webviews are denied; a crashed page is loaded again, because drafts may wait in it. */
  private guard(contents: WebContents): void {
    const { log } = this.deps;
    const deny = (door: string) => (event: { preventDefault(): void }) => {
      event.preventDefault();
      log.warn('window_navigation_refused', { door });
    };
    contents.on('will-navigate', deny('navigate'));
    contents.on('will-redirect', deny('redirect'));
    contents.on('will-frame-navigate', (event) => {
      if (!event.isMainFrame) deny('frame')(event);
    });
    contents.on('will-attach-webview', deny('webview'));
    contents.setWindowOpenHandler(() => {
      log.warn('window_navigation_refused', { door: 'popup' });
      return { action: 'deny' };
    });
    contents.on('render-process-gone', (_event, details) => {
      log.error('window_page_gone', { reason: details.reason });
      if (details.reason !== 'clean-exit' && details.reason !== 'killed' && !contents.isDestroyed()) contents.reload();
    });
  }
}
