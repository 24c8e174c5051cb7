import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileBody, fillChat, imageBody, threadId, World, type Chat, type Person, type SimMessage } from '../simulator/index.ts';
import { startCore, type Answer, type RunningCore } from './support.ts';

describe('single messages, people and files', () => {
  let core: RunningCore;
  let world: World;
  let people: Person[];
  let chat: Chat, business: Chat;
  let liked: SimMessage, root: SimMessage, lonely: SimMessage, poll: SimMessage, anonymous: SimMessage, unvoted: SimMessage;
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 31) % 251));

  beforeAll(async () => {
    world = new World();
    people = Array.from({ length: 130 }, (_, index) => world.person({ displayName: `Участник ${index}` }));
    const [anna] = people as [Person, ...Person[]];
    chat = world.group({ name: 'Общий', members: people, description: 'О разном', inviteHash: 'general', admins: [anna] });
    chat.say(anna, 'до');
    liked = chat.say(anna, 'нравится всем');
    for (const person of people.slice(1, 121)) chat.react(person, liked, 10084);
    chat.react(world.me, liked, 777);
    for (const person of people.slice(1)) chat.read(person);
    root = chat.say(anna, 'обсудим');
    const thread = world.thread(chat, root.ts);
    fillChat(thread, people.slice(0, 3), 90, { stepMs: 10 });
    lonely = chat.say(anna, 'никто не ответил');
    poll = chat.say(anna, { Poll: { Title: 'Куда?', Answers: ['море', 'горы'], MaxChoices: 2, IsAnonymous: false } });
    chat.vote(world.me, poll, [0, 1]);
    chat.vote(anna, poll, [1]);
    anonymous = chat.say(anna, { Poll: { Title: 'Тайно?', Answers: ['да', 'нет'], MaxChoices: 1, IsAnonymous: true } });
    chat.vote(anna, anonymous, [0]);
    unvoted = chat.say(anna, { Poll: { Title: 'Рано', Answers: ['a', 'b'], MaxChoices: 1, IsAnonymous: false } });
    for (const name of ['../../отчёт:2.pdf', '../../отчёт:2.pdf']) chat.say(anna, fileBody(world.file(name, 'содержимое', 'application/pdf')));
    chat.say(anna, imageBody(world.file('фото.jpg', bytes.toString('latin1'), 'image/jpeg')));
    chat.pinnedTs = liked.ts;
    for (let index = 0; index < 320; index += 1) chat.say(people[index % 5]!, `иголка номер ${index} ${'сено '.repeat(15)}`);
    business = world.business({ name: 'Пицца', members: [anna] });
    business.say(anna, 'готово');
    core = await startCore({ simulator: { world } });
    // Signed in and connected: what follows counts requests.
    await core.call('whoami');
  });
  afterAll(() => core.close());
  const since = (from: number) => core.sim.log.slice(from);

  it('one message costs one request, and two more with everybody who reacted and read', async () => {
    let from = core.sim.log.length;
    const plain = await core.call('get_message', { chat: chat.id, message_id: String(liked.ts), with_reactions: false, detail: 'full' });
    expect(since(from).map((entry) => entry.method)).toEqual(['message_info']);
    expect(plain).toMatchObject({
      status: 'ok',
      my_reactions: [777],
      chat_info: { Name: 'Общий' },
      message: { id: String(liked.ts), thread: { has_thread: false } },
    });
    expect(plain['message'].reactions).toMatchObject([
      { type: 10084, name: 'heart', count: 120, actors_complete: false },
      { type: 777, name: null, emoji: null, unknown: true },
    ]);
    expect(plain['reactions_detail']).toBeUndefined();
    from = core.sim.log.length;
    const detailed = await core.call('get_message', { chat: chat.id, message_id: String(root.ts) });
    expect(since(from).map((entry) => [entry.method, entry.params['Mode']])).toEqual([
      ['message_info', undefined],
      ['list_reactions', undefined],
      ['list_reactions', 1],
    ]);
    expect(detailed).toMatchObject({
      reactions_detail: { reactions: [], reads: { tracked: true } },
      message: { thread: { has_thread: true, last_seq_no: 90 } },
    });
    expect(detailed['my_reactions']).toBeUndefined();
  });

  it('a message that is not there is told so, and so is a chat', async () => {
    const missing = { message_id: '1780000000000001' };
    for (const tool of ['get_message', 'list_reactions', 'get_poll']) {
      expect(await core.call(tool, { chat: chat.id, ...missing }), tool).toMatchObject({ status: 'message_not_found', chat_id: chat.id });
      expect(await core.call(tool, { chat: `0/0/${people[0]!.guid}`, ...missing }), tool).toMatchObject({
        status: 'chat_not_found',
        reason: 'entity_not_found',
      });
    }
    expect(await core.fail('get_message', {})).toMatchObject({ code: 'invalid_argument' });
    expect(await core.fail('get_message', { chat: chat.id })).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('message_id') });
    expect(await core.fail('get_message', { chat: chat.id, message_id: '123' })).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('message_id'),
    });
    expect(await core.fail('get_message', { chat: chat.id, ...missing, url: 'https://x/#/c/y/1780000000000001' })).toMatchObject({
      message: expect.stringContaining('url'),
    });
  });

  it('everybody who reacted and read is listed without a cut', async () => {
    const from = core.sim.log.length;
    const all = await core.call('list_reactions', { chat: chat.id, message_id: String(liked.ts) });
    const hearts = all['reactions'].find((each: Answer) => each['type'] === 10084);
    expect(hearts).toMatchObject({ count: 120, actors_complete: true });
    expect(new Set(hearts.actors.map((actor: Answer) => actor['guid'])).size).toBe(120);
    expect(hearts.actors[0]).toMatchObject({
      name: expect.any(String),
      timestamp: expect.stringMatching(/\+03:00$/),
      timestamp_mcs: expect.stringMatching(/^\d{16}$/),
    });
    expect(all['reads'].recent).toHaveLength(all['reads'].count);
    for (const entry of since(from)) expect(entry.params['Limit']).toBeGreaterThan(0);
    // Few enough: two calls, with the limit as it was given.
    const before = core.sim.log.length;
    await core.call('list_reactions', { chat: chat.id, message_id: String(lonely.ts), limit: 7 });
    expect(since(before).map((entry) => entry.params['Limit'])).toEqual([7, 7]);
  });

  it('a poll tells options, votes, voters and my choice', async () => {
    expect(await core.call('get_poll', { chat: chat.id, message_id: String(poll.ts) })).toMatchObject({
      status: 'ok',
      is_poll: true,
      title: 'Куда?',
      answers: [
        { index: 0, text: 'море', votes: 1, voters: [{ guid: world.me.guid }] },
        { index: 1, text: 'горы', votes: 2, voters: [{ guid: people[0]!.guid }, { guid: world.me.guid }] },
      ],
      my_choices: [0, 1],
      max_choices: 2,
      is_anonymous: false,
      voted_count: 2,
      results: [1, 2],
      recent_voters: [{}, {}],
      raw: { MyChoices: [0, 1] },
    });
    const hidden = await core.call('get_poll', { chat: chat.id, message_id: String(anonymous.ts) });
    expect(hidden).toMatchObject({
      is_anonymous: true,
      voters_hidden: true,
      voted_count: 1,
      answers: [{ votes: 1 }, { votes: 0 }],
      my_choices: [],
      recent_voters: [],
    });
    expect(hidden['answers'][0].voters).toBeUndefined();
    expect(await core.call('get_poll', { chat: chat.id, message_id: String(unvoted.ts) })).toMatchObject({ voted_count: 0, my_choices: [], results: [] });
    expect(await core.call('get_poll', { chat: chat.id, message_id: String(liked.ts) })).toMatchObject({ status: 'not_a_poll', is_poll: false });
  });

  it('a thread is read by its id or its parent, page by page', async () => {
    const id = threadId(chat.id, root.ts)!;
    const byParent = await core.call('get_thread', { chat: chat.id, message_id: String(root.ts), limit: 20 });
    expect(byParent).toMatchObject({ status: 'ok', thread_id: id, chat_id: id, has_more: true, parent: { id: String(root.ts), text: 'обсудим' } });
    let told = byParent['messages'].map((message: Answer) => message['id']);
    let page = byParent;
    while (page['next_before'] !== undefined) {
      page = await core.call('get_thread', { thread_id: id, limit: 20, before: page['next_before'] });
      told = [...page['messages'].map((message: Answer) => message['id']), ...told];
    }
    expect(told).toEqual(world.chat(id)!.messages.map((message) => String(message.ts)));
    expect(page).toMatchObject({ has_more: false });
    expect(page['empty']).toBeUndefined();
    expect(await core.call('get_thread', { chat: chat.id, message_id: String(lonely.ts) })).toMatchObject({
      status: 'ok',
      empty: true,
      messages: [],
      has_more: false,
      parent: { text: 'никто не ответил' },
    });
    expect(await core.call('get_thread', { chat: chat.id, message_id: '1780000000000001' })).toMatchObject({ status: 'message_not_found' });
    expect(await core.call('get_thread', { thread_id: threadId(`0/0/${people[0]!.guid}`, root.ts)! })).toMatchObject({ status: 'chat_not_found' });
    expect(await core.fail('get_thread', { thread_id: chat.id })).toMatchObject({ message: expect.stringContaining('thread_id') });
    expect(await core.call('get_thread', { chat: id, message_id: told[0] })).toMatchObject({ status: 'thread_unsupported' });
    const threads = await core.call('list_threads', { chat: 'Общий' });
    expect(threads).toMatchObject({
      form_status: 'documented',
      total_threads: 1,
      threads: [{ thread_id: id, parent_message_id: String(root.ts), parent: { text: 'обсудим' }, last_seq_no: 90 }],
    });
    expect(await core.call('list_threads', { chat: business.id })).toMatchObject({ status: 'thread_unsupported' });
  });

  it('search raises its limit until everything is found, and pages by size', async () => {
    const from = core.sim.log.length;
    const seen: string[] = [];
    let cursor: string | undefined;
    let last: Answer;
    do {
      const text = await core.text('search', { query: 'ИГОЛКА', entities: ['messages'], ...(cursor !== undefined && { cursor }) });
      expect(encode(text).length).toBeLessThan(8000);
      last = JSON.parse(text) as Answer;
      expect(last).toMatchObject({ escalation: { start_limit: 50, final_limit: 800, requests: 3 }, totals: { messages: 320 } });
      seen.push(...last['messages'].map((message: Answer) => message['id']));
      cursor = last['next_cursor'];
      expect(last['truncated'] ?? false).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    expect(seen).toHaveLength(320);
    expect(new Set(seen).size).toBe(320);
    expect(last['messages'][0].chat_id).toBe(chat.id);
    expect(
      since(from)
        .slice(0, 3)
        .map((entry) => (entry.params as Answer)['limit']),
    ).toEqual([50, 200, 800]);
  });

  it('search finds people with the chat they would have, and chats; contacts are refused at the door', async () => {
    const found = await core.call('search', { query: 'Участник 12', detail: 'full' });
    expect(found['users'].length).toBe(11);
    expect(found['users'][0]).toMatchObject({ guid: expect.any(String), chat_id_via: 'user_search', chat_id: expect.stringContaining(world.me.guid) });
    expect(found['chats']).toEqual([]);
    expect((await core.call('search', { query: 'общий', entities: ['chats'] }))['chats']).toMatchObject([
      { chat_id: chat.id, kind: 'group', members_count: 131 },
    ]);
    const full = await core.call('search', { query: 'нравится', entities: ['messages'], detail: 'full' });
    expect(full['messages'][0]).toMatchObject({
      id: String(liked.ts),
      chat_id: chat.id,
      link: expect.any(String),
      reads: expect.any(Object),
      forwarded: [],
      from_me: false,
    });
    const from = core.sim.log.length;
    expect(await core.fail('search', { query: 'x', entities: ['contacts'] })).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/entities.*contacts/s),
    });
    expect(await core.fail('search', { query: '  ' })).toMatchObject({ message: expect.stringContaining('query') });
    expect(await core.fail('search', { query: 'x', entities: [] })).toMatchObject({ message: expect.stringContaining('entities') });
    expect(since(from)).toEqual([]);
  });

  it('about a chat: members, role, pinned message, invite link', async () => {
    expect(await core.call('get_chat_info', { chat: 'Общий', members_limit: 3 })).toMatchObject({
      chat_id: chat.id,
      name: 'Общий',
      kind: 'group',
      description: 'О разном',
      members_count: 131,
      members: [{}, {}, {}],
      members_truncated: true,
      form_status: 'documented',
      pinned_message: { id: String(liked.ts) },
      my_role: 1,
      invite_link: expect.stringMatching(/#\/join\/general$/),
    });
    core.sim.faults.add({ channel: 'registry', method: 'get_chat_members', action: { kind: 'http', status: 404, code: 'unknown_method' } });
    const soft = await core.call('get_chat_info', { chat: chat.id });
    expect(soft).toMatchObject({ status: 'ok', name: 'Общий' });
    expect(soft['members']).toBeUndefined();
  });

  it('files are listed newest first and saved under a safe name, never over another', async () => {
    const first = await core.call('list_attachments', { chat: chat.id, limit: 1 });
    expect(first).toMatchObject({ has_more: true, attachments: [{ kind: 'image', name: 'фото.jpg' }] });
    const rest = await core.call('list_attachments', { chat: chat.id, before: first['next_before'] });
    expect(rest).toMatchObject({ has_more: false, attachments: [{ kind: 'file' }, { kind: 'file' }] });
    expect((await core.call('list_attachments', { chat: chat.id, kinds: ['voice'] }))['attachments']).toEqual([]);

    const fileId = rest['attachments'][0].file_id as string;
    const [one, two] = [
      await core.call('download_attachment', { file_id: fileId }),
      await core.call('download_attachment', { file_id: fileId, chat_id: chat.id }),
    ];
    expect(one).toMatchObject({
      content_type: 'application/pdf',
      bytes: Buffer.byteLength('содержимое'),
      name: '_.._отчёт_2.pdf',
      path: path.join(core.downloadsFolder, '_.._отчёт_2.pdf'),
    });
    expect(two).toMatchObject({ name: '_.._отчёт_2 (2).pdf' });
    expect(readFileSync(one['path'], 'utf8')).toBe('содержимое');

    // What the person's time limit has overtaken goes before the next download.
    const old = path.join(core.downloadsFolder, 'old.txt');
    writeFileSync(old, 'x');
    utimesSync(old, new Date(0), new Date(0));

    const progress: number[] = [];
    const picture = await core.call(
      'download_attachment',
      { file_id: first['attachments'][0].file_id, size: 'ORIGINAL' },
      { onprogress: ({ progress: done }) => progress.push(done) },
    );
    const stored = world.files.get(first['attachments'][0].file_id)!.bytes;
    expect(picture['bytes']).toBe(stored.length);
    const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    expect(hash(readFileSync(picture['path']))).toBe(hash(stored));
    expect(existsSync(old)).toBe(false);
    expect(existsSync(one['path'])).toBe(true);
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.at(-1)).toBe(stored.length);
    const storage = core.sim.log.filter((entry) => entry.channel === 'storage');
    expect(storage.length).toBeGreaterThan(0);
    for (const entry of storage) expect(entry.cookiesSent).toBe('');
  });

  it('a cut, missing or cancelled download leaves nothing behind', async () => {
    const first = await core.call('list_attachments', { chat: chat.id, limit: 1 });
    const fileId = first['attachments'][0].file_id as string;
    const before = readdirSync(core.downloadsFolder);
    core.sim.faults.add({ channel: 'storage', action: { kind: 'cut', afterBytes: 100_000 }, times: 3 });
    expect(await core.fail('download_attachment', { file_id: fileId })).toMatchObject({ code: 'server_error' });
    core.sim.faults.clear();
    expect(await core.fail('download_attachment', { file_id: '1/nothing-here' })).toMatchObject({ code: 'file_missing' });
    expect(await core.fail('download_attachment', { file_id: '../../etc/passwd' })).toMatchObject({ code: 'invalid_argument' });
    core.sim.faults.add({ channel: 'storage', action: { kind: 'stall', afterBytes: 700_000 } });
    const abort = new AbortController();
    const cancelled = core.call('download_attachment', { file_id: fileId }, { signal: abort.signal, onprogress: () => abort.abort() });
    await expect(cancelled).rejects.toThrow();
    await expect.poll(() => readdirSync(core.downloadsFolder)).toEqual(before);
    expect(existsSync(path.join(core.downloadsFolder, 'nothing-here'))).toBe(false);
    expect(core.sim.violations).toEqual([]);
  });

  it('who I am', async () => {
    expect(await core.call('whoami')).toMatchObject({
      guid: world.me.guid,
      uid: world.me.uid,
      name: world.me.displayName,
      self_chat_id: world.self().id,
      time_zone: 'Europe/Moscow',
    });
  });
});
