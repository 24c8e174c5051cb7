import { describe, expect, it } from 'vitest';
import { CancelledError, TimeoutError } from '../../app/wire/errors.ts';
import type { LiveEvent } from '../../app/wire/index.ts';
import { budget, handshakes, startBench, text } from './wire-harness.ts';

describe('a read', () => {
  it.each([
    ['proxy status 3', { kind: 'proxy_status', status: 3 }],
    ['proxy status 7', { kind: 'proxy_status', status: 7 }],
    ['status OVERLOAD', { kind: 'status', status: 5 }],
    ['a dropped socket', { kind: 'drop' }],
    ['an answer that is no JSON', { kind: 'garbage', form: 'body' }],
  ] as const)('survives %s', async (_what, action) => {
    const { sim, wire } = await startBench();
    sim.faults.nextRead(action, 'whoami', 1);
    expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
    expect(sim.requests('whoami')).toHaveLength(2);
  });

  it('survives three bad answers in a row', async () => {
    const { sim, wire } = await startBench();
    sim.faults.nextRead({ kind: 'proxy_status', status: 6 }, 'whoami', 3);
    expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
  });

  it.each([
    [
      { kind: 'proxy_status', status: 2 },
      { code: 'proxy_status', status: 2, statusName: 'BACKEND_CALL_ERROR' },
    ],
    [
      { kind: 'proxy_status', status: 8 },
      { code: 'proxy_status', status: 8 },
    ],
    [
      { kind: 'status', status: 2 },
      { code: 'read_status', status: 2, statusName: 'ACCESS_DENIED' },
    ],
    [
      { kind: 'status', status: 4 },
      { code: 'read_status', status: 4 },
    ],
  ] as const)('refused with %j fails at once, once', async (action, error) => {
    const { sim, wire } = await startBench();
    sim.faults.nextRead(action, 'whoami', 10);
    await expect(wire.read('whoami', {}, budget())).rejects.toMatchObject(error);
    expect(sim.requests('whoami')).toHaveLength(1);
  });

  it('refused again and again fails in the end with what the server said', async () => {
    const { sim, wire, clock } = await startBench();
    sim.faults.nextRead({ kind: 'status', status: 1 }, 'whoami', 100);
    const hurry = setInterval(() => clock.leap(500), 20);
    await expect(wire.read('whoami', {}, budget())).rejects.toMatchObject({ code: 'read_status', status: 1 });
    clearInterval(hurry);
    expect(sim.requests('whoami')).toHaveLength(6);
  });

  it('ends when its caller cancels it or its budget is over, and asks no more', async () => {
    const { sim, wire } = await startBench();
    for (const reason of [new CancelledError(), new TimeoutError()]) {
      const controller = new AbortController();
      sim.faults.nextRead({ kind: 'silence' }, 'whoami');
      const read = wire.read('whoami', {}, { signal: controller.signal });
      await sim.waitFor(() => sim.faults.pending === 0);
      controller.abort(reason);
      await expect(read).rejects.toMatchObject({ code: reason.code });
    }
    expect(sim.requests('whoami')).toHaveLength(2);
    await expect(wire.read('whoami', {}, { signal: AbortSignal.abort(new CancelledError()) })).rejects.toMatchObject({ code: 'cancelled' });
    expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
  });

  it('is not disturbed by answers meant for others nor by frames nobody can read', async () => {
    const { sim, wire, log } = await startBench();
    await wire.connect(budget());
    const noise = [Buffer.from([1, 0xc1, 0xff]), Buffer.from([9]), Buffer.alloc(0), '{not json', '"text"', '{"operation":"news"}', Buffer.from([3, 0x90, 5])];
    for (const bytes of noise) sim.socketSide.sendBytes(bytes);
    for (const form of ['request_id', 'seq', 'bytes', 'text'] as const) {
      sim.faults.nextRead({ kind: 'garbage', form }, 'whoami');
      const controller = new AbortController();
      const lost = wire.read('whoami', {}, { signal: controller.signal });
      await sim.waitFor(() => sim.faults.pending === 0);
      expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
      controller.abort(new TimeoutError());
      await expect(lost).rejects.toMatchObject({ code: 'timeout' });
    }
    expect(handshakes(sim)).toBe(1);
    expect(log.filter((line) => line.event === 'wire.frame_dropped').length).toBeGreaterThan(3);
  });

  it('goes along with hundreds of others on one connection', async () => {
    const { sim, wire } = await startBench();
    const answers = await Promise.all(Array.from({ length: 400 }, () => wire.read('whoami', {}, budget())));
    expect(answers.every((answer) => 'UserInfo' in answer)).toBe(true);
    expect(handshakes(sim)).toBe(1);
  });

  it('shares one signal with many others without leaking listeners', async () => {
    const { wire } = await startBench();
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    for (let round = 0; round < 20; round++) {
      await wire.read('whoami', {}, { signal });
      await wire.push({ Heartbeat: { Type: 2 } }, { signal });
      await wire.registry('search', { query: 'x', entities: ['users'] }, { signal });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(listeners).toBe(0);
  });
});

describe('a push', () => {
  it('tells the message it became', async () => {
    const { sim, wire, selfChat } = await startBench();
    const result = await wire.push(text(selfChat, 'Привет', 'payload-1'), budget());
    const [message] = sim.messagesIn(selfChat);
    expect(result).toMatchObject({ kind: 'committed', status: 1, isDuplicate: false, messageInfo: { timestampMcs: String(message?.ts) } });
    expect(await wire.push(text(selfChat, 'Привет', 'payload-1'), budget())).toMatchObject({ kind: 'committed', status: 8, isDuplicate: true });
  });

  it.each([
    ['written', true, 1],
    ['not written', false, 0],
  ])('whose socket dies when it was %s is unknown and goes once', async (_what, commit, count) => {
    const { sim, wire, selfChat } = await startBench();
    sim.faults.nextPush({ kind: 'drop', commit });
    expect(await wire.push(text(selfChat, 'x'), budget())).toEqual({ kind: 'unknown', reason: 'connection_lost' });
    await sim.waitFor(() => wire.state === 'online');
    expect(sim.pushes).toHaveLength(1);
    expect(sim.messagesIn(selfChat)).toHaveLength(count);
  });

  it.each([
    [
      { kind: 'proxy_status', status: 2 },
      { kind: 'rejected', proxyStatus: 2, proxyStatusName: 'BACKEND_CALL_ERROR' },
    ],
    [
      { kind: 'proxy_status', status: 6, commit: true },
      { kind: 'unknown', reason: 'proxy_status' },
    ],
    [
      { kind: 'status', status: 15 },
      { kind: 'refused', status: 15, statusName: 'NO_PERMISSION' },
    ],
    [
      { kind: 'no_status', commit: true },
      { kind: 'unknown', reason: 'no_status' },
    ],
    [
      { kind: 'garbage', form: 'body', commit: true },
      { kind: 'unknown', reason: 'no_status' },
    ],
  ] as const)('answered with %j is told so, once', async (action, result) => {
    const { sim, wire, selfChat } = await startBench();
    sim.faults.nextPush(action);
    expect(await wire.push(text(selfChat, 'x'), budget())).toMatchObject(result);
    expect(sim.pushes).toHaveLength(1);
  });

  it('without an answer is unknown when the budget ends or the caller cancels', async () => {
    const { sim, wire, selfChat } = await startBench();
    for (const [reason, word] of [
      [new TimeoutError(), 'timeout'],
      [new CancelledError(), 'cancelled'],
    ] as const) {
      sim.faults.nextPush({ kind: 'silence', commit: true });
      const controller = new AbortController();
      const push = wire.push(text(selfChat, 'x'), { signal: controller.signal });
      await sim.waitFor(() => sim.faults.pending === 0);
      controller.abort(reason);
      expect(await push).toEqual({ kind: 'unknown', reason: word });
    }
  });

  it('that cannot get out in its budget was certainly not sent', async () => {
    const { sim, wire, selfChat } = await startBench();
    await wire.connect(budget());
    sim.faults.add({ channel: 'handshake', action: { kind: 'http', status: 503 }, times: 1000 });
    sim.socketSide.dropAll();
    await sim.waitFor(() => wire.state === 'reconnecting');
    expect(await wire.push(text(selfChat, 'x'), budget(600))).toEqual({ kind: 'not_sent', reason: 'timeout' });
    const controller = new AbortController();
    const push = wire.push(text(selfChat, 'x'), { signal: controller.signal });
    controller.abort(new CancelledError());
    expect(await push).toEqual({ kind: 'not_sent', reason: 'cancelled' });
    const late = await wire.push(text(selfChat, 'x'), { signal: AbortSignal.abort(new TimeoutError()) });
    expect(late).toEqual({ kind: 'not_sent', reason: 'timeout' });
    expect(sim.pushes).toEqual([]);
  });

  it('waits for the one before it, in order', async () => {
    const { sim, wire, selfChat } = await startBench();
    sim.faults.nextPush({ kind: 'delay', ms: 150 }, 3);
    const numbers = ['1', '2', '3', '4', '5'];
    const results = numbers.map((number) => wire.push(text(selfChat, number), budget()));
    await sim.waitFor(() => sim.requests('push').length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sim.requests('push')).toHaveLength(1);
    expect((await Promise.all(results)).every((result) => result.kind === 'committed')).toBe(true);
    expect(sim.messagesIn(selfChat).map((message) => (message.body['Text'] as { MessageText: string }).MessageText)).toEqual(numbers);
  });

  it('given up in the queue does not let the next one overtake', async () => {
    const { sim, wire, selfChat } = await startBench();
    sim.faults.nextPush({ kind: 'delay', ms: 300 });
    const first = wire.push(text(selfChat, 'first'), budget());
    const controller = new AbortController();
    const second = wire.push(text(selfChat, 'second'), { signal: controller.signal });
    const third = wire.push(text(selfChat, 'third'), budget());
    await sim.waitFor(() => sim.requests('push').length === 1);
    controller.abort(new CancelledError());
    expect(await second).toEqual({ kind: 'not_sent', reason: 'cancelled' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sim.requests('push')).toHaveLength(1);
    expect([(await first).kind, (await third).kind]).toEqual(['committed', 'committed']);
  });
});

describe('a server that asks to wait', () => {
  it('gets no push before the time it named, also after a success', async () => {
    const { sim, wire, clock, log, selfChat } = await startBench();
    sim.faults.nextPush({ kind: 'status', status: 1, waitFor: 4000 });
    expect(await wire.push(text(selfChat, 'a'), budget())).toMatchObject({ kind: 'committed' });
    const next = wire.push(text(selfChat, 'b'), budget());
    await new Promise((resolve) => setTimeout(resolve, 100));
    clock.leap(3000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sim.pushes).toHaveLength(1);
    clock.leap(1000);
    expect(await next).toMatchObject({ kind: 'committed' });
    expect(log).toContainEqual({ level: 'info', event: 'wire.rate_limit', fields: { rawWaitFor: '4000', waitMs: 4000 } });
  });

  it('is heard with 23 and with 18, and a push that cannot wait that long is told so', async () => {
    const { sim, wire, selfChat } = await startBench();
    sim.faults.nextPush({ kind: 'status', status: 23, waitFor: 20_000 });
    expect(await wire.push(text(selfChat, 'a'), budget())).toMatchObject({ kind: 'refused', status: 23, retryAfterMs: 20_000 });
    const result = await wire.push(text(selfChat, 'b'), budget(200));
    expect(result).toMatchObject({ kind: 'not_sent', reason: 'rate_limited' });
    expect(result).toHaveProperty('retryAfterMs', expect.closeTo(19_800, -3));
    expect(sim.pushes).toHaveLength(1);
  });

  it('does not hold up reads', async () => {
    const { sim, wire, selfChat } = await startBench();
    sim.faults.nextPush({ kind: 'status', status: 18 });
    expect(await wire.push(text(selfChat, 'a'), budget())).toMatchObject({ kind: 'refused', status: 18, retryAfterMs: 1000 });
    expect(await wire.read('whoami', {}, budget(500))).toHaveProperty('UserInfo');
  });
});

describe('a connection', () => {
  it('that was lost comes back by itself, with a subscription of its own for the next push', async () => {
    const { sim, wire, states, selfChat } = await startBench();
    await wire.push(text(selfChat, 'a'), budget());
    sim.socketSide.dropAll();
    await sim.waitFor(() => handshakes(sim) === 2 && wire.state === 'online');
    expect(wire.identity?.guid).toBe(sim.me.guid);
    await wire.push(text(selfChat, 'b'), budget());
    const ids = sim.pushes.map((push) => (push.params['ClientTransportId'] as { XivaSubscriptionId: string }).XivaSubscriptionId);
    expect(new Set(ids).size).toBe(2);
    expect(states).toEqual(['signing_in', 'online', 'reconnecting', 'online']);
  });

  it('whose pings stop is replaced', async () => {
    const { sim, wire, clock } = await startBench();
    await wire.connect(budget());
    sim.faults.arePingsStopped = true;
    await new Promise((resolve) => setTimeout(resolve, 50));
    clock.leap(77_000);
    expect(wire.state).toBe('online');
    clock.leap(1500);
    expect(wire.state).toBe('reconnecting');
    await sim.waitFor(() => handshakes(sim) === 2);
  });

  it('with pings stays', async () => {
    const { sim, wire } = await startBench({ settings: { serverIntervalSec: 0.2 } });
    await wire.connect(budget());
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(handshakes(sim)).toBe(1);
    sim.faults.arePingsStopped = true;
    await sim.waitFor(() => handshakes(sim) > 1);
  });

  it('that cannot be had is tried again and again, and calls wait for it as long as they may', async () => {
    const { sim, wire } = await startBench();
    sim.faults.add({ channel: 'handshake', action: { kind: 'http', status: 502 }, times: 2 });
    sim.faults.add({ channel: 'handshake', action: { kind: 'drop' }, times: 1 });
    expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
    expect(handshakes(sim)).toBe(4);
  });

  it('whose address the server refuses fails the call at once', async () => {
    const { sim, wire } = await startBench();
    sim.faults.add({ channel: 'handshake', action: { kind: 'close', code: 4400, reason: 'invalid argument "service"' }, times: 1000 });
    await expect(wire.read('whoami', {}, budget())).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  it('sleeps with the computer and comes back with it', async () => {
    const { sim, wire } = await startBench();
    await wire.connect(budget());
    wire.suspend();
    expect(wire.state).toBe('offline');
    await sim.waitFor(() => sim.socketSide.connections.size === 0);
    const read = wire.read('whoami', {}, budget());
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(handshakes(sim)).toBe(1);
    wire.resume();
    expect(await read).toHaveProperty('UserInfo');
    expect(wire.state).toBe('online');
  });

  it('wakes for a call even if nobody said that the computer woke', async () => {
    const { wire, clock } = await startBench();
    await wire.connect(budget());
    wire.suspend();
    clock.leap(3_600_000);
    expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
  });

  it('closed for good ends what waits', async () => {
    const { sim, wire, selfChat } = await startBench();
    await wire.connect(budget());
    sim.faults.nextRead({ kind: 'silence' }, 'whoami');
    sim.faults.nextPush({ kind: 'silence' });
    const read = wire.read('whoami', {}, budget());
    const push = wire.push(text(selfChat, 'x'), budget());
    const queued = wire.push(text(selfChat, 'y'), budget());
    await sim.waitFor(() => sim.faults.pending === 0);
    await Promise.all([wire.close(), expect(read).rejects.toMatchObject({ code: 'connection_lost' })]);
    expect(await push).toEqual({ kind: 'unknown', reason: 'connection_lost' });
    expect(await queued).toEqual({ kind: 'not_sent', reason: 'connection_lost' });
    await expect(wire.read('whoami', {}, budget())).rejects.toMatchObject({ code: 'connection_lost' });
    await sim.waitFor(() => sim.socketSide.connections.size === 0);
  });

  it('brings live events, and a listener that throws does no harm', async () => {
    const { sim, wire, selfChat } = await startBench();
    const events: LiveEvent[] = [];
    wire.onEvent(() => {
      throw new Error('a bad listener');
    });
    const undo = wire.onEvent((event) => events.push(event));
    await wire.push(text(selfChat, 'an event'), budget());
    await sim.waitFor(() => events.length > 0);
    expect(events[0]?.body).toHaveProperty('ClientMessage');
    expect(events[0]?.transitId).toMatch(/^[0-9a-f]+$/);
    undo();
    const count = events.length;
    await wire.push(text(selfChat, 'another'), budget());
    expect(events).toHaveLength(count);
  });
});
