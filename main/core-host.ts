import path from 'node:path';
import { app, type Session } from 'electron';
import { ActivityJournal, type DraftStore, type PolicyStore } from '../app/approvals/index.ts';
import { type Bridge, startBridge } from '../app/bridge/server.ts';
import { type Core, createCore } from '../app/core.ts';
import type { Settings } from '../app/ipc/contract.ts';
import { createWire } from '../app/wire/client.ts';
import type { HttpFetch, Log } from '../app/wire/ports.ts';
import type { Protocol } from '../app/wire/protocol.ts';
import { systemClock } from './clock.ts';
import { keepConnected } from './keep-connected.ts';
import type { SessionControl } from './session-control.ts';
import { createSocketFactory } from './socket.ts';
import type { SecretBox } from './stores/secrets.ts';
import { lineCodec } from './stores/line-codec.ts';

const HOUR_MS = 3_600_000;

export interface CoreHostDeps {
  readonly userData: string;
  readonly partition: Session;
  readonly http: HttpFetch;
  readonly session: SessionControl;
  readonly draftStore: DraftStore;
  readonly policyStore: PolicyStore;
  readonly secrets: SecretBox;
  readonly settings: () => Settings;
  readonly protocol: () => Protocol;
  readonly log: Log;
}

/** IANA zone in force. */
export function effectiveTimeZone(setting: string): string {
  return setting === 'system' ? Intl.DateTimeFormat().resolvedOptions().timeZone : setting;
}

/**
 * Runs the core and the bridge in front of it. The core is built anew when the protocol constants change; the bridge stays, and its clients
 * come back by themselves (design §6).
 */
export class CoreHost {
  readonly activity: ActivityJournal;
  private current: Core;
  private undo: readonly (() => void)[] = [];
  private bridge: Bridge | undefined;
  private readonly followers = new Set<(core: Core) => () => void>();

  constructor(private readonly deps: CoreHostDeps) {
    this.activity = new ActivityJournal({ file: path.join(deps.userData, 'activity.jsonl'), codec: lineCodec(deps.secrets) });
    this.current = this.build();
  }

  get core(): Core {
    return this.current;
  }

  /** Calls `follow` with the core now and with each later one; what it returns is its undo. */
  follow(follow: (core: Core) => () => void): void {
    this.followers.add(follow);
    this.undo = [...this.undo, follow(this.current)];
  }

  /** Takes agents in. @throws when the socket cannot be made */
  async openBridge(): Promise<void> {
    this.bridge = await startBridge({
      dataFolder: this.deps.userData,
      appVersion: app.getVersion(),
      log: this.deps.log,
      onConnection: (connection) => {
        this.current.serveConnection(connection).catch(() => {
          this.deps.log.warn('mcp_connection_failed');
          connection.close();
        });
      },
    });
  }

  /** Address agents reach us at, for diagnostics. */
  get address(): string | undefined {
    return this.bridge?.address;
  }

  /** Signs in with the session there is. */
  async start(): Promise<void> {
    await this.current.start();
    this.undo = [...this.undo, keepConnected(this.current, systemClock, () => this.deps.session.since !== undefined)];
  }

  /** The constants changed: a new core takes over; drafts and journal stay. */
  async rebuild(): Promise<void> {
    await this.closeCore();
    this.current = this.build();
    for (const follow of this.followers) this.undo = [...this.undo, follow(this.current)];
    await this.start();
  }

  async close(): Promise<void> {
    await this.bridge?.close();
    await this.closeCore();
  }

  private async closeCore(): Promise<void> {
    for (const step of this.undo) step();
    this.undo = [];
    await this.current.close();
  }

  private build(): Core {
    const { deps } = this;
    const protocol = deps.protocol();
    const wire = createWire({
      protocol,
      session: deps.session.source,
      http: deps.http,
      socketFactory: createSocketFactory(deps.partition),
      clock: systemClock,
      log: deps.log,
    });
    const core = createCore({
      protocol,
      wire,
      clock: systemClock,
      log: deps.log,
      draftStore: deps.draftStore,
      policyStore: deps.policyStore,
      activity: this.activity,
      settings: () => {
        const settings = deps.settings();
        return {
          timeZone: effectiveTimeZone(settings.timeZone),
          allowedFolders: settings.allowedFolders,
          maxFileBytes: settings.maxFileBytes,
          downloadsFolder: settings.downloadsFolder,
          downloadsDays: settings.downloadsDays,
          draftLifetimeMs: settings.draftLifetimeHours * HOUR_MS,
        };
      },
      appVersion: app.getVersion(),
    });
    this.undo = [...this.undo, deps.session.attach(core)];
    return core;
  }
}
