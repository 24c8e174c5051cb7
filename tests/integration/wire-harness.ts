import { afterEach, expect } from 'vitest';
import { createWire } from '../../app/wire/client.ts';
import { TimeoutError } from '../../app/wire/errors.ts';
import type { Clock, ConnectionState, JsonObject, Log, SessionSource, Wire } from '../../app/wire/index.ts';
import { parseProtocol } from '../../app/wire/protocol.ts';
import { CookieSession, createCookieWire, parseCookieHeader } from '../core/cookie-session.ts';
import { createNodeHttp } from '../core/node-http.ts';
import { createNodeSocketFactory } from '../core/node-socket.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator/index.ts';

/** Real time that a test can push forward: timers that become due by it fire at once. */
export class LeapClock implements Clock {
  private leapMs = 0;
  private readonly timers = new Set<{ dueMs: number; fire: () => void }>();

  now(): number {
    return Date.now() + this.leapMs;
  }
  after(delayMs: number, callback: () => void): () => void {
    const timer = {
      dueMs: this.now() + delayMs,
      fire: () => {
        cancel();
        callback();
      },
    };
    const handle = setTimeout(() => timer.fire(), delayMs);
    const cancel = () => {
      clearTimeout(handle);
      this.timers.delete(timer);
    };
    this.timers.add(timer);
    return cancel;
  }
  leap(ms: number): void {
    this.leapMs += ms;
    for (const timer of [...this.timers]) if (timer.dueMs <= this.now()) timer.fire();
  }
}

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A session as the app's login window has one: cookies that a refresh can replace. */
export class BrowserSession implements SessionSource {
  refreshes = 0;
  /** What loading the page again comes to. */
  onRefresh: () => Promise<boolean> = async () => false;
  constructor(public cookie: string | undefined) {}
  cookies() {
    return Promise.resolve(this.cookie === undefined ? undefined : parseCookieHeader(this.cookie));
  }
  refresh(): Promise<boolean> {
    this.refreshes++;
    return this.onRefresh();
  }
  /** Loading the page again brings fresh cookies of the same person. */
  renewsFor(sim: Simulator): void {
    this.onRefresh = async () => {
      this.cookie = sim.cookieFor(sim.me).header;
      return true;
    };
  }
}

export interface Bench {
  readonly sim: Simulator;
  readonly wire: Wire;
  readonly session: BrowserSession;
  readonly clock: LeapClock;
  readonly log: LogLine[];
  readonly states: ConnectionState[];
  /** Text of the self chat's message no. n. */
  readonly selfChat: string;
}

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function recordingLog(lines: LogLine[]): Log {
  const at =
    (level: string) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void lines.push({ level, event, fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A simulator and a wire on it. In the end nothing may have broken the protocol, nor a secret stand in the log. */
export async function startBench(options: SimulatorOptions & { cookie?: (sim: Simulator) => string | undefined; protocol?: object } = {}): Promise<Bench> {
  const sim = await startSimulator(options);
  const session = new BrowserSession(options.cookie ? options.cookie(sim) : sim.cookie);
  const clock = new LeapClock();
  const log: LogLine[] = [];
  const states: ConnectionState[] = [];
  const wire = createWire({
    protocol: parseProtocol({ ...sim.protocol, ...options.protocol }).protocol,
    session,
    http: createNodeHttp(session),
    socketFactory: createNodeSocketFactory(),
    clock,
    log: recordingLog(log),
    random: () => 0,
  });
  wire.onState((state) => states.push(state));
  cleanUps.push(async () => {
    await wire.close();
    await sim.stop();
    expect(sim.violations).toEqual([]);
    const written = JSON.stringify(log);
    for (const secret of [...sim.cookie.matchAll(/=([^;]+)/g)].map((match) => match[1] as string)) expect(written).not.toContain(secret);
  });
  return { sim, wire, session, clock, log, states, selfChat: `${sim.me.guid}_${sim.me.guid}` };
}

/** A wire for one cookie, as `npm run core` has it. */
export async function startCookieBench(options: SimulatorOptions & { cookie?: (sim: Simulator) => string } = {}) {
  const sim = await startSimulator(options);
  const lines: LogLine[] = [];
  const { wire, close } = createCookieWire({
    protocol: parseProtocol(sim.protocol).protocol,
    cookie: options.cookie ? options.cookie(sim) : sim.cookie,
    log: recordingLog(lines),
  });
  cleanUps.push(async () => {
    await close();
    await sim.stop();
  });
  return { sim, wire };
}

export { CookieSession };

/** A call's options with a budget; the timer is real and does not keep the process alive. */
export function budget(ms = 20_000): { signal: AbortSignal } {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new TimeoutError()), ms).unref();
  return { signal: controller.signal };
}

export function text(chatId: string, messageText: string, payloadId: string = crypto.randomUUID()): JsonObject {
  return { Plain: { ChatId: chatId, PayloadId: payloadId, Text: { MessageText: messageText } } };
}

/** Connection ids of the handshakes, reads and pushes so far. */
export const handshakes = (sim: Simulator): number => sim.log.filter((entry) => entry.channel === 'handshake').length;
