import { backoffDelayMs } from '../../app/wire/backoff.ts';
import { createWire } from '../../app/wire/client.ts';
import { NotSignedInError, TimeoutError } from '../../app/wire/errors.ts';
import type { Clock, Log, Protocol, SessionCookies, SessionSource, Wire } from '../../app/wire/index.ts';
import { createNodeHttp } from './node-http.ts';
import { createNodeSocketFactory } from './node-socket.ts';
import { systemClock } from './system.ts';

/** Yandex gets a moment before the same cookie is tried again; calls wait for it, so it stays short. */
const PAUSE_BEFORE_RETRY_MS = 500;
const PROBE_WITHIN_MS = 15_000;
const PROBE_BACKOFF = { firstMs: 1000, maxMs: 10_000 };

/**
 * A session that is one cookie given from outside (design §8). There is no page to load again: a refresh is a short pause, after which the wire
 * asks `request_user` again with the same cookie. If that fails, calls fail at once, while the background goes on asking, with backoff,
 * until Yandex accepts the cookie.
 */
export class CookieSession implements SessionSource {
  private readonly value: SessionCookies | undefined;
  private readonly clock: Clock;
  private refreshing: Promise<boolean> | undefined;

  constructor({ cookie, clock }: { cookie: string; clock: Clock }) {
    this.value = parseCookieHeader(cookie);
    this.clock = clock;
  }

  cookies(): Promise<SessionCookies | undefined> {
    return Promise.resolve(this.value);
  }

  /** Always worth another try, a moment later. One pause for all who ask meanwhile. */
  refresh(): Promise<boolean> {
    this.refreshing ??= new Promise<void>((resolve) => this.clock.after(PAUSE_BEFORE_RETRY_MS, resolve)).then(() => {
      this.refreshing = undefined;
      return this.value !== undefined;
    });
    return this.refreshing;
  }

  /** Keeps asking in the background while the wire is signed out. Returns its undo. */
  attach(wire: Wire): () => void {
    if (!this.value) return () => undefined; // nothing to ask with
    const probe = new BackgroundProbe(wire, this.clock);
    const undo = wire.onState((state) => (state === 'signed_out' ? probe.start() : probe.stop()));
    if (wire.state === 'signed_out') probe.start();
    return () => {
      undo();
      probe.stop();
    };
  }
}

class BackgroundProbe {
  private run: AbortController | undefined;
  private failures = 0;

  constructor(
    private readonly wire: Wire,
    private readonly clock: Clock,
  ) {}

  start(): void {
    if (this.run) return;
    this.run = new AbortController();
    this.failures = 0;
    this.schedule(this.run.signal);
  }

  stop(): void {
    this.run?.abort(new NotSignedInError());
    this.run = undefined;
  }

  private schedule(signal: AbortSignal): void {
    const delayMs = backoffDelayMs(this.failures++, { ...PROBE_BACKOFF, random: Math.random });
    const cancel = this.clock.after(delayMs, () => {
      signal.removeEventListener('abort', cancel);
      void this.probe(signal);
    });
    signal.addEventListener('abort', cancel, { once: true });
  }

  private async probe(signal: AbortSignal): Promise<void> {
    const budget = new AbortController();
    const cancel = this.clock.after(PROBE_WITHIN_MS, () => budget.abort(new TimeoutError()));
    try {
      await this.wire.connect({ signal: budget.signal });
    } catch {
      // Still rejected, or not reachable: asked again below.
    } finally {
      cancel();
    }
    if (!signal.aborted) this.schedule(signal);
  }
}

/** Parts of a `Cookie` header as the wire needs them; undefined when there is none. */
export function parseCookieHeader(header: string): SessionCookies | undefined {
  const pairs = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.includes('='));
  if (pairs.length === 0) return undefined;
  const yandexuid = pairs.find((pair) => pair.startsWith('yandexuid='))?.slice('yandexuid='.length);
  return { header: pairs.join('; '), yandexuid: yandexuid === '' ? undefined : yandexuid };
}

export interface CookieWireOptions {
  readonly protocol: Protocol;
  readonly cookie: string;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** A wire for one cookie, on plain Node: the session, the ports and the background probe, put together. `close` ends all of it. */
export function createCookieWire({ protocol, cookie, log, clock = systemClock, random }: CookieWireOptions): {
  wire: Wire;
  session: CookieSession;
  close: () => Promise<void>;
} {
  const session = new CookieSession({ cookie, clock });
  const ports = { protocol, session, http: createNodeHttp(session), socketFactory: createNodeSocketFactory(), clock, log };
  const wire = createWire({ ...ports, ...(random && { random }) });
  const detach = session.attach(wire);
  const close = async () => {
    detach();
    await wire.close();
  };
  return { wire, session, close };
}
