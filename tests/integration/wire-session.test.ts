import { describe, expect, it } from 'vitest';
import { budget, handshakes, startBench, startCookieBench, text } from './wire-harness.ts';

describe('signing in', () => {
  it('is proven by request_user and then opens the socket', async () => {
    const { sim, wire, states } = await startBench({ settings: { uidType: 'string' } });
    const identity = await wire.connect(budget());
    expect(identity).toEqual({ guid: sim.me.guid, uid: sim.me.uid, displayName: sim.me.displayName });
    expect(wire.identity).toEqual(identity);
    expect(states).toEqual(['signing_in', 'online']);
    expect(sim.requests('request_user')).toHaveLength(1);
  });

  it('does nothing before the first call', async () => {
    const { sim, wire } = await startBench();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sim.log).toEqual([]);
    expect(wire.state).toBe('offline');
  });

  it('fails at once for a guest, although a guest has a Session_id too', async () => {
    const { sim, wire, session } = await startBench({ cookie: (simulator) => simulator.guestCookie });
    await expect(wire.connect(budget())).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(wire.state).toBe('signed_out');
    expect(wire.identity).toBeUndefined();
    expect(handshakes(sim)).toBe(0);
    expect(session.refreshes).toBe(0);
  });

  it('fails at once without any cookies, and asks nobody', async () => {
    const { sim, wire } = await startBench({ cookie: () => undefined });
    for (const call of [wire.connect(budget()), wire.read('whoami', {}, budget()), wire.registry('search', {}, budget())]) {
      await expect(call).rejects.toMatchObject({ code: 'not_signed_in' });
    }
    expect(await wire.push({ Heartbeat: { Type: 2 } }, budget())).toEqual({ kind: 'not_sent', reason: 'not_signed_in' });
    expect(sim.log).toEqual([]);
  });

  it('starts by itself when a person signs in, and forgets the identity when she signs out', async () => {
    const { sim, wire, session } = await startBench({ cookie: () => undefined });
    await expect(wire.connect(budget())).rejects.toMatchObject({ code: 'not_signed_in' });
    session.cookie = sim.cookie;
    wire.sessionChanged();
    await sim.waitFor(() => wire.state === 'online');
    session.cookie = undefined;
    wire.sessionChanged();
    await sim.waitFor(() => wire.state === 'signed_out');
    expect(wire.identity).toBeUndefined();
    await expect(wire.read('whoami', {}, budget())).rejects.toMatchObject({ code: 'not_signed_in' });
  });

  it('of somebody else ends the calls of the person before', async () => {
    const { sim, wire, session } = await startBench();
    const other = sim.world.person({ displayName: 'Anna Smith' });
    await wire.connect(budget());
    sim.faults.nextRead({ kind: 'silence' }, 'whoami');
    const read = wire.read('whoami', {}, budget());
    sim.faults.nextPush({ kind: 'silence' });
    const stuck = wire.push({ Heartbeat: { Type: 2 } }, budget());
    await sim.waitFor(() => sim.pushes.length === 1);
    const queued = wire.push(text(`${sim.me.guid}_${sim.me.guid}`, 'from the person before'), budget());
    session.cookie = sim.cookieFor(other).header;
    wire.sessionChanged();
    await expect(read).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(await stuck).toEqual({ kind: 'unknown', reason: 'connection_lost' });
    expect(await queued).toEqual({ kind: 'not_sent', reason: 'not_signed_in' });
    expect(wire.identity?.guid).toBe(other.guid);
    expect(sim.pushesOf('Plain')).toEqual([]);
  });
});

