import fs from 'node:fs';
import path from 'node:path';
import { app, BrowserWindow, dialog, Menu, powerMonitor, session as electronSession, type Session } from 'electron';
import type { SessionView } from '../app/ipc/contract.ts';
import type { Log } from '../app/wire/ports.ts';
import type { Protocol } from '../app/wire/protocol.ts';
import { Announcer } from './announcer.ts';
import { serveAppFiles } from './app-scheme.ts';
import { Cards } from './cards.ts';
import { ChatNames } from './chat-names.ts';
import { ClientSetup } from './clients/setup.ts';
import { copyShim, findNode, type ShimCopy, shimEntry } from './clients/shim-copy.ts';
import { realSurroundings } from './clients/surroundings.ts';
import { CoreHost } from './core-host.ts';
import { createHandlers } from './handlers.ts';
import { createHttpFetch } from './http.ts';
import { openGate } from './ipc.ts';
import type { LaunchOptions } from './launch-options.ts';
import { writeLaunchCommand } from '../app/bridge/launch.ts';
import { dataFolder } from '../app/bridge/data-folder.ts';
import { prepareLoginPartition } from './login/partition.ts';
import { Notifier, signInNotification } from './notifications.ts';
import { type Paths, personFolder } from './paths.ts';
import { parseOverrides, resolveProtocol } from './protocol-config.ts';
import { Remover } from './remove-everything.ts';
import { SessionControl } from './session-control.ts';
import { selfCommand, setStartAtLogin } from './start-at-login.ts';
import { FileDraftStore } from './stores/drafts.ts';
import { detectProtection } from './stores/keyring.ts';
import { localCipher } from './stores/local-key.ts';
import { Notices } from './stores/notices.ts';
import { PauseMemory } from './stores/pause.ts';
import { FilePolicyStore } from './stores/policy.ts';
import { type Protection, SecretBox } from './stores/secrets.ts';
import { defaultSettings, SettingsStore } from './stores/settings.ts';
import { SignInRecord } from './stores/sign-in-record.ts';
import { WindowBoundsStore } from './stores/window-bounds.ts';
import { AppTray } from './tray.ts';
import type { TrayCommand, TrayState } from './tray-menu.ts';
import { Updates } from './updates.ts';
import { MainWindow } from './window.ts';
import { chooseLanguage, type Language, wordsFor } from './words.ts';

export interface VestnikAppDeps {
  readonly paths: Paths;
  /** Constants of the file `VESTNIK_PROTOCOL` names. */
  readonly protocolFile: Record<string, unknown>;
  readonly log: Log;
}

/** Stores that exist once {@link VestnikApp.openStores} has run. */
interface Stores {
  readonly settings: SettingsStore;
  readonly secrets: SecretBox;
  readonly protection: Protection;
  readonly drafts: FileDraftStore;
  readonly policy: FilePolicyStore;
  readonly signIn: SignInRecord;
  readonly pause: PauseMemory;
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
  private shim: ShimCopy | undefined;
  private readonly remover = new Remover();

  constructor(private readonly deps: VestnikAppDeps) {
    app.on('before-quit', () => (this.isQuitting = true));
  }

  /** Settings, what may be encrypted, drafts, and what the person allows. Broken files are kept aside and named in notices. */
  async openStores(): Promise<void> {
    const { userData } = this.deps.paths;
    const folders = (['downloads', 'documents', 'desktop', 'pictures'] as const).map(personFolder).filter((folder) => folder !== undefined);
    const settings = new SettingsStore(userData, defaultSettings({ allowed: folders, downloads: path.join(userData, 'downloads') }));
    const { protection, cipher } = await detectProtection();
    const secrets = new SecretBox(cipher, localCipher(userData));
    const drafts = new FileDraftStore(userData, secrets);
    const policy = new FilePolicyStore(userData, settings);
    this.stores = { settings, secrets, protection, drafts, policy, signIn: new SignInRecord(userData), pause: new PauseMemory(userData) };
    this.stores.pause.note(settings.get().mode);
    settings.onChange(({ mode }) => this.stores.pause.note(mode));
    this.notices.add(...settings.notices, ...drafts.notices, ...policy.notices);
    if (protection === 'keyring_locked') this.notices.add({ code: 'keyring_locked', detail: '' });
    this.deps.log.info('stores_open', { protection });
  }

