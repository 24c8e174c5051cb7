import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeApp, type FakeApp } from './shim-fake-app.ts';
import { CLIENT, failureOf, makeWorkplace, ShimProcess, textOf, until } from './shim-harness.ts';

let place: Awaited<ReturnType<typeof makeWorkplace>>;
let app: FakeApp;
let shims: ShimProcess[] = [];

function startShim(env?: Record<string, string>): ShimProcess {
  const shim = new ShimProcess(place.shimFile, place.folder, env);
  shims.push(shim);
  return shim;
}

beforeAll(async () => {
  place = await makeWorkplace();
});
beforeEach(async () => {
  app = await startFakeApp(place.folder);
});
afterEach(async () => {
  for (const shim of shims) shim.child.kill('SIGKILL');
  shims = [];
  await app.close();
});
afterAll(() => place.remove());

describe('a client while the app runs', () => {
  it("is answered by the app itself, and the app hears the client's own words", async () => {
    const shim = startShim();
    const answer = await shim.initialize();
    expect(answer.result).toMatchObject({ protocolVersion: '2025-06-18', instructions: 'from the app' });
    expect((await shim.request('tools/list')).result?.tools).toEqual([{ name: 'echo', inputSchema: { type: 'object' } }]);
    expect(textOf(await shim.call('echo', { text: 'Привет 👋' }))).toBe('{"text":"Привет 👋"}');
    expect((await shim.request('prompts/list')).error?.code).toBe(-32601);
    expect((await shim.request('ping')).result).toEqual({});
    expect(app.heard[0]).toMatchObject({ method: 'initialize', params: CLIENT });
    expect(app.heard.filter(({ method }) => method === 'notifications/initialized')).toHaveLength(1);
    expect(await shim.end()).toBe(0);
  });

  it('may send broken lines and goes on', async () => {
    const shim = startShim();
    await shim.initialize();
    shim.write('{"jsonrpc":"2.0",\n');
    shim.write('\n\r\n');
    shim.write('[]\n');
    const id = shim.start('tools/call', { name: 'echo', arguments: { still: 'here' } });
    expect(textOf(await shim.answer(id))).toBe('{"still":"here"}');
    expect(shim.received.filter(({ error }) => error).map(({ id: to, error }) => [to, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
    ]);
  });

  it('gets a text that was cut inside a character whole', async () => {
    const shim = startShim();
    await shim.initialize();
    const line = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 'cut', method: 'tools/call', params: { name: 'echo', arguments: { a: 'ж👩‍👩‍👧ё' } } })}\n`);
    for (const byte of line) {
      shim.child.stdin.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(textOf(await shim.answer('cut'))).toBe('{"a":"ж👩‍👩‍👧ё"}');
  });

  it('may send and get lines of many megabytes, also while it reads slowly', async () => {
    const shim = startShim();
    await shim.initialize();
    const text = 'ё'.repeat(5_000_000);
    expect(textOf(await shim.call('echo', { text }))).toHaveLength(text.length + '{"text":""}'.length);
    shim.child.stdout.pause();
    const ids = [1, 2, 3, 4].map(() => shim.start('tools/call', { name: 'big', arguments: { bytes: 12_000_000 } }));
    await until(() => app.calls('big').length > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    shim.child.stdout.resume();
    for (const id of ids) expect(textOf(await shim.answer(id))).toHaveLength(6_000_000);
  });

  it('is told when its line is too long, and goes on', async () => {
    const shim = startShim();
    await shim.initialize();
    shim.write(`"${'x'.repeat(17 * 1024 * 1024)}"\n`);
    expect((await shim.next(({ error }) => error !== undefined)).error?.code).toBe(-32700);
    expect(textOf(await shim.call('echo', { fine: true }))).toBe('{"fine":true}');
  });

  it('hears progress and questions of the app, and its answer goes to the right question', async () => {
    const shim = startShim();
    await shim.initialize();
    await shim.request('tools/call', { name: 'progress', arguments: {}, _meta: { progressToken: 'p1' } });
    expect(shim.received.find(({ method }) => method === 'notifications/progress')?.params).toEqual({ progressToken: 'p1', progress: 1 });

    const id = shim.start('tools/call', { name: 'ask', arguments: {} });
    const question = await shim.next(({ method }) => method === 'elicitation/create');
    shim.send({ id: question.id, result: { action: 'accept' } });
    expect(textOf(await shim.answer(id))).toBe('{"action":"accept"}');
  });

  it('can cancel a call', async () => {
    const shim = startShim();
    await shim.initialize();
    const id = shim.start('tools/call', { name: 'hang', arguments: {} });
    await until(() => app.calls('hang').length === 1);
    shim.send({ method: 'notifications/cancelled', params: { requestId: id } });
    await until(() => app.heard.some(({ method, params }) => method === 'notifications/cancelled' && params?.requestId === id));
  });

  it('ends at once when its stdin ends, with the last answers written', async () => {
    const shim = startShim();
    await shim.initialize();
    const id = shim.start('tools/call', { name: 'big', arguments: { bytes: 4_000_000 } });
    expect(await shim.end()).toBe(0);
    expect(textOf(await shim.answer(id))).toHaveLength(2_000_000);
    await until(() => app.connections.length === 1);
  });

  it('leaves in the middle of a call without disturbing the other client', async () => {
    const [first, second] = [startShim(), startShim()];
    await Promise.all([first.initialize(), second.initialize()]);
    expect(app.connections).toHaveLength(2);
    first.start('tools/call', { name: 'hang', arguments: {} });
    await until(() => app.calls('hang').length === 1);
    let hasLeft = false;
    for (const connection of app.connections) connection.onClose(() => (hasLeft = true));
    first.child.kill('SIGKILL');
    expect(textOf(await second.call('echo', { n: 1 }))).toBe('{"n":1}');
    await until(() => hasLeft);
    expect(textOf(await second.call('echo', { n: 2 }))).toBe('{"n":2}');
  });

  it('and another one with the same request ids get their own answers', async () => {
    const [first, second] = [startShim(), startShim()];
    await Promise.all([first.initialize(), second.initialize()]);
    const answers = await Promise.all([...Array(50).keys()].flatMap((n) => [first.call('echo', { first: n }), second.call('echo', { second: n })]));
    answers.forEach((answer, index) => expect(textOf(answer)).toBe(JSON.stringify({ [index % 2 ? 'second' : 'first']: Math.floor(index / 2) })));
  });
});

describe('a client while the app is restarted', () => {
  it('stays connected: the call under way fails once and is never repeated, the next one works', async () => {
    const shim = startShim();
    await shim.initialize();
    const id = shim.start('tools/call', { name: 'hang', arguments: {} });
    await until(() => app.calls('hang').length === 1);
    const prompts = shim.start('tools/call', { name: 'hang', arguments: { second: true } });
    await until(() => app.calls('hang').length === 2);
    await app.close();
    const failure = failureOf(await shim.answer(id));
    expect(failure.code).toBe('server_error');
    expect(failure.message).toContain('may or may not have been applied');
    expect(failure.next_step).toMatch(/^Look /);
    failureOf(await shim.answer(prompts));

    app = await startFakeApp(place.folder);
    await until(() => app.heard.some(({ method }) => method === 'notifications/initialized'));
    expect(app.heard[0]).toMatchObject({ method: 'initialize', params: CLIENT });
    expect(textOf(await shim.call('echo', { again: true }))).toBe('{"again":true}');
    expect(app.calls('hang')).toEqual([]);
    expect(shim.received.filter((message) => message.id === id)).toHaveLength(1);
    expect(shim.received.filter(({ result }) => result?.serverInfo)).toHaveLength(1);
    expect(shim.child.exitCode).toBeNull();
  });

  it('is told that the tools have changed, and only when they have', async () => {
    const shim = startShim();
    await shim.initialize();
    await shim.request('tools/list');
    const isChange = ({ method }: { method?: string }): boolean => method === 'notifications/tools/list_changed';

    await app.close();
    app = await startFakeApp(place.folder);
    await until(() => app.heard.some(({ method }) => method === 'tools/list'));
    await shim.request('ping');
    expect(shim.received.some(isChange)).toBe(false);

    await app.close();
    app = await startFakeApp(place.folder, { tools: ['echo', 'brand_new'] });
    await shim.next(isChange);
    expect((await shim.request('tools/list')).result?.tools).toHaveLength(2);
  });

  it('has a question of the old app withdrawn, and its late answer never reaches the new one', async () => {
    const shim = startShim();
    await shim.initialize();
    shim.start('tools/call', { name: 'ask', arguments: {} });
    const question = await shim.next(({ method }) => method === 'elicitation/create');
    await app.close();
    await shim.next(({ method, params }) => method === 'notifications/cancelled' && params?.requestId === question.id);

    app = await startFakeApp(place.folder);
    await until(() => app.heard.some(({ method }) => method === 'notifications/initialized'));
    const id = shim.start('tools/call', { name: 'ask', arguments: {} });
    const second = await shim.next(({ method, id: questionId }) => method === 'elicitation/create' && questionId !== question.id);
    shim.send({ id: question.id, result: { action: 'accept' } });
    shim.send({ id: second.id, result: { action: 'decline' } });
    expect(textOf(await shim.answer(id))).toBe('{"action":"decline"}');
  });

  it('can still list the tools it knew while the app is away', async () => {
    const shim = startShim();
    await shim.initialize();
    await shim.request('tools/list');
    await app.close();
    await until(() => shim.stderr.includes('lost'));
    expect((await shim.request('tools/list')).result?.tools).toEqual([{ name: 'echo', inputSchema: { type: 'object' } }]);
    expect((await shim.request('ping')).result).toEqual({});
    expect(fs.readdirSync(place.folder)).toEqual([]);
  });
});
