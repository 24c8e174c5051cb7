import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BRIDGE_PROTOCOL, newSecret, writeEndpoint } from '../../app/bridge/endpoint.ts';
import { writeLaunchCommand } from '../../app/bridge/launch.ts';
import { installShimCopy } from '../../app/bridge/shim-copy.ts';
import { startFakeApp } from './shim-fake-app.ts';
import { CLIENT, failureOf, makeWorkplace, ShimProcess, SNAPSHOT, textOf, until } from './shim-harness.ts';

const TSX = import.meta.resolve('tsx');
const FAKE_APP = fileURLToPath(new URL('shim-fake-app.ts', import.meta.url));

let place: Awaited<ReturnType<typeof makeWorkplace>>;
let launches: string;
let shims: ShimProcess[] = [];
let servers: net.Server[] = [];
const sockets = new Set<net.Socket>();

function startShim(env?: Record<string, string>): ShimProcess {
  const shim = new ShimProcess(place.shimFile, place.folder, env);
  shims.push(shim);
  return shim;
}

interface Launched {
  pid: number;
  runAsNode: string | null;
  display: string | null;
}

function launched(): Launched[] {
  if (!fs.existsSync(launches)) return [];
  const lines = fs.readFileSync(launches, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Launched);
}

/** A program in the place of the app: it answers every connection with `script`. */
async function listenAs(script: (socket: net.Socket) => void): Promise<void> {
  const socket = path.join(place.folder, 'other.sock');
  const server = net.createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined); // the shim may leave first
    script(client);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  writeEndpoint(place.folder, { socket, secret: newSecret(), pid: process.pid, appVersion: '9.0.0', protocol: BRIDGE_PROTOCOL });
}

beforeEach(async () => {
  place = await makeWorkplace();
  launches = path.join(place.folder, '..', 'launches.txt');
});
afterEach(async () => {
  for (const shim of shims) shim.child.kill('SIGKILL');
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  for (const { pid } of launched()) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // it has ended by itself
    }
  }
  shims = [];
  servers = [];
  place.remove();
});

