import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectToApp, type AppConnection } from '../../app/bridge/client.ts';
import { BRIDGE_PROTOCOL, endpointFile, newSecret, readEndpoint, writeEndpoint, type Endpoint } from '../../app/bridge/endpoint.ts';
import { newNonce, proofOf } from '../../app/bridge/handshake.ts';
import { startBridge, type Bridge, type BridgeConnection } from '../../app/bridge/server.ts';

let base: string;
let folder: string;
let bridge: Bridge;
let admitted: BridgeConnection[];
let warnings: string[];
let strangers: net.Socket[] = [];
let clients: AppConnection[] = [];
/** Set by a test that does not want to wait for the handshake's deadline. */
let endDeadlines: () => void;

async function openBridge(): Promise<Bridge> {
  const deadlines = new Set<() => void>();
  endDeadlines = () => {
    for (const deadline of [...deadlines]) deadline();
  };
  return startBridge({
    dataFolder: folder,
    appVersion: '1.0.0',
    log: { info: () => undefined, warn: (event, fields) => warnings.push(`${event} ${String(fields?.code)}`) },
    clock: {
      after(_delayMs, callback) {
        deadlines.add(callback);
        return () => deadlines.delete(callback);
      },
    },
    onConnection(connection) {
      admitted.push(connection);
      connection.onMessage((message) => void connection.send({ echo: message }).catch(() => undefined));
    },
  });
}

function endpoint(): Endpoint {
  return readEndpoint(folder) as Endpoint;
}

/** Connects without saying anything. `heard` collects what the app says. */
async function knock(): Promise<{ socket: net.Socket; heard: () => string; closed: Promise<void>; line: () => Promise<string> }> {
  const socket = net.connect(bridge.address);
  strangers.push(socket);
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  socket.on('error', () => undefined); // being thrown out is what we look for
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const line = async (): Promise<string> => {
    while (!heard.includes('\n')) await new Promise((resolve) => socket.once('data', resolve));
    return heard;
  };
  return { socket, heard: () => heard, closed, line };
}

async function visit(): Promise<AppConnection> {
  const connection = await connectToApp(endpoint(), '1.0.0');
  clients.push(connection);
  return connection;
}

/** Whether an honest client is served right now. */
async function expectService(): Promise<void> {
  const { channel } = await visit();
  channel.write('{"hello":"вестник"}');
  expect((await channel.nextLine()).toString()).toBe('{"echo":{"hello":"вестник"}}');
  channel.destroy();
}

const hello = (clientNonce: string): string =>
  `${JSON.stringify({ hello: 'vestnik-bridge', protocol: BRIDGE_PROTOCOL, role: 'mcp', shimVersion: '1.0.0', clientNonce })}\n`;

beforeEach(async () => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'vestnik-bridge-'));
  folder = path.join(base, 'data');
  admitted = [];
  warnings = [];
  bridge = await openBridge();
});
afterEach(async () => {
  for (const socket of strangers) socket.destroy();
  for (const { channel } of clients) channel.destroy();
  strangers = [];
  clients = [];
  await bridge.close();
  fs.rmSync(base, { recursive: true, force: true });
});

describe('a stranger at the bridge', () => {
  it('hears nothing at all and is sent away when the time is over', async () => {
    const stranger = await knock();
    await expectService();
    expect(stranger.heard()).toBe('');
    endDeadlines();
    await stranger.closed;
    expect(stranger.heard()).toBe('');
    await expectService();
  });

  it.each(['GET / HTTP/1.1\r\n\r\n', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n', '\u0000\u0001\u0002\n', '{}\n'])(
    'who says %j is sent away without a word',
    async (text) => {
      const stranger = await knock();
      stranger.socket.write(text);
      await stranger.closed;
      expect(stranger.heard()).toBe('');
      expect(admitted).toEqual([]);
    },
  );

  it('with a wrong secret gets no further than the challenge', async () => {
    const stranger = await knock();
    const clientNonce = newNonce();
    stranger.socket.write(hello(clientNonce));
    const { serverNonce } = JSON.parse(await stranger.line()) as { serverNonce: string };
    stranger.socket.write(`${JSON.stringify({ clientProof: proofOf(newSecret(), 'shim', clientNonce, serverNonce) })}\n{"jsonrpc":"2.0"}\n`);
    await stranger.closed;
    expect(admitted).toEqual([]);
    expect(warnings).toContain('bridge.refused proof_wrong');
  });

  it('who replays what an honest client said is refused', async () => {
    const { secret } = endpoint();
    const clientNonce = newNonce();
    const honest = await knock();
    honest.socket.write(hello(clientNonce));
    const { serverNonce } = JSON.parse(await honest.line()) as { serverNonce: string };
    const proof = `${JSON.stringify({ clientProof: proofOf(secret, 'shim', clientNonce, serverNonce) })}\n`;
    honest.socket.write(proof);
    while (admitted.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));

    const replay = await knock();
    replay.socket.write(hello(clientNonce) + proof);
    await replay.closed;
    expect(admitted).toHaveLength(1);
    expect(warnings).toContain('bridge.refused proof_wrong');
  });

  it('who sends half a line of 100 MB is cut off early and costs no memory', async () => {
    const stranger = await knock();
    let isClosed = false;
    void stranger.closed.then(() => (isClosed = true));
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    let sent = 0;
    for (; sent < 100 && !isClosed; sent++) {
      const isTaken = await new Promise<boolean>((resolve) => {
        void stranger.closed.then(() => resolve(false));
        stranger.socket.write(megabyte, (error) => resolve(!error));
      });
      if (!isTaken) break;
    }
    await stranger.closed;
    expect(sent).toBeLessThan(10);
    await expectService();
  });

  it('cannot keep a client out with 1,000 connections', async () => {
    const crowd = await Promise.allSettled([...Array(1000).keys()].map(() => knock()));
    const inside = crowd.filter(({ status }) => status === 'fulfilled').length;
    expect(inside).toBeGreaterThan(64);
    await expectService();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(strangers.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length).toBeLessThanOrEqual(64);
    endDeadlines();
    await expectService();
  });

  it('who has the secret is refused as the 33rd client, and let in when one leaves', async () => {
    for (let count = 0; count < 32; count++) await visit();
    await expect(visit()).rejects.toMatchObject({ code: 'too_many_clients' });
    clients[0]?.channel.destroy();
    while (admitted.length === 32) {
      await visit().catch(() => undefined);
    }
    expect(admitted).toHaveLength(33);
  });

  it('who has the secret and then sends something else than JSON, or too much, loses only its own connection', async () => {
    const [first, second, third] = [await visit(), await visit(), await visit()];
    first.channel.write('not json');
    second.channel.write(Buffer.alloc(17 * 1024 * 1024, 'x'));
    await Promise.all([first, second].map(({ channel }) => new Promise<void>((resolve) => channel.onClose(() => resolve()))));
    third.channel.write('1');
    expect((await third.channel.nextLine()).toString()).toBe('{"echo":1}');
  });

  it('who never reads its answers is held back and in the end cut off', async () => {
    const { channel } = await visit();
    channel.hold(true);
    const [connection] = admitted;
    const megabytes = 'x'.repeat(15 * 1024 * 1024);
    const send = async (): Promise<string> => (await connection?.send(megabytes).then(String, (error: Error) => error.name)) ?? '';
    const sends = [1, 2, 3, 4, 5, 6].map(() => send());
    expect(await Promise.all(sends)).toContain('BridgeError');
    await expectService();
  });
});

