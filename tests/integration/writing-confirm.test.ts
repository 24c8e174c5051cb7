import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulator, World, type Chat, type Person, type Simulator } from '../simulator/index.ts';
import { ControlClient, startCore, type Answer, type RunningCore } from './support.ts';
import { ts, wireWatch } from './writing-support.ts';

/** The second step: what a confirm call is told, whatever changed since the draft, and whoever has gone in between. */

let core: RunningCore;
let world: World;
let anna: Person;
let group: Chat;
let folder: string;
let wire: () => Record<string, unknown>[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vestnik-confirm-'));
  world = new World();
  anna = world.person({ displayName: 'Анна' });
  group = world.group({ name: 'Команда', members: [anna] });
  core = await startCore({ simulator: { world }, flags: { allow: [folder] } });
  wire = wireWatch(core);
});
afterAll(async () => {
  expect(core.sim.violations).toEqual([]);
  await core.close();
  rmSync(folder, { recursive: true, force: true });
});

const again = (draft: Answer, args: Record<string, unknown>) => ({ ...args, confirm: true, confirm_token: draft['confirm_token'] });
const click = (draft: Answer, op = 'confirm') => core.person({ op, id: draft['draft_id'] });

describe('a draft whose ground has shifted is refused by the confirm call itself, before anybody clicks', () => {
  const mine = (text: string) => group.say(world.me, text);
  const poll = () => group.say(anna, { Poll: { Title: 'Куда?', Answers: ['туда', 'сюда'], MaxChoices: 1 } });

  it.each<[what: string, tool: string, change: () => { args: Record<string, unknown>; happen: () => void }]>([
    [
      'an edited message, for an edit',
      'edit_message',
      () => {
        const target = mine('раз');
        return { args: { chat: group.id, message_id: ts(target), new_text: 'два' }, happen: () => group.edit(target, 'три') };
      },
    ],
    [
      'a deleted message, for an edit',
      'edit_message',
      () => {
        const target = mine('раз');
        return { args: { chat: group.id, message_id: ts(target), new_text: 'два' }, happen: () => group.delete(target) };
      },
    ],
    [
      'an edited message, for a deletion',
      'delete_message',
      () => {
        const target = mine('раз');
        return { args: { chat: group.id, message_id: ts(target) }, happen: () => group.edit(target, 'три') };
      },
    ],
    [
      'a deleted message, for a deletion',
      'delete_message',
      () => {
        const target = mine('раз');
        return { args: { chat: group.id, message_id: ts(target) }, happen: () => group.delete(target) };
      },
    ],
    [
      'a deleted poll, for a vote',
      'vote_in_poll',
      () => {
        const target = poll();
        return { args: { chat: group.id, message_id: ts(target), choices: [1] }, happen: () => group.delete(target) };
      },
    ],
    [
      'a deleted message, for an answer',
      'send_message',
      () => {
        const target = mine('раз');
        return { args: { chat: group.id, text: 'да', reply_to_message_id: ts(target) }, happen: () => group.delete(target) };
      },
    ],
  ])('%s', async (_what, tool, change) => {
    wire();
    const { args, happen } = change();
    const draft = await core.call(tool, args);
    happen();
    expect(await core.fail(tool, again(draft, args), { timeoutMs: 10_000 })).toMatchObject({ code: 'target_changed', next_step: expect.any(String) });
    expect(await click(draft)).toMatchObject({ status: 'failed', outcome: { code: 'target_changed' } });
    expect(await core.fail(tool, again(draft, args))).toMatchObject({ status: 'failed', code: 'target_changed' });
    expect(wire()).toEqual([]);
  });

  it('a changed file', async () => {
    const file = path.join(folder, 'отчёт «v1» #2.txt');
    writeFileSync(file, 'раз');
    const args = { chat: group.id, path: file };
    const draft = await core.call('send_file', args);
    writeFileSync(file, 'два');
    expect(await core.fail('send_file', again(draft, args), { timeoutMs: 10_000 })).toMatchObject({ code: 'file_changed' });
    writeFileSync(file, 'раз');
    const confirm = core.call('send_file', again(draft, args));
    expect(await click(draft)).toMatchObject({ status: 'sent' });
    expect(await confirm).toMatchObject({ status: 'sent' });
  });
});

