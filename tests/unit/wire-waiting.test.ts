import { describe, expect, it } from 'vitest';
import { abortError, sleep, untilAborted, withDeadline } from '../../app/wire/abort.ts';
import { backoffDelayMs } from '../../app/wire/backoff.ts';
import { connectionState, type ConnectionFacts } from '../../app/wire/connection-state.ts';
import { CancelledError, NotSignedInError, TimeoutError } from '../../app/wire/errors.ts';
import { PingDeadline } from '../../app/wire/ping-deadline.ts';
import type { Clock } from '../../app/wire/ports.ts';

/** Time that only moves when told to. */
class StillClock implements Clock {
  private nowMs = 0;
  private timers: { atMs: number; callback: () => void }[] = [];
  now(): number {
    return this.nowMs;
  }
  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.nowMs + delayMs, callback };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((other) => other !== timer));
  }
  advance(ms: number): void {
    this.nowMs += ms;
    const due = this.timers.filter((timer) => timer.atMs <= this.nowMs);
    this.timers = this.timers.filter((timer) => timer.atMs > this.nowMs);
    for (const timer of due) timer.callback();
  }
  get size(): number {
    return this.timers.length;
  }
}

describe('a connection without pings', () => {
  const deadline = () => {
    const clock = new StillClock();
    const state = { isDead: false };
    return { clock, state, pings: new PingDeadline(clock, () => (state.isDead = true)) };
  };

  it('is dead when the first ping does not come soon after it opened', () => {
    const { clock, state, pings } = deadline();
    pings.start();
    clock.advance(5000);
    expect(state.isDead).toBe(false);
    clock.advance(1600);
    expect(state.isDead).toBe(true);
  });

  it('is dead 1.3 intervals after the last ping', () => {
    const { clock, state, pings } = deadline();
    pings.start();
    pings.ping(60);
    clock.advance(77_900);
    pings.ping(10);
    clock.advance(12_900);
    expect(state.isDead).toBe(false);
    clock.advance(200);
    expect(state.isDead).toBe(true);
  });

  it.each([undefined, null, '60', 0, -1, Number.NaN])('takes an interval of %j for the usual minute', (interval) => {
    const { clock, state, pings } = deadline();
    pings.ping(interval);
    clock.advance(77_000);
    expect(state.isDead).toBe(false);
    clock.advance(1001);
    expect(state.isDead).toBe(true);
  });
});

describe('a call that waits', () => {
  it('ends with the reason of its own signal and leaves nothing behind', async () => {
    const clock = new StillClock();
    const controller = new AbortController();
    const waits = [sleep(clock, 1000, controller.signal), untilAborted(new Promise(() => undefined), controller.signal)];
    const reason = new TimeoutError();
    controller.abort(reason);
    for (const wait of waits) await expect(wait).rejects.toBe(reason);
    expect(clock.size).toBe(0);
  });

  it('tells a cancelled from a timed-out signal of any origin, and whether the request had left', () => {
    const errorFor = (reason: unknown, wasSent: boolean) => {
      const controller = new AbortController();
      controller.abort(reason);
      return abortError(controller.signal, wasSent);
    };
    expect(errorFor(new TimeoutError(), true)).toMatchObject({ code: 'timeout', wasSent: true });
    expect(errorFor(new CancelledError(), true)).toMatchObject({ code: 'cancelled', wasSent: true });
    expect(errorFor(undefined, false)).toMatchObject({ code: 'cancelled', wasSent: false });
    expect(errorFor(new DOMException('x', 'TimeoutError'), false)).toMatchObject({ code: 'timeout' });
    expect(errorFor(new NotSignedInError(), false)).toMatchObject({ code: 'not_signed_in' });
  });

  it('ends at its deadline with a timeout, also when the work ignores its signal', async () => {
    const clock = new StillClock();
    const work = withDeadline(clock, 1000, undefined, () => new Promise(() => undefined));
    clock.advance(1000);
    await expect(work).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('a reconnect', () => {
  it('backs off to its ceiling with jitter, without end', () => {
    const delays = (random: () => number) => [0, 1, 2, 7, 5000].map((failures) => backoffDelayMs(failures, { firstMs: 250, maxMs: 30_000, random }));
    expect(delays(() => 0)).toEqual([125, 250, 500, 15_000, 15_000]);
    expect(delays(() => 1)).toEqual([250, 500, 1000, 30_000, 30_000]);
  });
});

describe('the state a person sees', () => {
  const nothing: ConnectionFacts = {
    isClosed: false,
    isSignedOut: false,
    isAsking: false,
    isProven: false,
    isOnline: false,
    isConnecting: false,
    hasBeenOnline: false,
  };
  it.each([
    ['offline', {}],
    ['signing_in', { isAsking: true, isConnecting: true }],
    ['signing_in', { isProven: true, isConnecting: true }],
    ['online', { isProven: true, isOnline: true, hasBeenOnline: true }],
    ['online', { isProven: true, isOnline: true, hasBeenOnline: true, isAsking: true }],
    ['reconnecting', { isProven: true, isConnecting: true, hasBeenOnline: true }],
    ['offline', { isProven: true }],
    ['signed_out', { isSignedOut: true }],
    ['signed_out', { isSignedOut: true, isAsking: true, isConnecting: true }],
    ['offline', { isClosed: true, isOnline: true }],
  ] as const)('is %s for %j', (state, facts) => {
    expect(connectionState({ ...nothing, ...facts })).toBe(state);
  });
});