describe('the files of the bridge', () => {
  it('are closed to everybody else', () => {
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of fs.readdirSync(folder)) expect(fs.statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder)).toHaveLength(2);
  });

  it('are gone when the app has quit, and different the next time', async () => {
    const before = endpoint();
    await bridge.close();
    expect(fs.readdirSync(folder)).toEqual([]);
    bridge = await openBridge();
    expect(endpoint().socket).not.toBe(before.socket);
    expect(endpoint().secret.equals(before.secret)).toBe(false);
  });

  it('of a killed app are replaced by the next one', async () => {
    await bridge.close();
    const dead = path.join(folder, 'bridge-0123456789abcdef.sock');
    await leaveDeadSocket(dead);
    writeEndpoint(folder, { socket: dead, secret: newSecret(), pid: 1, appVersion: '0.9.0', protocol: BRIDGE_PROTOCOL });
    bridge = await openBridge();
    expect(fs.existsSync(dead)).toBe(false);
    await expectService();
  });

  it('of a live app are left alone by a second one, which gives up', async () => {
    const before = fs.readFileSync(endpointFile(folder), 'utf8');
    await expect(openBridge()).rejects.toMatchObject({ code: 'already_running' });
    expect(fs.readFileSync(endpointFile(folder), 'utf8')).toBe(before);
    await expectService();
  });

  it('that another program has put there first do not fool the app: it takes a place of its own', async () => {
    await bridge.close();
    const trap = path.join(folder, 'bridge-fedcba9876543210.sock');
    const trapper = net.createServer((socket) => void socket.once('data', () => socket.end('{"protocol":1,"serverNonce":"x","serverProof":"y"}\n')));
    await new Promise<void>((resolve) => trapper.listen(trap, resolve));
    writeEndpoint(folder, { socket: trap, secret: newSecret(), pid: process.pid, appVersion: '1.0.0', protocol: BRIDGE_PROTOCOL });
    bridge = await openBridge();
    expect(bridge.address).not.toBe(trap);
    expect(fs.existsSync(trap)).toBe(true); // it answers, so it is not ours to remove
    await expectService();
    await new Promise((resolve) => trapper.close(resolve));
  });

  it('are made anew when somebody has put a link or rubbish in their place', async () => {
    await bridge.close();
    const victim = path.join(base, 'victim.txt');
    fs.writeFileSync(victim, 'precious');
    fs.symlinkSync(victim, endpointFile(folder));
    bridge = await openBridge();
    expect(fs.readFileSync(victim, 'utf8')).toBe('precious');
    expect(fs.lstatSync(endpointFile(folder)).isFile()).toBe(true);
    await expectService();
  });

  it('are closed by the app when it finds the folder open', async () => {
    await bridge.close();
    fs.chmodSync(folder, 0o777);
    bridge = await openBridge();
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    await expectService();
  });

  it('lie elsewhere when the path of the data folder is too long for a socket', async () => {
    await bridge.close();
    folder = path.join(base, 'данные'.repeat(15));
    bridge = await openBridge();
    expect(bridge.address.startsWith(folder)).toBe(false);
    expect(fs.statSync(path.dirname(bridge.address)).mode & 0o777).toBe(0o700);
    await expectService();
    await bridge.close();
    expect(fs.existsSync(path.dirname(bridge.address))).toBe(false);
  });
});

/** A socket file that nobody listens at, as a killed process leaves it. */
async function leaveDeadSocket(socket: string): Promise<void> {
  const alive = `${socket}.alive`;
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(alive, resolve));
  fs.renameSync(alive, socket); // closing removes only the name it was made with
  await new Promise((resolve) => server.close(resolve));
}