it('another chat is told as that, whatever else is different', async () => {
  const other = world.privateChat(anna);
  other.say(anna, 'привет');
  const args = { chat: group.id, text: `@${world.me.guid}, сюда`, mentions: [world.me.guid] };
  const draft = await core.call('send_message', args);
  const stranger = world.person({ displayName: 'Чужой' });
  const elsewhere = { chat: other.id, text: `@${stranger.guid}, сюда`, mentions: [stranger.guid] };
  expect(await core.fail('send_message', again(draft, elsewhere))).toMatchObject({ code: 'chat_mismatch' });
  expect(await core.fail('send_message', again(draft, { ...args, mentions: ['@Никто'] }))).toMatchObject({ code: 'args_changed' });
  expect(await core.fail('create_poll', again(draft, { chat: group.id, title: 'x', answers: ['a', 'b'] }))).toMatchObject({ code: 'op_mismatch' });
});

it('two clicks a moment apart leave in their order, though the first takes longer to check', async () => {
  wire();
  const texts = ['первое', 'второе', 'третье'];
  const drafts = [];
  for (const text of texts) drafts.push(await core.call('send_message', { chat: group.id, text }));
  core.sim.faults.nextRead({ kind: 'delay', ms: 700 }, 'history');
  await Promise.all(drafts.map((draft) => click(draft)));
  expect(wire().map((message) => (message as Answer)['Plain'].Text.MessageText)).toEqual(texts);
});

it('a draft that forwards from a chat hidden since is not shown any more', async () => {
  const secret = world.group({ name: 'Личное', members: [anna] });
  const words = secret.say(anna, 'очень личные слова');
  const draft = await core.call('forward_message', { from_chat: secret.id, message_id: ts(words), chat: group.id });
  await core.person({ op: 'chat', chat_id: secret.id, access: 'hidden' });
  expect(await core.fail('get_draft', { draft_id: draft['draft_id'] })).toMatchObject({ code: 'draft_not_found' });
  expect(JSON.stringify(await core.call('list_drafts', { limit: 200 }))).not.toContain(draft['draft_id']);
  const args = { from_chat: secret.id, message_id: ts(words), chat: group.id };
  expect(await core.call('forward_message', again(draft, args))).toMatchObject({ status: 'chat_not_found' });
});

it('what the person says when rejecting reaches the agent', async () => {
  const args = { chat: group.id, text: 'можно?' };
  const draft = await core.call('send_message', args);
  const confirm = core.call('send_message', again(draft, args));
  expect(await core.person({ op: 'reject', id: draft['draft_id'], reason: 'слишком резко' })).toMatchObject({ ok: true, status: 'rejected' });
  expect(await confirm).toMatchObject({ status: 'rejected', reason: 'слишком резко' });
});

it('nobody is signed in: the confirm call says so at once instead of waiting', async () => {
  const own = new World();
  const chat = own.group({ name: 'Чат', members: [own.person({ displayName: 'Анна' })] });
  const second = await startCore({ simulator: { world: own } });
  const args = { chat: chat.id, text: 'потом' };
  const draft = await second.call('send_message', args);
  second.sim.expireSession({ canRefresh: false });
  expect(await second.fail('send_message', again(draft, args), { timeoutMs: 15_000 })).toMatchObject({ code: 'not_signed_in', next_step: expect.any(String) });
  expect((await second.person({ op: 'list' }))['drafts']).toMatchObject([{ status: 'pending' }]);
  expect(second.sim.pushesOf()).toEqual([]);
  await second.close();
});

