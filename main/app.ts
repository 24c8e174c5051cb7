import fs from 'node:fs';
import path from 'node:path';
import { app, BrowserWindow, dialog, Menu, powerMonitor, session as electronSession, type Session } from 'electron';
import type { SessionView, Settings } from '../app/ipc/contract.ts';
import type { Log } from '../app/wire/ports.ts';
import type { Protocol } from '../app/wire/protocol.ts';
import { Announcer } from './announcer.ts';
import { serveAppFiles } from './app-scheme.ts';
import { sessionView, type StateSources, trayState } from './app-state.ts';
import { Cards } from './cards.ts';
import { ChatNames } from './chat-names.ts';
import { installOurShim } from './clients/our-shim.ts';
import { ClientSetup } from './clients/setup.ts';
import { realSurroundings } from './clients/surroundings.ts';
import { CoreHost } from './core-host.ts';
import { createHandlers } from './handlers.ts';
import { createHttpFetch } from './http.ts';
import { openGate } from './ipc.ts';
import type { LaunchOptions } from './launch-options.ts';
import { writeLaunchCommand } from '../app/bridge/launch.ts';
import { prepareLoginPartition } from './login/partition.ts';
import { Notifier, signInNotification } from './notifications.ts';
import type { Paths } from './paths.ts';
import { protocolInForce } from './protocol-in-force.ts';
import { Remover } from './remove-everything.ts';
import { SessionControl } from './session-control.ts';
import { ownCommand, setStartAtLogin } from './start-at-login.ts';
import { Notices } from './stores/notices.ts';
import { openStores, type Stores } from './stores/open.ts';
import { WindowBoundsStore } from './stores/window-bounds.ts';
import { AppTray } from './tray.ts';
import type { TrayCommand } from './tray-menu.ts';
import { Updates } from './updates.ts';
import { MainWindow } from './window.ts';
import { chooseLanguage, type Language, wordsFor } from './words.ts';

export interface VestnikAppDeps {
  readonly paths: Paths;
  /** Constants of the file `VESTNIK_PROTOCOL` names. */
  readonly protocolFile: Record<string, unknown>;
  readonly log: Log;
}

/** Everything of the running app, put together step by step in the order `index.ts` gives. */
export class VestnikApp {
  private readonly notices = new Notices();
  private readonly cards = new Cards();
  private readonly chatNames = new ChatNames();
  private isQuitting = false;
  private closing: Promise<void> | undefined;
  private stores!: Stores;
  private protocol!: Protocol;
  private partition!: Session;
  private session!: SessionControl;
  private host!: CoreHost;
  private window!: MainWindow;
  private announcer!: Announcer;
  private notifier!: Notifier;
  private tray: AppTray | undefined;
  private updates!: Updates;
  private clients!: ClientSetup;
  private readonly remover = new Remover();

  constructor(private readonly deps: VestnikAppDeps) {
    app.on('before-quit', () => (this.isQuitting = true));
  }

  async openStores(): Promise<void> {
    this.stores = await openStores(this.deps.paths.userData, this.notices, this.deps.log);
  }

  /** The protocol constants in force, the login partition, and who follows both. */
  prepareSession(): void {
    const { log } = this.deps;
    this.protocol = protocolInForce(this.stores.settings.get(), this.deps.protocolFile, this.notices);
    this.partition = prepareLoginPartition(log);
    this.notifier = new Notifier(() => this.stores.settings.get().notifications);
    this.session = new SessionControl({
      partition: this.partition,
      http: createHttpFetch(this.partition),
      log,
      record: this.stores.signIn,
      protocol: () => this.protocol,
      loginLabel: () => this.words().loginLabel,
      connectionFailed: () => `${this.words().loginLabel} — ${this.words().connectionFailed}`,
      onChange: () => this.announcer.sessionChanged(),
      onSessionLost: () => this.notifier.show('sign-in', signInNotification(this.language()), () => this.session.signIn()),
    });
    powerMonitor.on('suspend', () => this.host.core.wire.suspend());
    powerMonitor.on('resume', () => this.host.core.wire.resume());
  }

  /** The core, and what shows its changes to the person. */
  startCore(): void {
    const { paths, log } = this.deps;
    const { settings, secrets, drafts, policy } = this.stores;
    this.host = new CoreHost({
      userData: paths.userData,
      partition: this.partition,
      http: createHttpFetch(this.partition),
      session: this.session,
      draftStore: drafts,
      policyStore: policy,
      secrets,
      settings: () => settings.get(),
      protocol: () => this.protocol,
      log,
    });
    if (this.host.activity.broken) {
      this.notices.add({ code: 'activity_broken', detail: `${this.host.activity.broken.count} · ${this.host.activity.broken.file}` });
    }
    const icon = path.join(paths.assets, 'icon.png');
    const windowSession = electronSession.defaultSession;
    serveAppFiles(windowSession, paths.renderer);
    this.window = new MainWindow({
      preload: paths.preload,
      icon: fs.existsSync(icon) ? icon : undefined,
      session: windowSession,
      bounds: new WindowBoundsStore(paths.userData),
      log,
      isQuitting: () => this.isQuitting,
    });
    this.announcer = new Announcer({
      host: this.host,
      settings,
      notices: this.notices,
      notifier: this.notifier,
      chatNames: this.chatNames,
      language: () => this.language(),
      view: () => this.view(),
      contents: () => this.window.contents,
      renderTray: () => this.tray?.render(trayState(this.sources(), this.language())),
      openDraft: (draftId) => this.window.show({ view: 'drafts', draftId }),
    });
    this.announcer.start();
  }

