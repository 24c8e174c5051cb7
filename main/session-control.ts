import type { Session } from 'electron';
import type { Core } from '../app/core.ts';
import type { SessionView } from '../app/ipc/contract.ts';
import { CookieRejectedError, NotSignedInError } from '../app/wire/errors.ts';
import type { HttpFetch, Log } from '../app/wire/ports.ts';
import type { Protocol } from '../app/wire/protocol.ts';
import { RegistryClient } from '../app/wire/registry.ts';
import { proveIdentity } from '../app/wire/sign-in.ts';
import { systemClock } from './clock.ts';
import { clearPartition } from './login/partition.ts';
import { reloadUnseen } from './login/refresh.ts';
import { LoginWindow } from './login/window.ts';
import { PartitionSession } from './session.ts';
import type { SignInRecord } from './stores/sign-in-record.ts';

export interface SessionControlDeps {
  readonly partition: Session;
  readonly http: HttpFetch;
  readonly log: Log;
  readonly record: SignInRecord;
  readonly protocol: () => Protocol;
  /** Title of the login window after the host. */
  readonly loginLabel: () => string;
  readonly connectionFailed: () => string;
  /** Something to show may have changed. */
  readonly onChange: () => void;
  /** A session that was there is over, and the person did not end it. */
  readonly onSessionLost: () => void;
}

/** Signing in and out, and the session's state as the person sees it (design §2). One per app; outlives a core that is built anew. */
export class SessionControl {
  readonly source: PartitionSession;
  private core: Core | undefined;
  private login: LoginWindow | undefined;
  private refreshAbort = new AbortController();

  constructor(private readonly deps: SessionControlDeps) {
    this.source = new PartitionSession(deps.partition, deps.protocol, () => this.reload(), deps.log);
  }

  /** Follows a core. @returns the undo */
  attach(core: Core): () => void {
    this.core = core;
    const undo = core.onSessionState(() => this.stateChanged(core));
    return () => {
      undo();
      if (this.core === core) this.core = undefined;
    };
  }

  /** The state without the pause, which the view shows beside it. */
  get connection(): Exclude<SessionView['state'], 'paused'> {
    if (this.login) return 'signing_in';
    const state = this.core?.wire.state ?? 'offline';
    const isExpected = this.deps.record.since !== undefined;
    // Asking Yandex at a start after which nobody is signed in is no signing in: the person does nothing.
    if (state === 'signing_in') return isExpected ? 'signing_in' : 'signed_out';
    if (state !== 'offline') return state;
    return isExpected ? 'reconnecting' : 'signed_out';
  }

  get name(): string | undefined {
    return this.core?.wire.identity?.displayName;
  }

  get since(): number | undefined {
    return this.deps.record.since;
  }

  /** Opens the login window, or brings it forward. Resolves at once: nobody waits for a person. */
  signIn(): void {
    if (this.login) {
      this.login.focus();
      return;
    }
    this.abortRefresh();
    const { partition, log } = this.deps;
    const login = new LoginWindow({
      partition,
      protocol: this.deps.protocol(),
      log,
      label: this.deps.loginLabel(),
      connectionFailed: this.deps.connectionFailed(),
      isSignedIn: (signal) => this.isSignedIn(signal),
    });
    this.login = login;
    log.info('login_opened');
    this.deps.onChange();
    void login.ended.then(async (end) => {
      if (this.login === login) this.login = undefined;
      log.info('login_ended', { end });
      if (end === 'signed_in') await this.signedIn();
      this.deps.onChange();
    });
  }

  /** Ends the session here: the whole partition is cleared (design §2). */
  async signOut(): Promise<void> {
    this.login?.close();
    this.abortRefresh();
    this.source.forget();
    this.deps.record.end();
    await clearPartition(this.deps.partition);
    this.core?.wire.sessionChanged();
    this.deps.log.info('signed_out_by_person');
    this.deps.onChange();
  }

  async close(): Promise<void> {
    this.login?.close();
    this.abortRefresh();
    this.source.close();
    await this.source.flush();
  }

  /** Asks Yandex; throws when it could not be asked. */
  private async isSignedIn(signal: AbortSignal): Promise<boolean> {
    const registry = new RegistryClient({ protocol: this.deps.protocol(), http: this.deps.http, log: this.deps.log });
    try {
      await proveIdentity(registry, signal);
      return true;
    } catch (error) {
      if (error instanceof NotSignedInError || error instanceof CookieRejectedError) return false;
      throw error;
    }
  }

  private async signedIn(): Promise<void> {
    this.deps.record.begin(systemClock.now());
    await this.source.keep();
    this.core?.wire.sessionChanged();
    await this.core?.start();
  }

  private async reload(): Promise<boolean> {
    if (this.login) return false; // the person is at it; two pages would disturb each other
    const { partition, log } = this.deps;
    const { signal } = this.refreshAbort;
    const isRenewed = await reloadUnseen({ partition, protocol: this.deps.protocol(), log, isSignedIn: (inner) => this.isSignedIn(inner), signal });
    log.info('session_refreshed', { isRenewed });
    return isRenewed;
  }

  private abortRefresh(): void {
    this.refreshAbort.abort();
    this.refreshAbort = new AbortController();
  }

  private stateChanged(core: Core): void {
    const { record } = this.deps;
    if (core.wire.state === 'online') {
      record.begin(systemClock.now());
      void this.source.keep();
    } else if (core.wire.state === 'signed_out' && record.since !== undefined && !this.login) {
      record.end();
      this.source.forget();
      this.deps.onSessionLost();
    }
    this.deps.onChange();
  }
}