describe('a client while the app is not running', () => {
  it('is introduced and gets the tools from the snapshot, and nothing is started for that', async () => {
    writeLaunchCommand(place.folder, { command: process.execPath, args: ['--import', TSX, FAKE_APP, place.folder, launches] });
    const shim = startShim();
    expect((await shim.initialize()).result).toEqual({ protocolVersion: '2025-06-18', ...SNAPSHOT.initialize });
    expect((await shim.request('tools/list')).result).toEqual({ tools: SNAPSHOT.tools });
    expect((await shim.request('ping')).result).toEqual({});
    expect((await shim.request('prompts/list')).error?.code).toBe(-32601);
    expect((await shim.request('tools/list', { cursor: 'x' })).error?.code).toBe(-32602);
    expect(launched()).toEqual([]);
    expect(await shim.end()).toBe(0);
  });

  it('is understood also when everything comes in one piece and stdin ends', async () => {
    const shim = startShim();
    shim.start('initialize', CLIENT);
    const list = shim.start('tools/list');
    shim.write(JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' })); // no newline at the end
    expect(await shim.end()).toBe(0);
    expect(shim.received).toHaveLength(3);
    expect((await shim.answer(list)).result?.tools).toEqual(SNAPSHOT.tools);
    expect((await shim.answer('last')).result).toEqual({});
  });

  it('gets one sentence when nobody knows how to start it', async () => {
    const shim = startShim();
    await shim.initialize();
    const failure = failureOf(await shim.call('echo'));
    expect(failure).toEqual({
      code: 'server_error',
      message: 'Vestnik is not running. Nothing was done.',
      next_step: expect.stringContaining('start Vestnik'),
    });
  });

  it('starts it with the first call, once for all calls, and then hears of the real tools', async () => {
    writeLaunchCommand(place.folder, { command: process.execPath, args: ['--import', TSX, FAKE_APP, place.folder, launches] });
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '20000', ELECTRON_RUN_AS_NODE: '1' });
    await shim.initialize();
    await shim.request('tools/list');
    const answers = await Promise.all([shim.call('echo', { n: 1 }), shim.call('echo', { n: 2 })]);
    expect(answers.map(textOf)).toEqual(['{"n":1}', '{"n":2}']);
    await shim.next(({ method }) => method === 'notifications/tools/list_changed');
    expect((await shim.request('tools/list')).result?.tools).toHaveLength(2);
    expect(launched()).toEqual([expect.objectContaining({ runAsNode: null })]);
    expect(shim.received.filter(({ result }) => result?.serverInfo)).toHaveLength(1);

    // The app lives on without the client that started it.
    expect(await shim.end()).toBe(0);
    const second = startShim();
    await second.initialize();
    expect(textOf(await second.call('echo', { n: 3 }))).toBe('{"n":3}');
    expect(launched()).toHaveLength(1);
    expect(fs.existsSync(path.join(place.folder, 'launch.lock'))).toBe(false);
  });

  it('and a second client start it once together', async () => {
    writeLaunchCommand(place.folder, { command: process.execPath, args: ['--import', TSX, FAKE_APP, place.folder, launches] });
    const both = [1, 2].map(() => startShim({ VESTNIK_LAUNCH_WAIT_MS: '20000' }));
    await Promise.all(both.map((shim) => shim.initialize()));
    const answers = await Promise.all(both.map((shim, n) => shim.call('echo', { n })));
    expect(answers.map(textOf)).toEqual(['{"n":0}', '{"n":1}']);
    expect(launched()).toHaveLength(1);
  });

  it('finds and starts it from the installed copy even in a bare environment', async () => {
    const args = ['--import', TSX, FAKE_APP, place.folder, launches];
    writeLaunchCommand(place.folder, { command: process.execPath, args, env: { DISPLAY: ':77' } });
    const { file } = installShimCopy(place.shimFile, place.folder);
    const shim = new ShimProcess(file, '', { VESTNIK_LAUNCH_WAIT_MS: '20000', DISPLAY: undefined, XDG_CONFIG_HOME: undefined });
    shims.push(shim);
    await shim.initialize();
    expect(textOf(await shim.call('echo', { n: 1 }))).toBe('{"n":1}');
    expect(launched()).toEqual([expect.objectContaining({ display: ':77' })]);
  });

  it('starts it again after it was killed and has left its files behind', async () => {
    writeLaunchCommand(place.folder, { command: process.execPath, args: ['--import', TSX, FAKE_APP, place.folder, launches] });
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '20000' });
    await shim.initialize();
    expect(textOf(await shim.call('echo', { n: 1 }))).toBe('{"n":1}');
    const id = shim.start('tools/call', { name: 'hang', arguments: {} });
    await shim.request('ping');
    process.kill(launched()[0]?.pid as number, 'SIGKILL');
    expect(failureOf(await shim.answer(id)).message).toContain('may or may not');
    expect(textOf(await shim.call('echo', { n: 2 }))).toBe('{"n":2}');
    expect(launched()).toHaveLength(2);

    // The same for a client that has never met the killed one.
    process.kill(launched()[1]?.pid as number, 'SIGKILL');
    const other = startShim({ VESTNIK_LAUNCH_WAIT_MS: '20000' });
    await other.initialize();
    expect(textOf(await other.call('echo', { n: 3 }))).toBe('{"n":3}');
    expect(launched()).toHaveLength(3);
  });

  it('gets one sentence when the app does not come up, and the next call tries again', async () => {
    writeLaunchCommand(place.folder, { command: process.execPath, args: ['-e', `require('fs').appendFileSync(${JSON.stringify(launches)}, '{"pid":0}\\n')`] });
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '1000' });
    await shim.initialize();
    const failure = failureOf(await shim.call('echo'));
    expect(failure.message).toBe('Vestnik was not ready within 1 s; nothing was done.');
    expect(failure.next_step).toContain('open Vestnik');
    expect(launched()).toHaveLength(1);
    failureOf(await shim.call('echo'));
    expect(launched()).toHaveLength(2);
    fs.rmSync(launches); // these were no long-lived programs
  });

  it('is told at once when the program is no longer there', async () => {
    writeLaunchCommand(place.folder, { command: '/nowhere/vestnik', args: [] });
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '600000' });
    await shim.initialize();
    expect(failureOf(await shim.call('echo')).message).toBe('Vestnik could not be started (ENOENT). Nothing was done.');
  });

  it('never runs a launch command that others could have written', async () => {
    writeLaunchCommand(place.folder, { command: process.execPath, args: ['-e', `require('fs').writeFileSync(${JSON.stringify(launches)}, '')`] });
    fs.chmodSync(path.join(place.folder, 'launch.json'), 0o666);
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '600000' });
    await shim.initialize();
    expect(failureOf(await shim.call('echo')).message).toContain('is open to other users');
    expect(fs.existsSync(launches)).toBe(false);
  });

  it('can cancel a call that waits for it; the app never hears of that call', async () => {
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '600000' });
    writeLaunchCommand(place.folder, { command: process.execPath, args: ['-e', ''] });
    await shim.initialize();
    const [cancelled, kept] = [
      shim.start('tools/call', { name: 'echo', arguments: { a: 1 } }),
      shim.start('tools/call', { name: 'echo', arguments: { b: 2 } }),
    ];
    shim.send({ method: 'notifications/cancelled', params: { requestId: cancelled } });
    await shim.request('ping');
    const app = await startFakeApp(place.folder);
    expect(textOf(await shim.answer(kept))).toBe('{"b":2}');
    expect(app.calls('echo')).toHaveLength(1);
    expect(shim.received.some(({ id }) => id === cancelled)).toBe(false);
    await app.close();
  });

  it('ends soon when its stdin ends, with a word to the call that still waits', async () => {
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '600000' });
    writeLaunchCommand(place.folder, { command: process.execPath, args: ['-e', ''] });
    await shim.initialize();
    const id = shim.start('tools/call', { name: 'echo', arguments: {} });
    expect(await shim.end()).toBe(0);
    failureOf(await shim.answer(id));
  });
});

