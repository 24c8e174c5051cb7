import { afterEach, beforeEach, expect, it } from 'vitest';
import { newGuid, startSimulator, type Simulator } from '../simulator/index.ts';
import { rawCsrf, RawClient, rawRegistry } from '../simulator/raw-client.ts';

let sim: Simulator;
let client: RawClient;
beforeEach(async () => {
  sim = await startSimulator();
  client = await RawClient.connect(sim);
});
afterEach(async () => {
  client.close();
  await sim.stop();
});

const send = (text: string): ReturnType<RawClient['push']> =>
  client.push({ Plain: { ChatId: sim.world.self().id, PayloadId: newGuid(), Text: { MessageText: text } } });
const stored = (): number => sim.messagesIn(sim.world.self()).length;

it('answers a push with any status, and writes it only where that status says so', async () => {
  sim.faults.nextPush({ kind: 'status', status: 23, waitFor: 1500 });
  expect(await send('a')).toMatchObject({ body: { Status: 23, RateLimit: { WaitFor: 1500 } } });
  sim.faults.nextPush({ kind: 'status', status: 18, waitFor: null });
  expect(await send('b')).toMatchObject({ body: { Status: 18, RateLimit: {} } });
  expect(stored()).toBe(0);
  sim.faults.nextPush({ kind: 'status', status: 2 });
  expect(await send('c')).toMatchObject({ body: { Status: 2 } });
  sim.faults.nextPush({ kind: 'no_status', commit: true });
  expect((await send('d')) as unknown as { body: object }).not.toHaveProperty('body.Status');
  expect(stored()).toBe(2);
  expect(sim.pushes.map((push) => [push.status, push.isCommitted])).toEqual([
    [23, false],
    [18, false],
    [2, true],
    [undefined, true],
  ]);
});

it('answers a push late, written before or after the wait', async () => {
  sim.faults.nextPush({ kind: 'delay', ms: 120, isCommittedFirst: true });
  const early = send('early');
  await expect.poll(stored).toBe(1);
  expect(sim.pushes).toHaveLength(0);
  expect(await early).toMatchObject({ body: { Status: 1 } });
  sim.faults.nextPush({ kind: 'delay', ms: 120 });
  const late = send('late');
  await expect.poll(() => sim.faults.pending).toBe(0);
  expect(stored()).toBe(1);
  expect(await late).toMatchObject({ body: { Status: 1 } });
  expect(stored()).toBe(2);
});

it('keeps to its rate and says how long to wait', async () => {
  sim.settings.pushesPerSecond = 2;
  const statuses = [];
  for (const text of ['1', '2', '3']) statuses.push(((await send(text)) as unknown as { body: { Status: number } }).body.Status);
  expect(statuses).toEqual([1, 1, 23]);
});

it('strikes by method, after some have passed, and as often as told', async () => {
  sim.faults.add({ channel: 'read', method: 'whoami', action: { kind: 'proxy_status', status: 6 }, skip: 1, times: 2 });
  const types = [];
  for (let i = 0; i < 4; i += 1) types.push((await client.call('whoami', {})).type);
  expect(types).toEqual(['data', 'proxy_status', 'proxy_status', 'data']);
});

it('voids an expired session at the next request, and renews it from the long-lived cookie when the page is loaded', async () => {
  const { header } = sim.cookieFor(sim.me, { isLongLived: true });
  sim.expireSession({ closeSockets: false });
  void client.call('whoami', {}).catch(() => undefined);
  await expect.poll(() => client.closed).toEqual({ code: 4401, reason: 'cookie auth failed' });
  expect(client.operations.at(-1)).toEqual({ operation: 'unsubscribe' });
  const load = async (): Promise<string> => (await fetch(sim.urls.chat, { headers: { Cookie: header } })).text();
  expect(await load()).toContain('data-state="signed-in"');
  sim.accounts.canRefresh = false;
  expect(await load()).toContain('data-state="guest"');
});

it('refuses cookies in the registry by HTTP status or by each of the four codes', async () => {
  for (const code of ['invalid_cookies', 'not_authorized', 'no_credentials', 'cookie_auth_failed'] as const) {
    sim.settings.registryRefusal = { http: 200, code };
    expect(await rawRegistry(sim, 'search', { query: 'x', entities: ['users'] }, { cookie: 'Session_id=old' })).toMatchObject({
      status: 200,
      body: { status: 'error', data: { code } },
    });
  }
});

it('wants a new CSRF token after the old ones were thrown away', async () => {
  const csrf = await rawCsrf(sim);
  sim.accounts.rotateCsrf();
  expect(await rawRegistry(sim, 'request_user', { bind_phone_number: false }, { csrf })).toMatchObject({ status: 403 });
  expect(await rawRegistry(sim, 'request_user', { bind_phone_number: false }, { csrf: await rawCsrf(sim) })).toMatchObject({ status: 200 });
});

it.each([
  [403, { kind: 'http', status: 403 }],
  [507, { kind: 'http', status: 507 }],
  [413, { kind: 'http', status: 413 }],
] as const)('refuses an upload with %i', async (status, action) => {
  const csrf = await rawCsrf(sim);
  const files = [{ name: 'a', upload_id: newGuid(), size: 1, chat_id: sim.world.self().id }];
  const { body } = await rawRegistry(sim, 'upload_to_disk', { files }, { csrf });
  sim.faults.add({ channel: 'upload', action });
  const url = (body as { data: { files: { upload_url: string }[] } }).data.files[0]!.upload_url;
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(status);
});

it('cuts a download in the middle', async () => {
  const file = sim.world.file('big.bin', '', 'application/octet-stream', 1_000_000);
  const first = await fetch(`${sim.protocol.privateFilesUrl}/file_shortterm/${file.id2}?attach=true`, { headers: { Cookie: sim.cookie }, redirect: 'manual' });
  sim.faults.add({ channel: 'storage', action: { kind: 'cut', afterBytes: 1000 } });
  const response = await fetch(first.headers.get('location')!);
  await expect(response.arrayBuffer()).rejects.toThrow();
});

it('goes quiet when its pings stop', async () => {
  sim.settings.pingEveryMs = 30;
  const lively = await RawClient.connect(sim);
  const pings = (): number => lively.operations.filter((operation) => operation['operation'] === 'ping').length;
  await expect.poll(pings).toBeGreaterThan(2);
  sim.faults.arePingsStopped = true;
  const before = pings();
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(pings()).toBeLessThanOrEqual(before + 1);
  lively.close();
});
