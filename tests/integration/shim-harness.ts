/* The real shim as a process, as an MCP client sees it. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundleShim } from '../../build/bundle-shim.mjs';
import type { Message } from './shim-fake-app.ts';

export const SNAPSHOT = {
  protocolVersions: ['2025-11-25', '2025-06-18'],
  initialize: { capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'vestnik', version: '1' }, instructions: 'from the snapshot' },
  tools: [{ name: 'from_snapshot', inputSchema: { type: 'object' } }],
};
export const CLIENT = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo: { name: 'тест', version: '7' } };

/** A private folder with the built shim and a data folder in it. */
export async function makeWorkplace(): Promise<{ shimFile: string; folder: string; remove: () => void }> {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'vestnik-shim-'));
  const { outfile } = await bundleShim({ snapshot: SNAPSHOT, outfile: path.join(base, 'vestnik-mcp.cjs'), version: '1.0.0' });
  const folder = path.join(base, 'data');
  fs.mkdirSync(folder, { mode: 0o700 });
  return { shimFile: outfile, folder, remove: () => fs.rmSync(base, { recursive: true, force: true }) };
}

/** Waits until `condition` holds; the test's own time limit ends it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

export class ShimProcess {
  /** Every message from stdout, in order; a line that is no JSON-RPC fails the test that reads it. */
  readonly received: Message[] = [];
  readonly exited: Promise<number | null>;
  readonly child: ChildProcessWithoutNullStreams;
  stderr = '';
  #rest: string[] = [];
  #lastId = 0;

  constructor(shimFile: string, folder: string, env: Record<string, string | undefined> = {}) {
    this.child = spawn(process.execPath, [shimFile], { env: { ...process.env, VESTNIK_USER_DATA: folder, VESTNIK_LAUNCH_WAIT_MS: '3000', ...env } });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve) => this.child.once('close', resolve));
  }

  #read(text: string): void {
    if (!text.includes('\n')) {
      this.#rest.push(text);
      return;
    }
    const lines = (this.#rest.join('') + text).split('\n');
    this.#rest = [lines.pop() as string];
    for (const line of lines) {
      const message = JSON.parse(line) as Message & { jsonrpc: string };
      if (message.jsonrpc !== '2.0') throw new Error('stdout carries something else than JSON-RPC');
      this.received.push(message);
    }
  }

  write(text: string): void {
    this.child.stdin.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request and returns its id at once. */
  start(method: string, params?: object): number {
    const id = ++this.#lastId;
    this.send({ id, method, ...(params && { params }) });
    return id;
  }

  answer(id: number | string): Promise<Message> {
    return this.next((message) => message.id === id && message.method === undefined);
  }

  request(method: string, params?: object): Promise<Message> {
    return this.answer(this.start(method, params));
  }

  call(name: string, args: object = {}): Promise<Message> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** The first message, past or future, that fits. */
  async next(fits: (message: Message) => boolean): Promise<Message> {
    await until(() => this.received.some(fits) || this.child.exitCode !== null);
    const message = this.received.find(fits);
    if (!message) throw new Error(`the shim ended without the message: ${this.stderr}`);
    return message;
  }

  async initialize(): Promise<Message> {
    const answer = await this.request('initialize', CLIENT);
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /** stdin ends, as when a client closes. */
  async end(): Promise<number | null> {
    this.child.stdin.end();
    return this.exited;
  }
}

/** `result.structuredContent` of a failed tool call. */
export function failureOf(answer: Message): { code: string; message: string; next_step: string } {
  if (answer.result?.isError !== true) throw new Error(`no failure: ${JSON.stringify(answer)}`);
  return answer.result.structuredContent as { code: string; message: string; next_step: string };
}

export function textOf(answer: Message): string {
  return (answer.result?.content as { text: string }[])[0]?.text ?? '';
}