  /** The channels of our window, its menu, client set-up and updates. */
  openGate(): void {
    const { paths, log } = this.deps;
    const { settings } = this.stores;
    const entry = installOurShim(paths, log);
    this.clients = new ClientSetup(realSurroundings, entry, () => this.host.core.connections().map((connection) => connection.client().name));
    this.updates = new Updates({
      feedUrl: () => settings.get().updateFeedUrl,
      log,
      onChange: (state) => this.announcer.send('update:changed', state),
      prepareQuit: () => {
        this.isQuitting = true;
        return this.close();
      },
    });
    this.updates.apply();
    Menu.setApplicationMenu(process.platform === 'darwin' ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }]) : null);
    const handlers = createHandlers({
      host: this.host,
      session: this.session,
      settings,
      notices: this.notices,
      cards: this.cards,
      chatNames: this.chatNames,
      clients: this.clients,
      updates: this.updates,
      words: () => this.words(),
      view: () => this.view(),
      window: () => (this.window.contents ? (BrowserWindow.fromWebContents(this.window.contents) ?? undefined) : undefined),
      pageReady: () => this.window.pageReady(),
      clientsChanged: () => this.announcer.send('clients:changed', null),
      applySettings: (next, before) => this.applySettings(next, before),
      setPaused: (isPaused) => this.setPaused(isPaused),
      removeEverything: () => this.removeEverything(),
      now: () => Date.now(),
      diagnostics: {
        userData: paths.userData,
        logFile: paths.logFile,
        protection: () => this.stores.protection,
        protocol: () => this.protocol,
        state: () => this.view().state,
        bridgeAddress: () => this.host.address,
        shimCommand: () => {
          const found = entry();
          return found && [found.command, ...found.args].join(' ');
        },
        agents: () => this.host.core.connections().length,
      },
    });
    openGate({ handlers, ourContents: () => this.window.contents, log });
  }

  startTray(): void {
    this.tray = new AppTray(this.deps.paths.assets, trayState(this.sources(), this.language()), (command) => this.onTrayCommand(command));
  }

  /** Lets agents in, and tells the shim how to start us. */
  async openBridge(): Promise<void> {
    writeLaunchCommand(this.deps.paths.userData, ownCommand());
    await this.host.openBridge();
  }

  /** Uses the session of last time, if there is one. */
  async signInQuietly(): Promise<void> {
    await this.host.start();
  }

  /** A later launch, a link, or the first start: shows the window, at a card if one is named. */
  handleLaunch({ isHidden, draftId }: LaunchOptions): void {
    if (isHidden) return;
    if (draftId !== undefined) this.window.show({ view: 'drafts', draftId });
    else if (!this.stores.settings.get().firstRunDone && !this.window.contents) this.window.show({ view: 'welcome', draftId: null });
    else this.window.show();
  }

  /** Something without which the app makes no sense failed: said in a dialog, because nothing else may be there to say it. */
  reportStartFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Vestnik could not start completely: ${message}\n`);
    if (this.window as MainWindow | undefined) this.notices.add({ code: 'start_failed', detail: message });
    else {
      dialog.showErrorBox('Vestnik', message);
      app.exit(1);
    }
  }

  /** Closes everything of ours, once; later calls wait for the same end. */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    this.tray?.destroy();
    this.tray = undefined;
    this.notifier.dismissAll();
    this.updates.close();
    this.announcer.close();
    await this.host.close();
    await this.session.close();
    this.partition.flushStorageData();
    this.deps.log.info('closed');
    this.remover.run(this.deps.paths);
  }

  private view(): SessionView {
    return sessionView(this.sources());
  }

  private sources(): StateSources {
    return { stores: this.stores, session: this.session, host: this.host, notices: this.notices };
  }

  private setPaused(isPaused: boolean): void {
    this.host.core.policy.setMode(isPaused ? 'paused' : this.stores.pause.modeAfterPause);
  }

  private onTrayCommand(command: TrayCommand): void {
    const actions: Record<TrayCommand, () => void> = {
      open: () => this.window.show(),
      openDrafts: () => this.window.show({ view: 'drafts', draftId: null }),
      togglePause: () => this.setPaused(this.stores.settings.get().mode !== 'paused'),
      signIn: () => this.session.signIn(),
      signOut: () => void this.session.signOut(),
      quit: () => app.quit(),
    };
    actions[command]();
  }

  private applySettings(next: Settings, before: Settings): void {
    if (next.startAtLogin !== before.startAtLogin) setStartAtLogin(next.startAtLogin, ownCommand());
    if (next.updateFeedUrl !== before.updateFeedUrl) this.updates.apply();
    if (next.frontDoor !== before.frontDoor || next.protocolOverrides !== before.protocolOverrides) {
      this.protocol = protocolInForce(this.stores.settings.get(), this.deps.protocolFile, this.notices);
      void this.host.rebuild();
    }
  }

  /** "Remove everything" of the settings: what we put elsewhere goes now, our own folder when everything is closed. */
  private removeEverything(): void {
    this.remover.prepare({ clients: this.clients, self: ownCommand() });
    void this.session.signOut().finally(() => app.quit());
  }

  private language(): Language {
    return chooseLanguage(this.stores.settings.get().language, app.getPreferredSystemLanguages()[0] ?? app.getLocale());
  }

  private words() {
    return wordsFor(this.language());
  }
}