describe('rejected cookies', () => {
  it.each([
    { http: 401, code: 'invalid_cookies' },
    { http: 200, code: 'not_authorized' },
    { http: 403, code: 'no_credentials' },
    { http: 400, code: 'cookie_auth_failed' },
  ] as const)('told as HTTP $http $code are renewed once for twenty callers at once', async (registryRefusal) => {
    const { sim, wire, session } = await startBench({ settings: { registryRefusal } });
    await wire.connect(budget());
    session.onRefresh = async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      session.cookie = sim.cookieFor(sim.me).header;
      return true;
    };
    sim.expireSession();
    const calls = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? wire.read('whoami', {}, budget()) : wire.registry('search', { query: 'x', entities: ['users'] }, budget()),
    );
    expect(await Promise.all(calls)).toHaveLength(20);
    expect(session.refreshes).toBe(1);
    expect(wire.state).toBe('online');
  });

  it.each(['http401', 'http403', 'close'] as const)('at the socket (%s) are renewed as well', async (socketRefusal) => {
    const { sim, wire, session } = await startBench({ settings: { socketRefusal } });
    await wire.connect(budget());
    session.renewsFor(sim);
    sim.accounts.expire();
    sim.socketSide.dropAll();
    await sim.waitFor(() => session.refreshes === 1 && wire.state === 'online');
    expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
  });

  it('told by `unsubscribe` bring a new session and a new connection without anybody asking', async () => {
    const { sim, wire, session } = await startBench();
    await wire.connect(budget());
    session.onRefresh = async () => true;
    sim.socketSide.unsubscribeAll();
    await sim.waitFor(() => handshakes(sim) === 2 && wire.state === 'online');
    expect(session.refreshes).toBe(1);
  });

  it('are renewed as often as they expire', async () => {
    const { sim, wire, session } = await startBench();
    session.renewsFor(sim);
    for (let round = 1; round <= 5; round++) {
      expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
      sim.expireSession();
      await sim.waitFor(() => session.refreshes === round && wire.state === 'online');
    }
  });

  it('that only the socket goes on rejecting end signed out, not in a loop', async () => {
    const { sim, wire, session } = await startBench();
    session.onRefresh = async () => true;
    sim.faults.refuseHandshakes(401, 1000);
    await expect(wire.connect(budget())).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(wire.state).toBe('signed_out');
    expect(handshakes(sim)).toBe(2);
    sim.faults.clear();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await wire.connect(budget())).toMatchObject({ guid: sim.me.guid });
  });

  it('that a refresh does not renew end all waiting calls at once, and leave nothing running', async () => {
    const { sim, wire, states } = await startBench();
    await wire.connect(budget());
    sim.faults.nextPush({ kind: 'status', status: 23, waitFor: 30_000, commit: false });
    await wire.push({ Heartbeat: { Type: 2 } }, budget());
    const paced = wire.push({ Heartbeat: { Type: 2 } }, budget());
    sim.expireSession();
    const read = wire.read('whoami', {}, budget());
    await expect(read).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(await paced).toEqual({ kind: 'not_sent', reason: 'not_signed_in' });
    expect(wire.state).toBe('signed_out');
    expect(wire.identity).toBeUndefined();
    const before = sim.log.length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(sim.log.length).toBe(before);
    expect(states.filter((state) => state === 'signed_out')).toHaveLength(1);
  });

  it('are asked about again by the next call, but not more than once a second', async () => {
    const { sim, wire, session } = await startBench();
    sim.expireSession();
    await expect(wire.connect(budget())).rejects.toMatchObject({ code: 'not_signed_in' });
    const asked = sim.requests('request_user').length;
    for (let call = 0; call < 20; call++) await expect(wire.read('whoami', {}, budget())).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(sim.requests('request_user').length).toBe(asked);
    expect(session.refreshes).toBe(1);
    sim.accounts.revive();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
    expect(session.refreshes).toBe(1);
    expect(wire.state).toBe('online');
  });

  it('never make a push go twice', async () => {
    const { sim, wire, session, selfChat } = await startBench();
    await wire.connect(budget());
    session.renewsFor(sim);
    sim.expireSession({ closeSockets: false });
    expect(await wire.push(text(selfChat, 'one'), budget())).toEqual({ kind: 'unknown', reason: 'connection_lost' });
    expect(await wire.push(text(selfChat, 'two'), budget())).toMatchObject({ kind: 'committed' });
    expect(sim.messagesIn(selfChat).map((message) => message.body)).toMatchObject([{ Text: { MessageText: 'two' } }]);
    expect(sim.requests('push')).toHaveLength(2);
  });

  it('at the handshake cost a push nothing: it was not sent before', async () => {
    const { sim, wire, session, selfChat } = await startBench();
    await wire.connect(budget());
    session.renewsFor(sim);
    sim.expireSession();
    await sim.waitFor(() => wire.state !== 'online');
    expect(await wire.push(text(selfChat, 'once'), budget())).toMatchObject({ kind: 'committed' });
    expect(sim.messagesIn(selfChat)).toHaveLength(1);
  });
});

describe('one cookie from the command line', () => {
  it('that is rejected for a while fails calls fast and works again without a restart', async () => {
    const { sim, wire } = await startCookieBench();
    sim.accounts.expire();
    const start = Date.now();
    await expect(wire.read('whoami', {}, budget())).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(Date.now() - start).toBeLessThan(5000);
    sim.accounts.revive();
    await sim.waitFor(() => wire.state === 'online', 15_000);
    expect(await wire.read('whoami', {}, budget())).toHaveProperty('UserInfo');
  });

  it('that expires under an open socket comes back too', async () => {
    const { sim, wire } = await startCookieBench();
    await wire.connect(budget());
    sim.expireSession();
    await sim.waitFor(() => wire.state === 'signed_out');
    sim.accounts.revive();
    await sim.waitFor(() => wire.state === 'online', 15_000);
  });

  it('of a guest never gets in', async () => {
    const { wire } = await startCookieBench({ cookie: (sim) => sim.guestCookie });
    await expect(wire.connect(budget())).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(wire.state).toBe('signed_out');
  });
});
