import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { threadId, World, type Chat, type Person } from '../simulator/index.ts';
import { startCore, type Answer, type RunningCore } from './support.ts';

describe('finding chats', () => {
  let core: RunningCore;
  let world: World;
  let early: Person, late: Person, twinA: Person, twinB: Person, stranger: Person, anna: Person;
  let team: Chat, twins: Chat[], secret: Chat, channel: Chat, business: Chat, elsewhere: Chat, withEarly: Chat, withLate: Chat;

  beforeAll(async () => {
    world = new World({ me: { displayName: 'Вера', guid: '7d1f0a52-6c1e-4a7b-9c55-3a5d8e6b1f20' } });
    const { me } = world;
    early = world.person({ displayName: 'Ёлкин Пётр', guid: '0a6f3c84-2d9e-4f0a-8b13-5e7c9a2d4f61' });
    late = world.person({ displayName: 'Zoe Late', guid: 'f4a97b15-8c3d-4e62-a0f9-2b6d1c8e7f34', nickname: 'zoe' });
    twinA = world.person({ displayName: 'Иван Петров' });
    twinB = world.person({ displayName: 'Иван Петров' });
    stranger = world.person({ displayName: 'Никто Незнакомый' });
    anna = world.person({ displayName: 'Анна Кузнецова' });
    for (const person of [early, late, twinA, twinB]) world.privateChat(person).say(person, `привет от ${person.nickname}`);
    [withEarly, withLate] = [world.privateChat(early), world.privateChat(late)];
    team = world.group({ name: 'Команда', members: [early, late], inviteHash: 'team/1', alias: 'the-team' });
    team.say(early, 'первое');
    world.group({ name: 'Команда мечты', members: [early] }).say(early, 'x');
    twins = [1, 2].map((index) => {
      const chat = world.group({ name: 'Проект', members: index === 1 ? [early] : [early, late] });
      chat.say(early, `проект ${index}`);
      return chat;
    });
    world.self().say(me, 'заметка');
    channel = world.channel({ name: 'Новости', members: [early], alias: 'news' });
    channel.say(early, 'новость');
    business = world.business({ name: 'Пицца', members: [late] });
    business.say(late, 'заказ готов');
    secret = world.group({ name: 'Тайное', members: [early], inviteHash: 'secret-hash', alias: 'secret' });
    const told = secret.say(early, 'секретик');
    world.thread(secret, told.ts).say(early, 'секретик в треде');
    team.say(early, {}, { forward: [told] });
    elsewhere = world.group({ name: 'Чужие', members: [early], withMe: false, inviteHash: 'open-door' });
    elsewhere.say(early, 'снаружи');
    core = await startCore({ simulator: { world } });
  });
  afterAll(() => core.close());

  const resolve = async (chat: string): Promise<Answer> => core.call('get_history', { chat, limit: 1 });
  const found = (chat: Chat) => ({ status: 'ok', chat_id: chat.id });

  it.each(['Избранное', 'избранное', 'Saved', 'saved messages', 'SAVED'])('%s is the chat with oneself', async (name) => {
    expect(await resolve(name)).toMatchObject({ ...found(world.self()), messages: [{ text: 'заметка' }] });
  });

  it('a person is found whichever guid sorts first, without case and ё', async () => {
    expect(await resolve('елкин пётр')).toMatchObject(found(withEarly));
    expect(await resolve('ЗОЕ late'.replace('ЗОЕ', 'zoe'))).toMatchObject(found(withLate));
    expect(await resolve('@zoe')).toMatchObject(found(withLate));
    expect(await resolve(early.guid)).toMatchObject(found(withEarly));
    expect(await resolve(`${withLate.id.split('_').reverse().join('_')}`)).toMatchObject(found(withLate));
    expect(core.sim.requests('create_private_chat')).toEqual([]);
  });

  it('an exact name wins over a longer one', async () => {
    expect(await resolve('команда')).toMatchObject({ ...found(team), chat_name: 'Команда' });
    expect(await resolve('мечты')).toMatchObject({ status: 'ok', chat_name: 'Команда мечты' });
  });

  it('equal names are never guessed, and the candidates can be told apart', async () => {
    const projects = await resolve('проект');
    expect(projects).toMatchObject({ status: 'ambiguous_chat' });
    expect(projects['candidates'].map((each: Answer) => each['chat_id']).sort()).toEqual(twins.map((chat) => chat.id).sort());
    expect(new Set(projects['candidates'].map((each: Answer) => each['hint'])).size).toBe(2);
    const people = await resolve('Иван Петров');
    expect(people['candidates']).toHaveLength(2);
    for (const twin of [twinA, twinB]) {
      expect(people['candidates']).toContainEqual(
        expect.objectContaining({
          chat_id: world.privateChat(twin).id,
          name: 'Иван Петров',
          kind: 'private',
          via: 'user_search',
          hint: expect.stringContaining(twin.nickname),
        }),
      );
    }
    expect(await resolve('команд')).toMatchObject({ status: 'ambiguous_chat' });
  });

  it('what is not found says why', async () => {
    expect(await resolve('Нет такого имени')).toMatchObject({ status: 'chat_not_found', reason: 'name_not_found', candidates: [] });
    expect(await resolve('Никто Незнакомый')).toMatchObject({
      status: 'chat_not_found',
      reason: 'person_without_chat',
      candidates: [{ kind: 'private', via: 'user_search', chat_id: expect.stringContaining(stranger.guid) }],
    });
    expect(await resolve(`0/0/${anna.guid}`)).toMatchObject({ status: 'chat_not_found', reason: 'entity_not_found' });
    expect(await resolve('https://yandex.ru/chat/#/nonsense/1')).toMatchObject({ status: 'chat_not_found', reason: 'invalid_link' });
    expect(await resolve('https://yandex.ru/chat/#/join/no-such-hash')).toMatchObject({ status: 'chat_not_found', reason: 'entity_not_found' });
  });

  it('every form of link leads to its chat', async () => {
    const page = core.sim.protocol.messengerPageUrl;
    const ts = team.messages[0]!.ts;
    for (const [link, chat] of [
      [`${page}/#/join/team%2F1/${ts}`, team],
      [`${page}/#/chats/${encodeURIComponent(team.id)}/${ts}`, team],
      [`https://messenger.360.yandex.ru/#/chats/${encodeURIComponent(withEarly.id)}`, withEarly],
      [`${page}/#/c/the-team/${ts}`, team],
      [`${page}/#/c/news`, channel],
      [`${page}/#/user/${late.guid}`, withLate],
      [`${page}/#/staff/zoe`, withLate],
      [`${page}/#/join/open-door`, elsewhere],
    ] as const) {
      expect(await resolve(link), link).toMatchObject(found(chat));
    }
    expect(await core.call('get_message', { url: `${page}/#/join/team%2F1/${ts}` })).toMatchObject({
      status: 'ok',
      chat_id: team.id,
      message: { id: String(ts), text: 'первое' },
    });
    expect(await core.call('get_message', { url: `${page}/#/join/open-door/${elsewhere.messages[0]!.ts}` })).toMatchObject({ message: { text: 'снаружи' } });
  });

  it('the link of every message leads back to it', async () => {
    const thread = world.thread(team, team.messages[0]!.ts);
    thread.say(late, 'в треде');
    for (const chat of [team, withEarly, channel, thread]) {
      const { messages } = await core.call('get_history', { chat: chat.id, detail: 'full' });
      for (const message of messages) {
        expect(await core.call('get_message', { url: message.link, with_reactions: false })).toMatchObject({ chat_id: chat.id, message: { id: message.id } });
      }
      const compact = await core.call('get_history', { chat: chat.id });
      expect(compact['link_template'].replace('{id}', compact['messages'][0].id)).toBe(messages[0].link);
    }
    const inThread = await core.call('get_history', { chat: thread.id, detail: 'full' });
    expect(inThread['messages'][0].link).toBe(`${core.sim.protocol.messengerPageUrl}/#/join/team%2F1/${team.messages[0]!.ts}/${thread.messages[0]!.ts}`);
  });

  it("a business chat's thread is unsupported, not an error", async () => {
    const link = `${core.sim.protocol.messengerPageUrl}/#/join/${business.inviteHash}/${business.messages[0]!.ts}/${business.messages[0]!.ts + 1}`;
    expect(await core.call('get_message', { url: link })).toMatchObject({ status: 'thread_unsupported', reason: expect.any(String) });
    expect(await core.call('get_thread', { chat: business.id, message_id: String(business.messages[0]!.ts) })).toMatchObject({ status: 'thread_unsupported' });
  });

  it('a hidden chat does not exist, in any tool or word', async () => {
    const inThread = threadId(secret.id, secret.messages[0]!.ts)!;
    const counts = await core.call('list_chats');
    expect(await core.person({ op: 'chat', chat_id: secret.id, access: 'hidden' })).toEqual({ ok: true });
    try {
      const after = await core.call('list_chats', { limit: 500, include_last_message_text: true });
      expect(after['total_chats']).toBe(counts['total_chats'] - 1);
      expect(after['unread_chats']).toBe(counts['unread_chats'] - 1);
      const unread = await core.call('get_unread');
      const search = await core.call('search', { query: 'секретик' });
      expect(search).toMatchObject({ messages: [] });
      const forward = await core.call('get_history', { chat: team.id, detail: 'full' });
      expect(forward['messages'][1].forwarded).toMatchObject([{ source_text: 'секретик' }]);
      const names = await core.call('search', { query: 'Тайное' });
      for (const answer of [after, unread, search, forward, names]) expect(JSON.stringify(answer)).not.toContain(secret.id.slice(4));
      const unknown = await core.call('get_history', { chat: `0/0/${anna.guid}` });
      const page = core.sim.protocol.messengerPageUrl;
      for (const chat of [secret.id, inThread, `${page}/#/join/secret-hash`, `${page}/#/c/secret`, `${page}/#/chats/${encodeURIComponent(secret.id)}`]) {
        const from = core.sim.log.length;
        expect(await core.call('get_history', { chat }), chat).toEqual(unknown);
        expect(core.sim.log.slice(from).filter((entry) => entry.channel === 'socket')).toEqual([]);
      }
      expect(await resolve('Тайное')).toMatchObject({ status: 'chat_not_found', reason: 'name_not_found', candidates: [] });
      for (const [tool, args] of [
        ['get_message', { message_id: String(secret.messages[0]!.ts) }],
        ['get_message_context', { message_id: String(secret.messages[0]!.ts) }],
        ['list_reactions', { message_id: String(secret.messages[0]!.ts) }],
        ['get_poll', { message_id: String(secret.messages[0]!.ts) }],
        ['get_thread', { message_id: String(secret.messages[0]!.ts) }],
        ['list_threads', {}],
        ['get_chat_info', {}],
        ['list_attachments', {}],
        ['search', { query: 'x' }],
      ] as const) {
        expect(await core.call(tool, { chat: secret.id, ...args }), tool).toEqual(unknown);
      }
    } finally {
      await core.person({ op: 'chat', chat_id: secret.id, access: 'default' });
    }
  });

  it('without the search of the server an own chat is still found, but nothing is called missing', async () => {
    core.sim.faults.add({ channel: 'registry', method: 'search', action: { kind: 'http', status: 500 }, times: 20 });
    expect(await resolve('команда')).toMatchObject(found(team));
    expect(await core.fail('get_history', { chat: 'Никого нет' })).toMatchObject({ code: 'server_error' });
    core.sim.faults.clear();
  }, 90_000);
});

