/*
 * The bridge: how a tool call gets from an MCP client to the app, and what guards each step.
 *
 *   MCP client (Claude, …)
 *      │  stdin/stdout of a child process: nobody else can join
 *   vestnik-mcp (app/shim)
 *      │  reads bridge.json: 0600 in a 0700 folder, so only programs of the same user learn socket and secret
 *      │  connects; speaks first; both prove the secret by HMAC over two fresh nonces (handshake.ts)
 *   Unix socket 0600, random name per launch, or named pipe
 *      │  line length, handshake time and number of connections are capped
 *   startBridge (this file) ── onConnection ──▶ app/mcp: one MCP server per connection
 *                                                  │  irreversible calls become drafts
 *                                               the window: a person clicks Confirm
 *
 * What this does not stop: malware that runs as the same user can read the secret. The click is the real gate.
 */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { connectToApp } from './client.ts';
import { BridgeServerConnection, type BridgeConnection } from './connection.ts';
import { addressCandidates, BRIDGE_PROTOCOL, endpointFile, isOurSocketPath, newSecret, readEndpoint, removeEndpoint, writeEndpoint } from './endpoint.ts';
import { BridgeError, systemCode } from './errors.ts';
import { admit, challengeShim, HANDSHAKE_LINE_BYTES, HANDSHAKE_TIMEOUT_MS, MESSAGE_LINE_BYTES, refuse } from './handshake.ts';
import { LineChannel } from './line-channel.ts';
import { ensurePrivateFolder } from './private-files.ts';
import { isProcessAlive } from './processes.ts';

export type { BridgeConnection } from './connection.ts';

/** More than a person's MCP clients with all their sub-agents; each costs an MCP server. */
const MAX_CLIENTS = 32;
/** Connections that have not proved themselves. The oldest makes room, so idle strangers cannot keep a client out. */
const MAX_PENDING = 64;
/** How long a live socket may take to prove that it is another Vestnik. */
const PROBE_TIMEOUT_MS = 2_000;
/** How long closing waits for last answers to be taken. */
const CLOSE_GRACE_MS = 500;