  /** The protocol constants in force, the login partition, and who follows both. */
  prepareSession(): void {
    const { log } = this.deps;
    this.protocol = this.resolveProtocol();
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
      renderTray: () => this.tray?.render(this.trayState()),
      openDraft: (draftId) => this.window.show({ view: 'drafts', draftId }),
    });
    this.announcer.start();
  }

  /** The channels of our window, its menu, client set-up and updates. */
  openGate(): void {
    const { paths, log } = this.deps;
    const { settings } = this.stores;
    this.copyShim();
    const isDefaultFolder = paths.userData === dataFolder({ ...process.env, VESTNIK_USER_DATA: undefined }, process.platform, realSurroundings.home);
    const entry = () => shimEntry(this.shim, findNode(process.env, process.platform, isFile), isDefaultFolder ? undefined : paths.userData);
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
    this.tray = new AppTray(this.deps.paths.assets, this.trayState(), (command) => this.onTrayCommand(command));
  }

  /** Lets agents in, and tells the shim how to start us. */
  async openBridge(): Promise<void> {
    writeLaunchCommand(this.deps.paths.userData, selfCommand(process.env, developmentSwitches()));
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
    const { mode } = this.stores.settings.get();
    return {
      state: mode === 'paused' ? 'paused' : this.session.connection,
      name: this.session.name ?? null,
      since: this.session.since ?? null,
      secretsEncrypted: this.stores.protection === 'encrypted',
      notices: [...this.notices.all()],
      mode,
      agentsConnected: this.host.core.connections().length,
    };
  }

  private trayState(): TrayState {
    return {
      session: this.view().state,
      isSignedIn: this.session.since !== undefined,
      isPaused: this.stores.settings.get().mode === 'paused',
      pendingDrafts: this.host.core.approvals.list().filter((draft) => draft.status === 'pending').length,
      language: this.language(),
    };
  }

  private setPaused(isPaused: boolean): void {
    this.host.core.policy.setMode(isPaused ? 'paused' : this.stores.pause.modeAfterPause);
  }

  private onTrayCommand(command: TrayCommand): void {
    switch (command) {
      case 'open':
        return this.window.show();
      case 'openDrafts':
        return this.window.show({ view: 'drafts', draftId: null });
      case 'togglePause':
        return this.setPaused(this.stores.settings.get().mode !== 'paused');
      case 'signIn':
        return this.session.signIn();
      case 'signOut':
        return void this.session.signOut();
      case 'quit':
        return app.quit();
    }
  }

  private applySettings(next: ReturnType<SettingsStore['get']>, before: ReturnType<SettingsStore['get']>): void {
    if (next.startAtLogin !== before.startAtLogin) setStartAtLogin(next.startAtLogin, selfCommand(process.env, developmentSwitches()));
    if (next.updateFeedUrl !== before.updateFeedUrl) this.updates.apply();
    if (next.frontDoor !== before.frontDoor || next.protocolOverrides !== before.protocolOverrides) {
      this.protocol = this.resolveProtocol();
      void this.host.rebuild();
    }
  }

  private resolveProtocol(): Protocol {
    const { frontDoor, protocolOverrides } = this.stores.settings.get();
    let overrides: Record<string, unknown> = {};
    try {
      overrides = parseOverrides(protocolOverrides);
    } catch (error) {
      this.notices.add({ code: 'protocol_invalid', detail: error instanceof Error ? error.message : '' });
    }
    const { protocol, unknownKeys } = resolveProtocol({ frontDoor, settings: overrides, file: this.deps.protocolFile });
    if (unknownKeys.length > 0) this.notices.add({ code: 'protocol_unknown_keys', detail: unknownKeys.join(', ') });
    return protocol;
  }

  private copyShim(): void {
    const { bundledShim, userData } = this.deps.paths;
    const binary = path.join(process.resourcesPath, 'shim', process.platform === 'win32' ? 'vestnik-mcp.exe' : 'vestnik-mcp');
    try {
      this.shim = copyShim({ script: bundledShim, binary: app.isPackaged ? binary : undefined }, userData, app.getVersion());
    } catch (error) {
      this.deps.log.error('shim_copy_failed', { code: (error as NodeJS.ErrnoException).code });
    }
  }

  /** "Remove everything" of the settings: what we put elsewhere goes now, our own folder when everything is closed. */
  private removeEverything(): void {
    this.remover.prepare({ clients: this.clients, self: selfCommand(process.env, developmentSwitches()) });
    void this.session.signOut().finally(() => app.quit());
  }

  private language(): Language {
    return chooseLanguage(this.stores.settings.get().language, app.getPreferredSystemLanguages()[0] ?? app.getLocale());
  }

  private words() {
    return wordsFor(this.language());
  }
}

/** Switches this very run was started with and a later start would need, too: development and tests only. */
function developmentSwitches(): string[] {
  return app.isPackaged ? [] : process.argv.filter((argument) => /^--(no-sandbox|password-store=)/.test(argument));
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