describe('the list of chats', () => {
  let core: RunningCore;
  beforeAll(async () => {
    const world = new World();
    const people = Array.from({ length: 120 }, (_, index) => world.person({ displayName: `Человек ${index}` }));
    for (const [index, person] of people.entries()) {
      const chat = world.privateChat(person);
      for (let count = 0; count <= index % 5; count += 1) chat.say(person, { Text: { MessageText: `секретный текст ${index} ${'много слов '.repeat(20)}` } });
      if (index % 3 === 0) chat.read(world.me);
    }
    world.privateChat(people[0]!).say(people[0]!, { MiscFile: { FileInfo: { Id2: '1/x', Name: 'секретное имя.pdf', Size: 1, Source: 0 } } });
    core = await startCore({ simulator: { world } });
  });
  afterAll(() => core.close());

  it('is newest first, complete over its pages, and small', async () => {
    for (const withText of [false, true]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const text = await core.text('list_chats', { limit: 500, include_last_message_text: withText, ...(cursor !== undefined && { cursor }) });
        expect(encode(text).length).toBeLessThan(8000);
        const page = JSON.parse(text) as Answer;
        expect(page).toMatchObject({ total_chats: 121, unread_chats: 81 });
        seen.push(...page['chats'].map((chat: Answer) => chat['chat_id']));
        cursor = page['next_cursor'];
        expect(page['truncated'] ?? false).toBe(cursor !== undefined);
      } while (cursor !== undefined);
      expect(new Set(seen).size).toBe(121);
      expect(seen).toHaveLength(121);
    }
  });

  it('gives 50 chats by default, and no word of their content unless asked', async () => {
    const page = await core.call('list_chats');
    expect(page['chats']).toHaveLength(50);
    expect(page['truncated']).toBeUndefined();
    const activity = page['chats'].map((chat: Answer) => chat['last_message']['id']);
    expect([...activity].sort().reverse()).toEqual(activity);
    const full = await core.call('list_chats', { detail: 'full', limit: 1 });
    expect(full['chats'][0]).toMatchObject({ last_activity_mcs: activity[0], last_message: { id: activity[0], timestamp_mcs: activity[0], from_me: false } });
    expect(JSON.stringify(page)).not.toContain('секретн');
    expect(page['chats'][0]).toMatchObject({
      kind: 'private',
      unread: expect.any(Boolean),
      unread_count: expect.any(Number),
      muted: false,
      last_message: { kind: 'file' },
    });
    expect(JSON.stringify(await core.call('list_chats', { include_last_message_text: true, limit: 3 }))).toContain('секретный текст');
  });

  it('people alone may fill a page of the search', async () => {
    const hits = await core.call('search', { query: 'Человек', entities: ['users'] });
    expect(hits['users'].length).toBeGreaterThan(50);
  });

  it('can be only what is unread', async () => {
    const page = await core.call('list_chats', { unread_only: true, limit: 500 });
    expect(page['chats'].every((chat: Answer) => chat['unread_count'] > 0)).toBe(true);
    expect(page).toMatchObject({ total_chats: 121, unread_chats: 81 });
  });

  it('the digest of what is unread stays small and tells what it left out', async () => {
    const text = await core.text('get_unread', { limit: 200, per_chat: 100, max_chats: 50 });
    expect(encode(text).length).toBeLessThan(8000);
    const digest = JSON.parse(text) as Answer;
    expect(digest).toMatchObject({ unread_chats: 81, truncated: true });
    for (const chat of digest['chats']) {
      expect(chat.messages.length <= chat.unread_count).toBe(true);
      expect(chat.has_more).toBe(chat.messages.length < chat.unread_count);
    }
    const small = await core.call('get_unread', { limit: 3, per_chat: 2 });
    expect(small['chats'].flatMap((chat: Answer) => chat['messages']).length).toBeLessThanOrEqual(3);
    const first = small['chats'].find((chat: Answer) => chat['has_more'] && chat['next_before']);
    const rest = await core.call('get_history', { chat: first['chat_id'], before: first['next_before'] });
    expect(rest['messages'].at(-1).id < first['messages'][0].id).toBe(true);
  });
});

describe('without a session', () => {
  it('reading fails at once with what to do, and session_status still answers', async () => {
    const core = await startCore({ flags: { cookie: 'Session_id=nobody; yandexuid=1' } });
    try {
      expect(await core.fail('list_chats')).toMatchObject({ code: 'not_signed_in', next_step: expect.stringContaining('sign in') });
      expect(await core.fail('get_history', { chat: 'x' })).toMatchObject({ code: 'not_signed_in' });
      expect(await core.call('session_status')).toMatchObject({ status: 'ok', state: expect.stringMatching(/sign/), mode: 'full', drafts: { pending: 0 } });
    } finally {
      await core.close();
    }
  });
});