/** What the bridge logs: codes and counts only. The wire's log fits. */
export interface BridgeLog {
  info(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
  warn(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
}

/** Time, passed in so that a test can hold it still. The wire's clock fits. */
export interface BridgeClock {
  /** Runs `callback` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

export interface BridgeOptions {
  readonly dataFolder: string;
  readonly appVersion: string;
  readonly log: BridgeLog;
  /** Called for every client that has proved itself. Messages wait until `onMessage` is called. */
  readonly onConnection: (connection: BridgeConnection) => void;
  readonly clock?: BridgeClock;
}

export interface Bridge {
  /** Socket path or pipe name. */
  readonly address: string;
  /** Ends every connection and takes socket and endpoint file away. Safe to call twice. */
  close(): Promise<void>;
}

const realClock: BridgeClock = {
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * Opens the bridge and publishes its endpoint.
 * @throws BridgeError `already_running` if another live Vestnik serves this data folder, `folder_unsafe`, `address_unavailable`
 */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { dataFolder, appVersion, log } = options;
  ensurePrivateFolder(dataFolder);
  await clearTheDead(dataFolder, appVersion, log);

  const secret = newSecret();
  const doorkeeper = new Doorkeeper(options, secret);
  const server = net.createServer((socket) => doorkeeper.receive(socket));
  const { socket: address, privateFolder } = await listenSomewhere(server, dataFolder);
  server.on('error', (error) => log.warn('bridge.server_error', { code: systemCode(error) ?? 'unknown' }));

  const removeFiles = (): void => {
    removeEndpoint(dataFolder, secret);
    if (process.platform === 'win32') return;
    fs.rmSync(address, { force: true });
    if (privateFolder) fs.rmSync(privateFolder, { recursive: true, force: true });
  };
  try {
    writeEndpoint(dataFolder, { socket: address, secret, pid: process.pid, appVersion, protocol: BRIDGE_PROTOCOL });
  } catch (error) {
    server.close();
    removeFiles();
    throw new BridgeError('file_unsafe', `${endpointFile(dataFolder)} cannot be written (${systemCode(error) ?? 'unknown error'}).`);
  }
  log.info('bridge.listening');

  let closing: Promise<void> | undefined;
  return {
    address,
    close() {
      closing ??= new Promise<void>((resolve) => {
        removeFiles();
        server.close(() => resolve());
        doorkeeper.dismissAll();
      });
      return closing;
    },
  };
}

/** Counts those at the door and those inside, and runs the handshake with each. */
class Doorkeeper {
  readonly #pending = new Set<LineChannel>();
  readonly #clients = new Set<BridgeServerConnection>();
  readonly #clock: BridgeClock;
  #isClosed = false;
  #lastId = 0;

  constructor(
    private readonly options: BridgeOptions,
    private readonly secret: Buffer,
  ) {
    this.#clock = options.clock ?? realClock;
  }

  receive(socket: net.Socket): void {
    if (this.#isClosed) {
      socket.destroy();
      return;
    }
    const channel = new LineChannel(socket, HANDSHAKE_LINE_BYTES);
    const [oldest] = this.#pending;
    if (oldest && this.#pending.size >= MAX_PENDING) oldest.destroy(new BridgeError('closed', 'Too many are waiting.'));
    this.#pending.add(channel);
    const stopTimer = this.#clock.after(HANDSHAKE_TIMEOUT_MS, () => channel.destroy(new BridgeError('no_answer', 'The handshake took too long.')));
    channel.onClose(() => {
      stopTimer();
      this.#pending.delete(channel);
    });
    challengeShim(channel, this.secret, this.options.appVersion).then(
      ({ shimVersion }) => {
        stopTimer();
        this.#pending.delete(channel);
        this.#letIn(channel, shimVersion);
      },
      (error: unknown) => {
        const code = error instanceof BridgeError ? error.code : 'unknown';
        this.options.log.warn('bridge.refused', { code });
        // A version mismatch was told to the shim and has to arrive; a stranger is told nothing.
        if (code === 'version_mismatch') channel.end();
        else channel.destroy();
      },
    );
  }

  dismissAll(): void {
    this.#isClosed = true;
    for (const channel of [...this.#pending]) channel.destroy();
    for (const client of [...this.#clients]) client.close();
    const stopTimer = this.#clock.after(CLOSE_GRACE_MS, () => {
      for (const client of [...this.#clients]) client.destroy();
    });
    if (this.#clients.size === 0) stopTimer();
  }

  #letIn(channel: LineChannel, shimVersion: string): void {
    const { log, appVersion, onConnection } = this.options;
    if (!channel.isOpen) return;
    if (this.#clients.size >= MAX_CLIENTS) {
      log.warn('bridge.refused', { code: 'too_many_clients' });
      refuse(channel, new BridgeError('too_many_clients', 'Too many clients.'), appVersion);
      channel.end();
      return;
    }
    channel.maxLineBytes = MESSAGE_LINE_BYTES;
    const client = new BridgeServerConnection(`c${++this.#lastId}`, shimVersion, channel, log);
    this.#clients.add(client);
    client.onClose(() => {
      this.#clients.delete(client);
      log.info('bridge.disconnected', { connection: client.id, clients: this.#clients.size });
    });
    admit(channel);
    log.info('bridge.connected', { connection: client.id, shimVersion, clients: this.#clients.size });
    try {
      onConnection(client);
    } catch (error) {
      // One client that cannot be served must not take the others down.
      log.warn('bridge.connection_failed', { code: error instanceof Error ? error.name : 'unknown' });
      client.destroy();
    }
  }
}

/** Tries the candidates in turn; a name that somebody has made before us is passed over, never removed. */
async function listenSomewhere(server: net.Server, folder: string): Promise<{ socket: string; privateFolder?: string }> {
  let reason = 'every path is too long';
  for (let attempt = 0; attempt < 3; attempt++) {
    for (const candidate of addressCandidates(folder, process.platform, process.env, os.tmpdir())) {
      try {
        if (candidate.privateFolder) fs.mkdirSync(candidate.privateFolder, { mode: 0o700 });
        await listen(server, candidate.socket);
        if (process.platform !== 'win32') fs.chmodSync(candidate.socket, 0o600);
        return candidate;
      } catch (error) {
        reason = systemCode(error) ?? 'unknown error';
      }
    }
  }
  throw new BridgeError('address_unavailable', `Vestnik cannot open its local socket (${reason}).`);
}

function listen(server: net.Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Removes what a killed instance left behind. A socket that answers is never touched.
 * @throws BridgeError `already_running` if the endpoint's owner is alive
 */
async function clearTheDead(folder: string, appVersion: string, log: BridgeLog): Promise<void> {
  const previous = await previousSocket(folder, appVersion, log);
  if (process.platform === 'win32') return;
  const leftovers = fs.readdirSync(folder).map((name) => path.join(folder, name));
  for (const socket of new Set([...leftovers, ...(previous ? [previous] : [])])) {
    if (!isOurSocketPath(socket) || !fs.lstatSync(socket, { throwIfNoEntry: false })?.isSocket()) continue;
    if (await isAlive(socket)) continue;
    fs.rmSync(socket, { force: true });
    if (path.basename(socket) === 'bridge.sock') fs.rmdirSync(path.dirname(socket));
    log.info('bridge.removed_dead_socket');
  }
}

/** The socket of the instance before, if it is dead or a stranger's. */
async function previousSocket(folder: string, appVersion: string, log: BridgeLog): Promise<string | undefined> {
  let endpoint;
  try {
    endpoint = readEndpoint(folder);
  } catch (error) {
    log.warn('bridge.endpoint_replaced', { code: error instanceof BridgeError ? error.code : 'unknown' });
    return undefined;
  }
  if (!endpoint) return undefined;
  try {
    const { channel } = await connectToApp(endpoint, appVersion, PROBE_TIMEOUT_MS);
    channel.destroy();
  } catch (error) {
    const code = error instanceof BridgeError ? error.code : 'unknown';
    const isGone = code === 'absent' || code === 'proof_wrong' || code === 'handshake_malformed';
    if (isGone || (code !== 'version_mismatch' && !isProcessAlive(endpoint.pid))) return endpoint.socket;
  }
  throw new BridgeError('already_running', 'Vestnik is already running with this data folder.');
}

function isAlive(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(socket);
    probe.once('connect', () => resolve(true));
    probe.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(systemCode(error) ?? '')));
    probe.once('close', () => probe.destroy());
    probe.once('connect', () => probe.destroy());
  });
}
