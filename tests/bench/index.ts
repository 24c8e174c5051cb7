import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { bundleShim } from '../../build/bundle-shim.mjs';
import { startCore, type RunningCore } from '../integration/support.ts';
import { fillChat, startSimulator } from '../simulator/index.ts';
import { summarise, table, time, type Row, type Timing } from './measure.ts';

/** `npm run bench`: how fast it feels to an agent, on this machine, now. Nothing here is asserted; compare ratios, not numbers of two runs. */

const PAGED_MESSAGES = 5000;
const PAGE = 200;
const COMMITS = 50;

async function main(): Promise<void> {
  const rows: Row[] = [];
  rows.push(...(await shimStart()));
  const sim = await startSimulator();
  const partner = sim.world.person({ displayName: 'Ольга Замятина' });
  const chat = sim.world.privateChat(partner);
  fillChat(chat, [partner, sim.me], PAGED_MESSAGES);
  const core = await startCore({ sim, flags: { policy: 'agent' } });
  try {
    const ping: Row = { what: 'MCP ping, no Messenger behind it', timing: await time(100, () => core.client.ping()) };
    rows.push(ping);
    const against = { what: 'ping', timing: ping.timing };
    const read = async (what: string, runs: number, work: () => Promise<unknown>) => rows.push({ what, timing: await time(runs, work), baseline: against });
    await read('list_chats', 50, () => core.call('list_chats'));
    await read('get_history, 40 messages', 50, () => core.call('get_history', { chat: chat.id }));
    await read('get_history, 200 messages', 20, () => core.call('get_history', { chat: chat.id, limit: PAGE }));
    await read('search', 30, () => core.call('search', { query: 'отчёт', limit: 5 }));
    await read('get_unread', 30, () => core.call('get_unread'));
    rows.push({ what: `paging through ${PAGED_MESSAGES} messages`, timing: await once(() => pageThrough(core, chat.id)) });
    rows.push({ what: 'draft, confirmed by the agent, sent', timing: await time(30, (run) => send(core, chat.id, `сообщение ${run}`)), baseline: against });
    rows.push({ what: `${COMMITS} confirmed at once`, timing: await once(() => burst(core, chat.id)) });
  } finally {
    await core.close();
    await sim.stop();
  }
  console.log(`Node ${process.version}, ${os.cpus().length} cores, load ${os.loadavg()[0]?.toFixed(1)}\n`);
  console.log(table(rows));
}

/** From spawn to the answer to `initialize`, with no app running: what a client waits for at its start. */
async function shimStart(): Promise<Row[]> {
  const { outfile } = await bundleShim();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vestnik-bench-'));
  const env = { ...process.env, VESTNIK_USER_DATA: folder };
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '0' } },
  });
  const bare = await time(15, () => firstLine(['-e', 'process.stdin.once("data", (line) => process.stdout.write(line))'], initialize, env));
  const shim = await time(15, () => firstLine([outfile], initialize, env));
  rmSync(folder, { recursive: true, force: true });
  return [
    { what: 'Node starts and echoes a line', timing: bare },
    { what: 'shim starts and answers initialize', timing: shim, baseline: { what: 'bare Node', timing: bare } },
  ];
}

function firstLine(args: readonly string[], line: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.once('error', reject);
    child.stdout.once('data', () => {
      child.kill('SIGKILL');
      resolve();
    });
    child.stdin.write(`${line}\n`);
  });
}

async function once(work: () => Promise<unknown>): Promise<Timing> {
  const startedAt = performance.now();
  await work();
  return summarise([performance.now() - startedAt]);
}

async function pageThrough(core: RunningCore, chatId: string): Promise<void> {
  const seen = new Set<string>();
  let before: string | undefined;
  do {
    const page = await core.call('get_history', { chat: chatId, limit: PAGE, ...(before && { before }) });
    for (const message of page['messages'] as { id: string }[]) seen.add(message.id);
    before = page['next_before'] as string | undefined;
  } while (before);
  if (seen.size < PAGED_MESSAGES) throw new Error(`only ${seen.size} of ${PAGED_MESSAGES} messages were seen`);
}

async function send(core: RunningCore, chat: string, text: string): Promise<void> {
  const draft = await core.call('send_message', { chat, text });
  const outcome = await core.call('send_message', { chat, text, confirm: true, confirm_token: draft['confirm_token'] });
  if (outcome['status'] !== 'sent') throw new Error(`not sent: ${String(outcome['status'])}`);
}

async function burst(core: RunningCore, chat: string): Promise<void> {
  await Promise.all(Array.from({ length: COMMITS }, (_, index) => send(core, chat, `разом ${index}`)));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