it('nobody clicks: after 25 seconds the draft still waits, and the same token resumes', { timeout: 60_000 }, async () => {
  wire();
  const args = { chat: group.id, text: 'подожду' };
  const draft = await core.call('send_message', args);
  const startedAt = performance.now();
  const waiting = await core.call('send_message', again(draft, args));
  expect(waiting).toMatchObject({ status: 'pending_approval', confirm_token: draft['confirm_token'], next_step: expect.stringContaining('Ask the person') });
  expect(performance.now() - startedAt).toBeGreaterThan(20_000);
  expect(wire()).toEqual([]);
  const resumed = core.call('send_message', again(draft, args));
  expect(await click(draft)).toMatchObject({ ok: true, status: 'sent' });
  expect(await resumed).toMatchObject({ status: 'sent', chat_id: group.id, commit_status: 1, commit_status_name: 'FULLY_COMMITTED', duplicate: false });
  expect(wire()).toHaveLength(1);
});

describe('a finished token', () => {
  it('replays its outcome though names and server answer no more', async () => {
    const chat = world.group({ name: 'Редкое имя', members: [anna] });
    const args = { chat: 'Редкое имя', text: '@Анна, готово', mentions: ['@Анна'] };
    const draft = await core.call('send_message', args);
    await click(draft);
    wire();
    world.group({ name: 'Редкое имя', members: [anna] });
    const sent = await core.call('send_message', again(draft, args));
    expect(sent).toMatchObject({ status: 'sent', chat_id: chat.id });
    core.sim.faults.add({ channel: 'registry', action: { kind: 'http', status: 500 }, times: 1000 });
    core.sim.faults.nextRead({ kind: 'drop' }, undefined, 1000);
    expect(await core.call('send_message', again(draft, args), { timeoutMs: 5000 })).toEqual(sent);
    core.sim.faults.clear();
    expect(await core.fail('send_message', again(draft, { ...args, chat: chat.id, text: 'другое', mentions: [] }))).toMatchObject({ code: 'args_changed' });
    expect(wire()).toEqual([]);
  });

  it('lapsed: says so, and neither agent nor person can send it', async () => {
    const short = await startCore({ sim: core.sim, flags: { draftTtlSeconds: 1 } });
    const args = { chat: group.id, text: 'слишком поздно' };
    const draft = await short.call('send_message', args);
    expect(await short.call('send_message', again(draft, args))).toMatchObject({ status: 'expired' });
    expect(await short.person({ op: 'confirm', id: draft['draft_id'] })).toMatchObject({ error: expect.any(String) });
    expect((await short.person({ op: 'list' }))['drafts']).toMatchObject([{ status: 'expired' }]);
    expect(wire()).toEqual([]);
    await short.close();
  });
});

/** The core as a bare process, as a client of another make would run it. */
class BareCore {
  readonly process: ChildProcess;
  readonly controlPath: string;
  stderr = '';
  readonly exited: Promise<void>;
  #next = 1;
  readonly #waiting = new Map<number, (answer: Answer) => void>();

  constructor(sim: Simulator, dataFolder: string, level = 'debug') {
    const [protocolFile, root] = [path.join(dataFolder, 'protocol.json'), path.resolve(import.meta.dirname, '../..')];
    this.controlPath = path.join(dataFolder, 'c.sock');
    writeFileSync(protocolFile, JSON.stringify(sim.protocol));
    const args = ['--import', 'tsx', path.join(root, 'tests/core/index.ts'), '--protocol', protocolFile, '--cookie', sim.cookie, '--data', dataFolder];
    this.process = spawn(process.execPath, [...args, '--control', this.controlPath], { cwd: root, env: { ...process.env, VESTNIK_LOG_LEVEL: level } });
    this.exited = new Promise((resolve) => this.process.once('exit', () => resolve()));
    this.process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    createInterface({ input: this.process.stdout! }).on('line', (line) => {
      const message = JSON.parse(line) as Answer;
      this.#waiting.get(message['id'] as number)?.(message);
    });
  }

