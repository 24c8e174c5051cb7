/** The server says the same things in other ways, or less than usual: what an agent is told stays true. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../simulator/chat.ts';
import { READS } from '../simulator/reads.ts';
import { fillChat, World, type Chat, type Person } from '../simulator/index.ts';
import { startCore, type Answer, type RunningCore } from './support.ts';

type Rewrite = (answer: Body, params: Body) => Body;

describe('answers in unusual shapes', () => {
  let core: RunningCore;
  let world: World;
  let lena: Person, oleg: Person;
  let team: Chat, withLena: Chat;
  const table = READS as Record<string, (typeof READS)[string]>;
  const original = { ...READS };

  /** Rewrites what the simulator answers to one method, until the test ends. */
  function rewrite(method: string, change: Rewrite): void {
    table[method] = (state, viewer, params) => change(structuredClone(original[method]!(state, viewer, params)), params);
  }

  beforeAll(async () => {
    world = new World({ me: { displayName: 'Майя', guid: '5c0e9d1a-77b2-4a35-9f10-2be4a6d3c801' } });
    lena = world.person({ displayName: 'Лена', guid: 'c4b7f0e2-18a9-4d6c-8e53-91f2a7b6d005' });
    oleg = world.person({ displayName: 'Олег', guid: '1e8d2c63-5a4b-4f97-b0c8-6d7e3f1a9b24' });
    withLena = world.privateChat(lena);
    withLena.say(lena, 'раз');
    withLena.say(world.me, 'два');
    team = world.group({ name: 'Смена', members: [lena, oleg] });
    for (const text of ['один', 'два', 'три', 'четыре', 'пять']) team.say(oleg, text);
    team.react(lena, team.messages[1]!, 128077);
    world.self().say(world.me, 'заметка');
    world.channel({ name: 'Сводка', members: [oleg] }).say(oleg, 'новость');
    world.business({ name: 'Ателье', members: [oleg] }).say(oleg, 'готово');
    core = await startCore({ simulator: { world } });
  });
  afterEach(() => Object.assign(table, original));
  afterAll(() => core.close());

  const history = (args: Record<string, unknown>): Promise<Answer> => core.call('get_history', { detail: 'full', ...args });

  it('a chat is found by its id among others, whatever their order', async () => {
    rewrite('history', (answer) => {
      const stranger = { ChatId: `0/0/${lena.guid}`, Messages: [], LastSeqNo: 0 };
      return { ...answer, Chats: [stranger, null, ...(answer['Chats'] as Body[])] };
    });
    const page = await history({ chat: team.id, limit: 2 });
    expect(page['messages'].map((message: Answer) => message['text'])).toEqual(['четыре', 'пять']);
  });

  it('numbers written as strings count as numbers', async () => {
    const asStrings = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(asStrings)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, key === 'Status' ? member : asStrings(member)]))
          : typeof value === 'number'
            ? String(value)
            : value;
    rewrite('history', (answer) => asStrings(answer) as Body);
    const page = await history({ chat: team.id });
    expect(page['messages'][1]).toMatchObject({ id: String(team.messages[1]!.ts), seq_no: 2, reactions: [{ type: 128077, count: 1, actors_complete: true }] });
    expect(page['has_more']).toBe(false);
    const { chats } = await core.call('list_chats');
    expect(chats.find((chat: Answer) => chat['chat_id'] === team.id)).toMatchObject({ unread_count: 5, unread: true });
  });

  it('null is as good as absent', async () => {
    rewrite('history', (answer) => {
      for (const chat of answer['Chats'] as Body[]) {
        chat['ThreadParentMessage'] = null;
        for (const { ServerMessage: server } of (chat['Messages'] ?? []) as { ServerMessage: Body }[]) {
          Object.assign(server, { Reactions: null, RecentUserReactions: null, RecentUserReads: null, ReadsCount: null, SeenByPartnerMcs: null });
          Object.assign(server, { ForwardedMessages: null, MentionedUsers: null, Users: null });
          Object.assign(server['ServerMessageInfo'] as Body, { LastEditTimestamp: null, Deleted: null, CustomFrom: null, ThreadState: null });
          const plain = (server['ClientMessage'] as Body)['Plain'] as Body;
          Object.assign(plain, { MentionedUserIds: null, ForwardedMessageRefs: null, ForwardedMessageStyles: null, Image: null });
          (plain['Text'] as Body)['Card'] = null;
        }
      }
      return { ...answer, Status: null };
    });
    const page = await history({ chat: team.id, limit: 1 });
    expect(page['messages'][0]).toEqual({
      id: String(team.messages[4]!.ts),
      chat_id: team.id,
      timestamp: expect.any(String),
      timestamp_mcs: String(team.messages[4]!.ts),
      seq_no: 5,
      from: { guid: oleg.guid, name: 'Олег' },
      kind: 'text',
      text: 'пять',
      attachments: [],
      edited: false,
      deleted: false,
      from_me: false,
      reads: { tracked: false },
      mentions: [],
      reactions: [],
      thread: { has_thread: false },
      forwarded: [],
      link: expect.stringContaining(String(team.messages[4]!.ts)),
    });
  });

  it('success without any chat is an empty window, and a status inside the chat is that chat’s', async () => {
    rewrite('history', (answer) => ({ ...answer, Chats: [] }));
    expect(await history({ chat: team.id, to_date: '2001-09-10' })).toMatchObject({ status: 'ok', messages: [], has_more: false });
    rewrite('history', () => ({ Chats: [{ ChatId: team.id, Status: 4 }] }));
    expect(await history({ chat: team.id })).toMatchObject({ status: 'chat_not_found', reason: 'entity_not_found', candidates: [] });
    rewrite('history', () => ({ Chats: [{ ChatId: team.id, Status: 2 }] }));
    expect(await core.fail('get_history', { chat: team.id })).toMatchObject({ code: 'server_error', next_step: expect.any(String) });
  });

  it('messages that come newest first are told oldest first', async () => {
    rewrite('history', (answer) => {
      for (const chat of answer['Chats'] as Body[]) if (Array.isArray(chat['Messages'])) chat['Messages'].reverse();
      return answer;
    });
    const page = await history({ chat: team.id, limit: 3 });
    expect(page['messages'].map((message: Answer) => message['text'])).toEqual(['три', 'четыре', 'пять']);
    expect(page['next_before']).toBe(String(team.messages[2]!.ts));
    const around = await core.call('get_message_context', { chat: team.id, message_id: String(team.messages[2]!.ts), before: 1, after: 1 });
    expect([...around['before'], around['message'], ...around['after']].map((message: Answer) => message['text'])).toEqual(['два', 'три', 'четыре']);
  });

  it('an author nobody names is unknown, not somebody else', async () => {
    rewrite('history', (answer) => {
      for (const chat of answer['Chats'] as Body[])
        for (const { ServerMessage: server } of (chat['Messages'] ?? []) as { ServerMessage: Body }[]) {
          server['ClientMessage'] = {};
          delete (server['ServerMessageInfo'] as Body)['From'];
        }
      return answer;
    });
    for (const detail of ['full', 'compact']) {
      const page = await history({ chat: withLena.id, detail });
      expect(page['messages'][1]).toMatchObject({ from: null, from_me: null, kind: 'unknown' });
    }
  });

  it('a message that the server has an error for is not there', async () => {
    const id = String(team.messages[0]!.ts);
    rewrite('message_info', (answer) => ({ ...answer, ErrorInfo: { Code: 4, Text: 'gone' } }));
    expect(await core.call('get_message', { chat: team.id, message_id: id })).toMatchObject({ status: 'message_not_found' });
    rewrite('message_info', (answer) => ({ ...answer, ErrorInfo: null }));
    expect(await core.call('get_message', { chat: team.id, message_id: id })).toMatchObject({ status: 'ok', message: { text: 'один' } });
  });

  it('a deleted message is not told as the middle of its context', async () => {
    const victim = team.messages[3]!;
    team.delete(victim);
    const around = await core.call('get_message_context', { chat: team.id, message_id: String(victim.ts), before: 1, after: 1 });
    expect(around).not.toHaveProperty('message');
    expect(around).toMatchObject({ message_deleted: true, before: [{ text: 'три' }], after: [{ text: 'пять' }] });
  });

  it('the list of chats knows private and group, and says beside it what is finer', async () => {
    const { chats } = await core.call('list_chats');
    const kinds = Object.fromEntries(chats.map((chat: Answer) => [chat['name'], [chat['kind'], chat['chat_type']]]));
    expect(kinds).toEqual({
      Лена: ['private', undefined],
      Избранное: ['private', 'self'],
      Смена: ['group', undefined],
      Сводка: ['group', 'channel'],
      Ателье: ['group', 'business'],
    });
  });

  it('an unwell registry has not said that a link leads nowhere', async () => {
    core.sim.faults.add({ channel: 'registry', method: 'get_chats_info', action: { kind: 'http', status: 503 }, times: 20 });
    expect(await core.fail('get_history', { chat: 'https://yandex.ru/chat/#/join/some-hash' })).toMatchObject({ code: 'server_error' });
    core.sim.faults.clear();
  });

  it('a call that is cancelled asks for nothing more, and others go on', async () => {
    const big = world.group({ name: 'Склад', members: [oleg] });
    fillChat(big, [oleg], 1500);
    core.sim.faults.nextRead({ kind: 'delay', ms: 300 }, 'history', 20);
    const before = core.sim.requests('history').length;
    const abort = new AbortController();
    const scanning = core.call('list_attachments', { chat: big.id }, { signal: abort.signal });
    await core.sim.waitFor(() => core.sim.requests('history').length > before);
    abort.abort();
    await expect(scanning).rejects.toThrow();
    core.sim.faults.clear();
    const [me, page] = await Promise.all([core.call('whoami'), core.call('get_message', { chat: team.id, message_id: String(team.messages[0]!.ts) })]);
    expect([me['guid'], page['message']['text']]).toEqual([world.me.guid, 'один']);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(core.sim.requests('history').length - before).toBe(1);
  });

  it('one chat that cannot be read leaves the others in the digest', async () => {
    rewrite('history', (answer, params) => (params['ChatId'] === team.id ? { Status: 2 } : answer));
    const digest = await core.call('get_unread');
    const named = (name: string): Answer => digest['chats'].find((each: Answer) => each['name'] === name);
    expect(named('Смена')).toMatchObject({ unread_count: 5, messages: [], has_more: true, unavailable: true });
    expect(named('Сводка')).toMatchObject({ unread_count: 1, messages: [{ text: 'новость' }] });
    expect(named('Сводка')).not.toHaveProperty('unavailable');
  });

  it('a forwarded file is among the files of the chat', async () => {
    const sent = withLena.say(lena, { MiscFile: { FileInfo: { Id2: '7/план', Name: 'план.pdf', Size: 3, Source: 0 } } });
    const there = world.group({ name: 'Пересылки', members: [lena] });
    there.say(lena, {}, { forward: [sent] });
    const { attachments } = await core.call('list_attachments', { chat: there.id });
    expect(attachments).toMatchObject([{ kind: 'file', file_id: '7/план', name: 'план.pdf', forwarded: true, message_id: String(there.messages[0]!.ts) }]);
  });

  it('a poll of many voters keeps its counts and stays small', async () => {
    const voters = Array.from({ length: 150 }, (_, index) => world.person({ displayName: `Избиратель ${index}` }));
    const hall = world.group({ name: 'Зал', members: voters });
    const poll = hall.say(voters[0]!, { Poll: { Title: 'За?', Answers: ['за', 'против'], MaxChoices: 1, IsAnonymous: false } });
    for (const [index, voter] of voters.entries()) hall.vote(voter, poll, [index % 3 === 0 ? 1 : 0]);
    const text = await core.text('get_poll', { chat: hall.id, message_id: String(poll.ts) });
    expect(encode(text).length).toBeLessThan(8000);
    const answer = JSON.parse(text) as Answer;
    expect(answer).toMatchObject({ voted_count: 150, results: [100, 50], truncated: true, answers: [{ votes: 100, voters_complete: false }, { votes: 50 }] });
    expect(answer['answers'][0]['voters'].length).toBeGreaterThan(20);
  });

  it('a read that wants a CSRF token after all gets one', async () => {
    core.sim.faults.add({ channel: 'registry', method: 'search', action: { kind: 'http', status: 403, code: 'bad_csrf_token' } });
    expect(await core.call('search', { query: 'заметка', entities: ['messages'] })).toMatchObject({ messages: [{ text: 'заметка' }] });
  });

  it('the link of a message names the message wherever one is asked for', async () => {
    const link = `https://messenger.360.yandex.ru/#/chats/${encodeURIComponent(team.id)}/${team.messages[1]!.ts}`;
    expect(await core.call('get_message_context', { chat: link, before: 1, after: 0 })).toMatchObject({ message: { text: 'два' }, before: [{ text: 'один' }] });
    expect(await core.call('list_reactions', { chat: link })).toMatchObject({ reactions: [{ type: 128077 }] });
    expect(await core.call('get_poll', { chat: link })).toMatchObject({ status: 'not_a_poll', message_id: String(team.messages[1]!.ts) });
    expect(await core.call('get_thread', { chat: link })).toMatchObject({ empty: true, parent_message_id: String(team.messages[1]!.ts) });
    expect(await core.fail('list_reactions', { chat: team.id })).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('`message_id`') });
  });

  it('a link is a link without its scheme, too', async () => {
    const link = `yandex.ru/chat#/chats/${encodeURIComponent(team.id)}/${team.messages[1]!.ts}`;
    expect(await core.call('get_message', { url: link })).toMatchObject({ status: 'ok', chat_id: team.id, message: { text: 'два' } });
  });

  it.each(['9999999999999999', '0000000000000001', 1782853200000123, '12345', ''])('%s is no message id, and the answer names the argument', async (id) => {
    for (const [tool, name] of [
      ['get_message', 'message_id'],
      ['get_message_context', 'message_id'],
      ['list_reactions', 'message_id'],
      ['get_history', 'before'],
    ] as const) {
      const answer = await core.fail(tool, { chat: team.id, [name]: id });
      expect(answer, tool).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(`\`${name}\``), next_step: expect.any(String) });
    }
  });
});
