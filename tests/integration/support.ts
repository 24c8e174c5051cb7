/**
 * What tests against the core share: a simulator, the core as a process of its own, a real MCP client on its stdin and stdout, and the
 * control socket that stands for the person (design §8). `close()` ends all of it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Structured content of a call; tests look into it freely. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Answer = Record<string, any>;

export interface CoreFlags {
  readonly policy?: 'human' | 'agent';
  readonly mode?: 'full' | 'read_only' | 'paused';
  readonly tz?: string;
  readonly allow?: readonly string[];
  readonly downloads?: string;
  readonly draftTtlSeconds?: number;
  /** Default: the cookie of the simulator's own person. */
  readonly cookie?: string;
  /** Data folder to use again, for a test of a restart; default a new one. */
  readonly data?: string;
}

export interface CallExtras {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
  readonly timeoutMs?: number;
}

export interface RunningCore {
  readonly sim: Simulator;
  readonly client: Client;
  readonly dataFolder: string;
  readonly downloadsFolder: string;
  /** Structured content of a successful call. @throws when it came back as an error */
  call(tool: string, args?: Record<string, unknown>, extras?: CallExtras): Promise<Answer>;
  /** Structured content of a call that must fail. @throws when it did not */
  fail(tool: string, args?: Record<string, unknown>, extras?: CallExtras): Promise<Answer>;
  /** The text a model reads. */
  text(tool: string, args?: Record<string, unknown>): Promise<string>;
  /** One request on the control socket. */
  person(request: Record<string, unknown>): Promise<Answer>;
  /** Ends the core's process without warning. */
  kill(): void;
  close(): Promise<void>;
}

/** Starts the core against a simulator of one's own or a running one. */
export async function startCore(options: { sim?: Simulator; simulator?: SimulatorOptions; flags?: CoreFlags } = {}): Promise<RunningCore> {
  const sim = options.sim ?? (await startSimulator(options.simulator));
  const flags = options.flags ?? {};
  const folder = mkdtempSync(path.join(tmpdir(), 'vestnik-it-'));
  const [protocolFile, controlPath] = [path.join(folder, 'protocol.json'), path.join(folder, 'control.sock')];
  const dataFolder = flags.data ?? path.join(folder, 'data');
  const downloadsFolder = flags.downloads ?? path.join(folder, 'downloads');
  writeFileSync(protocolFile, JSON.stringify(sim.protocol));
  const args = [
    ...['--protocol', protocolFile, '--cookie', flags.cookie ?? sim.cookie, '--data', dataFolder, '--downloads', downloadsFolder, '--control', controlPath],
    ...['--tz', flags.tz ?? 'Europe/Moscow'],
    ...(flags.policy ? ['--policy', flags.policy] : []),
    ...(flags.mode ? ['--mode', flags.mode] : []),
    ...(flags.draftTtlSeconds !== undefined ? ['--draft-ttl', String(flags.draftTtlSeconds)] : []),
    ...(flags.allow ?? []).flatMap((allowed) => ['--allow', allowed]),
  ];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', 'tsx', path.join(ROOT, 'tests/core/index.ts'), ...args],
    cwd: ROOT,
    stderr: process.env['VESTNIK_TEST_STDERR'] ? 'inherit' : 'ignore',
  });
  const client = new Client({ name: 'integration-test', version: '1.0.0' });
  await client.connect(transport);
  // Output schemas are validated by the client once it knows them.
  await client.listTools();
  let control: ControlClient | undefined;

  async function raw(tool: string, toolArgs: Record<string, unknown>, extras: CallExtras) {
    return client.callTool({ name: tool, arguments: toolArgs }, undefined, {
      timeout: extras.timeoutMs ?? 55_000,
      ...(extras.signal && { signal: extras.signal }),
      ...(extras.onprogress && { onprogress: extras.onprogress }),
    });
  }
  const structured = (result: object): Answer => ('structuredContent' in result ? (result.structuredContent as Answer) : {});

  return {
    sim,
    client,
    dataFolder,
    downloadsFolder,
    async call(tool, toolArgs = {}, extras = {}) {
      const result = await raw(tool, toolArgs, extras);
      if (result.isError) throw new Error(`${tool} failed: ${JSON.stringify(structured(result))}`);
      return structured(result);
    },
    async fail(tool, toolArgs = {}, extras = {}) {
      const result = await raw(tool, toolArgs, extras);
      if (!result.isError) throw new Error(`${tool} did not fail: ${JSON.stringify(structured(result)).slice(0, 500)}`);
      return structured(result);
    },
    async text(tool, toolArgs = {}) {
      const result = (await raw(tool, toolArgs, {})) as { content: { type: string; text?: string }[] };
      return result.content.map((part) => part.text ?? '').join('');
    },
    async person(request) {
      control ??= await ControlClient.connect(controlPath);
      return control.request(request);
    },
    kill() {
      if (transport.pid !== null) process.kill(transport.pid, 'SIGKILL');
    },
    async close() {
      control?.close();
      await client.close();
      if (!options.sim) await sim.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Client of the control socket: JSON lines, answers in the order of the requests. */
export class ControlClient {
  private readonly waiting: ((answer: Answer) => void)[] = [];

  private constructor(private readonly socket: Socket) {
    createInterface({ input: socket }).on('line', (line) => this.waiting.shift()?.(JSON.parse(line) as Answer));
  }

  /** Connects, trying again while the core is still starting. */
  static async connect(socketPath: string, tries = 100): Promise<ControlClient> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const socket = createConnection(socketPath);
        await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
        socket.on('error', () => socket.destroy());
        return new ControlClient(socket);
      } catch (error) {
        if (attempt >= tries) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  request(body: Record<string, unknown>): Promise<Answer> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.socket.write(`${JSON.stringify(body)}\n`);
    });
  }

  close(): void {
    this.socket.destroy();
  }
}