  request(method: string, params: object): Promise<Answer> {
    const id = this.#next++;
    this.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async initialize(): Promise<void> {
    await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare', version: '1' } });
    this.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  }

  async call(name: string, args: object): Promise<Answer> {
    return (await this.request('tools/call', { name, arguments: args }))['result'] as Answer;
  }
}

describe('a bare process', () => {
  let sim: Simulator;
  let chat: Chat;
  let data: string;
  let bare: BareCore;
  beforeAll(async () => {
    const own = new World();
    chat = own.group({ name: 'Тайный кружок', members: [own.person({ displayName: 'Пелагея Ильинична' })] });
    sim = await startSimulator({ world: own });
    data = mkdtempSync(path.join(tmpdir(), 'vestnik-bare-'));
    bare = new BareCore(sim, data);
    await bare.initialize();
  });
  afterAll(async () => {
    bare.process.kill('SIGKILL');
    await sim.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it('sends what the person clicks after the client has gone, once, and tells nothing of it in its log', async () => {
    const args = { chat: 'Тайный кружок', text: '@Пелагея Ильинична, сокровенное слово', mentions: ['@Пелагея Ильинична'] };
    const draft = ((await bare.call('send_message', args))['structuredContent'] ?? {}) as Answer;
    expect(draft).toMatchObject({ status: 'draft' });
    await bare.call('search', { query: 'сокровенное' });
    void bare.call('send_message', again(draft, args));
    const control = await ControlClient.connect(bare.controlPath);
    const { drafts } = await control.request({ op: 'list' });
    expect(drafts).toMatchObject([{ id: draft['draft_id'], status: 'pending', tool: 'send_message', chat_id: chat.id, chat_name: 'Тайный кружок' }]);
    expect(drafts[0]).toMatchObject({ text: draft['text'], payload_id: expect.any(String) });
    bare.process.stdin?.end();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await control.request({ op: 'confirm', id: draft['draft_id'] })).toMatchObject({ ok: true, status: 'sent' });
    await bare.exited;
    expect(sim.pushesOf('Plain')).toHaveLength(1);
    expect(sim.pushesOf('Plain')[0]?.clientMessage).toMatchObject({ Plain: { PayloadId: drafts[0].payload_id } });
    const journal = readFileSync(path.join(data, 'activity.jsonl'), 'utf8');
    expect(journal).toContain('send_message');
    expect(bare.stderr).toContain('tool_call');
    const secrets = [
      /сокровенное/,
      /Пелагея/,
      /кружок/,
      new RegExp(String(draft['confirm_token'])),
      /Session_id/,
      new RegExp(sim.cookie.split(/[=;]/)[1] ?? '^'),
    ];
    for (const secret of secrets) expect(`${bare.stderr}${journal}`).not.toMatch(secret);
  });

  it('gives way to one that starts on the same data, and what waited waits there', async () => {
    const [first, before] = [new BareCore(sim, data), sim.pushesOf().length];
    await first.initialize();
    const args = { chat: chat.id, text: 'наследство' };
    const draft = ((await first.call('send_message', args))['structuredContent'] ?? {}) as Answer;
    const control = await ControlClient.connect(first.controlPath);
    expect((await control.request({ op: 'list' }))['drafts']).toHaveLength(2);
    first.process.stdin?.end();
    const second = new BareCore(sim, data);
    await second.initialize();
    await first.exited;
    const person = await ControlClient.connect(second.controlPath);
    expect(await person.request({ op: 'confirm', id: draft['draft_id'] })).toMatchObject({ status: 'sent' });
    expect((await second.call('send_message', again(draft, args)))['structuredContent']).toMatchObject({ status: 'sent' });
    expect(sim.pushesOf()).toHaveLength(before + 1);
    second.process.stdin?.end();
    await second.exited;
  });
});