describe('a client when something is wrong with the app', () => {
  it('learns that the folder is open to others, and no proof is given to anybody', async () => {
    const app = await startFakeApp(place.folder);
    fs.chmodSync(place.folder, 0o755);
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '600000' });
    await shim.initialize();
    const failure = failureOf(await shim.call('echo'));
    expect(failure.message).toContain('is open to other users');
    expect(failure.next_step).toContain('start it again');
    expect(app.connections).toEqual([]);
    fs.chmodSync(place.folder, 0o700);
    expect(textOf(await shim.call('echo', { now: 'fine' }))).toBe('{"now":"fine"}');
    await app.close();
  });

  it.each([
    [BRIDGE_PROTOCOL + 1, 'This vestnik-mcp (1.0.0) is older than Vestnik (9.0.0).', 'Restart the MCP client'],
    [BRIDGE_PROTOCOL - 1, 'The running Vestnik (9.0.0) is older than this vestnik-mcp (1.0.0).', 'Quit Vestnik and start it again'],
  ])('learns which side is old when the app speaks version %d', async (protocol, message, nextStep) => {
    await listenAs((socket) => {
      socket.once('data', () => socket.end(`${JSON.stringify({ error: 'version_mismatch', protocol, appVersion: '9.0.0' })}\n`));
    });
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '600000' });
    expect((await shim.initialize()).result?.instructions).toBe('from the snapshot');
    const failure = failureOf(await shim.call('echo'));
    expect(failure.message).toContain(message);
    expect(failure.next_step).toContain(nextStep);
  });

  it('is not fooled by another program in its place', async () => {
    const heard: string[] = [];
    await listenAs((socket) => {
      socket.on('data', (chunk) => {
        heard.push(chunk.toString());
        socket.write(`${JSON.stringify({ protocol: BRIDGE_PROTOCOL, appVersion: '9.0.0', serverNonce: 'A'.repeat(43), serverProof: 'A'.repeat(43) })}\n`);
      });
    });
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '600000' });
    await shim.initialize();
    failureOf(await shim.call('echo', { secret: 'plan' }));
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.join('')).not.toMatch(/clientProof|plan/);
  });

  it('still gets its introduction when the app hangs', async () => {
    await listenAs(() => undefined);
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '1000' });
    expect((await shim.initialize()).result?.instructions).toBe('from the snapshot');
    expect(failureOf(await shim.call('echo')).message).toContain('not ready within 1 s');
  });

  it('has its calls failed, not lost, when the app dies between hello and answer', async () => {
    await listenAs((socket) => void socket.once('data', () => socket.destroy()));
    const shim = startShim({ VESTNIK_LAUNCH_WAIT_MS: '1000' });
    await shim.initialize();
    failureOf(await shim.call('echo'));
    await until(() => shim.child.exitCode === null);
  });
});
