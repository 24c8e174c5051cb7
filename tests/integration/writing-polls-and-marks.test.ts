import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { World, type Chat, type Person } from '../simulator/index.ts';
import { startCore, type RunningCore } from './support.ts';
import { confirmWith, draftAndConfirm, ts, wireWatch } from './writing-support.ts';

let core: RunningCore;
let world: World;
let anna: Person;
let group: Chat;
let wire: () => Record<string, unknown>[];

beforeAll(async () => {
  world = new World();
  anna = world.person({ displayName: 'Анна' });
  group = world.group({ name: 'Команда', members: [anna] });
  group.say(anna, 'Привет');
  core = await startCore({ simulator: { world }, flags: { policy: 'agent' } });
  wire = wireWatch(core);
});
afterAll(async () => {
  expect(core.sim.violations).toEqual([]);
  await core.close();
});
beforeEach(() => void wire());

const poll = (maxChoices = 1) => group.say(anna, { Poll: { Title: 'Обед?', Answers: ['Пицца', 'Суши', 'Плов'], MaxChoices: maxChoices, IsAnonymous: false } });

describe('create_poll', () => {
  it('sends the poll as it was drafted', async () => {
    const args = { chat: group.id, title: 'Когда встречаемся?', answers: ['Вт', 'Ср', 'Чт'], anonymous: true, multiple: true };
    const { draft, outcome } = await draftAndConfirm(core, 'create_poll', args);
    expect(draft).toMatchObject({ title: args.title, answers: args.answers, anonymous: true, multiple: true });
    expect(outcome).toMatchObject({ status: 'sent' });
    const Poll = { Title: args.title, Answers: args.answers, IsAnonymous: true, MaxChoices: 3 };
    expect(wire()).toEqual([{ Plain: { ChatId: group.id, PayloadId: expect.any(String), Poll } }]);
    const single = await draftAndConfirm(core, 'create_poll', { chat: group.id, title: 'Да?', answers: ['Да', 'Нет'] });
    expect(single.outcome['status']).toBe('sent');
    expect(wire()).toMatchObject([{ Plain: { Poll: { IsAnonymous: false, MaxChoices: 1 } } }]);
  });
  it('refuses changed arguments and polls without a choice', async () => {
    const args = { chat: group.id, title: 'т', answers: ['а', 'б'] };
    const draft = await core.call('create_poll', args);
    for (const change of [{ title: 'у' }, { answers: ['б', 'а'] }, { anonymous: true }, { multiple: true }])
      expect(await confirmWith(core, 'create_poll', draft, { ...args, ...change })).toMatchObject({ code: 'args_changed' });
    for (const bad of [{ answers: ['а'] }, { title: ' ' }, { answers: ['а', ' '] }])
      expect(await core.fail('create_poll', { ...args, ...bad })).toMatchObject({ code: 'invalid_argument' });
    expect(wire()).toEqual([]);
  });
});

describe('vote_in_poll', () => {
  it('sends the full set of choices, in the order of the answers', async () => {
    const message = poll(3);
    const { draft, outcome } = await draftAndConfirm(core, 'vote_in_poll', { chat: group.id, message_id: ts(message), choices: [2, 0, 2] });
    expect(draft).toMatchObject({ question: 'Обед?', choices: [0, 2], form_status: 'verified', is_anonymous: false });
    expect(draft['options']).toEqual([
      { text: 'Пицца', chosen: true },
      { text: 'Суши', chosen: false },
      { text: 'Плов', chosen: true },
    ]);
    expect(outcome).toMatchObject({ status: 'sent', commit_status: 1, form_status: 'verified' });
    expect(wire()).toEqual([{ Vote: { ChatId: group.id, Timestamp: message.ts, Action: 0, Choices: [0, 2] } }]);
  });
  it('refuses changed choices and choices that are none', async () => {
    const args = { chat: group.id, message_id: ts(poll()), choices: [1] };
    const draft = await core.call('vote_in_poll', args);
    expect(await confirmWith(core, 'vote_in_poll', draft, { ...args, choices: [0] })).toMatchObject({ code: 'args_changed' });
    for (const choices of [[], [3], [-1], [0, 1], ['Пицца']])
      expect(await core.fail('vote_in_poll', { ...args, choices })).toMatchObject({ code: 'invalid_argument' });
    expect(await core.call('vote_in_poll', { ...args, message_id: ts(group.messages[0]!) })).toMatchObject({ status: 'not_a_poll' });
    expect(wire()).toEqual([]);
  });
  it('refuses a poll that changed, and minds no votes of others', async () => {
    const message = poll();
    const args = { chat: group.id, message_id: ts(message), choices: [1] };
    const draft = await core.call('vote_in_poll', args);
    group.vote(anna, message, [0]);
    expect(await core.call('vote_in_poll', { ...args, confirm: true, confirm_token: draft['confirm_token'] })).toMatchObject({ status: 'sent' });
    const second = await core.call('vote_in_poll', args);
    group.edit(message, { Poll: { Title: 'Обед?', Answers: ['Плов', 'Суши', 'Пицца'], MaxChoices: 1, IsAnonymous: false } });
    expect(await confirmWith(core, 'vote_in_poll', second, args)).toMatchObject({ code: 'target_changed' });
    group.delete(message);
    const third = await core.call('vote_in_poll', args);
    expect(third).toMatchObject({ status: 'message_not_found' });
  });
});

describe('what one call can take back', () => {
  it('a reaction is set and removed', async () => {
    const message = group.say(anna, 'смешно');
    const args = { chat: group.id, message_id: ts(message), type: 100109 };
    expect(await core.call('set_reaction', args)).toMatchObject({ status: 'ok', type: 100109, name: expect.any(String), commit_status: 1, removed: false });
    expect(await core.call('set_reaction', { ...args, remove: true })).toMatchObject({ status: 'ok', removed: true });
    const reaction = { ChatId: group.id, Timestamp: message.ts, Type: 100109 };
    expect(wire()).toEqual([{ Reaction: reaction }, { Reaction: { ...reaction, Action: 1 } }]);
  });
  it('an unknown reaction never reaches the wire', async () => {
    await core.call('list_chats'); // the connection stands
    const before = core.sim.log.length;
    for (const type of [0, 1, 424242, -5]) {
      expect(await core.fail('set_reaction', { chat: group.id, message_id: ts(group.messages[0]!), type })).toMatchObject({
        status: 'invalid_type',
        code: 'invalid_type',
      });
    }
    expect(await core.fail('set_reaction', { chat: group.id, message_id: ts(group.messages[0]!), type: '👍' })).toMatchObject({ code: 'invalid_argument' });
    expect(core.sim.log.length).toBe(before);
  });
  it('a chat is marked read up to a message, or to its newest', async () => {
    const first = group.say(anna, 'раз');
    const last = group.say(anna, 'два');
    expect(await core.call('mark_read', { chat: group.id, message_id: ts(first) })).toMatchObject({
      status: 'ok',
      message_id: ts(first),
      form_status: 'verified',
    });
    expect(await core.call('mark_read', { chat: group.id })).toMatchObject({ status: 'ok', message_id: ts(last), duplicate: false });
    expect(await core.call('mark_read', { chat: group.id, message_id: ts(last), seqno: last.seqNo })).toMatchObject({
      status: 'ok',
      duplicate: true,
      commit_status: 8,
    });
    expect(wire()).toEqual([first, last, last].map((message) => ({ SeenMarker: { ChatId: group.id, Timestamp: message.ts, SeqNo: message.seqNo } })));
    expect(await core.call('mark_read', { chat: group.id, message_id: '1764500000000001' })).toMatchObject({ status: 'message_not_found' });
    expect(await core.fail('mark_read', { chat: group.id, seqno: 4 })).toMatchObject({ code: 'invalid_argument' });
  });
  it('a message is pinned and unpinned', async () => {
    const message = group.messages[0]!;
    expect(await core.call('pin_message', { chat: group.id, message_id: ts(message) })).toMatchObject({ status: 'ok', pinned: true, form_status: 'verified' });
    expect(group.pinnedTs).toBe(message.ts);
    expect(await core.call('pin_message', { chat: group.id })).toMatchObject({ status: 'ok', pinned: false });
    expect(group.pinnedTs).toBeUndefined();
    expect(wire()).toEqual([{ Pin: { ChatId: group.id, Timestamp: message.ts } }, { Pin: { ChatId: group.id } }]);
  });
  it('a thread is joined and left', async () => {
    const parent = group.say(anna, 'обсудим');
    const thread = world.thread(group, parent.ts);
    thread.say(anna, 'в треде');
    expect(await core.call('join_to_thread', { thread_id: thread.id })).toMatchObject({
      status: 'ok',
      thread_id: thread.id,
      joined: true,
      form_status: 'documented',
    });
    expect(core.sim.requests('join_to_thread').at(-1)).toMatchObject({ params: { thread_id: thread.id } });
    expect(await core.call('leave_thread', { thread_id: thread.id })).toMatchObject({ status: 'ok', joined: false });
    expect(core.sim.requests('leave_thread').at(-1)).toMatchObject({ params: { thread_id: thread.id } });
    expect(await core.fail('join_to_thread', { thread_id: group.id })).toMatchObject({ code: 'invalid_argument' });
  });
  it('a refusal is told, and a lost answer is a doubt', async () => {
    const args = { chat: group.id, message_id: '1764500000000001', type: 100109 };
    expect(await core.fail('set_reaction', args)).toMatchObject({ code: 'server_error', commit_status: 11 });
    core.sim.faults.dropAfterCommit();
    const lost = await core.call('set_reaction', { ...args, message_id: ts(group.messages[0]!) });
    expect(lost).toMatchObject({ status: 'unknown', message: expect.stringContaining('may or may not'), next_step: expect.any(String) });
    core.sim.faults.nextPush({ kind: 'status', status: 23 });
    expect(await core.fail('pin_message', { chat: group.id })).toMatchObject({ code: 'rate_limited', next_step: expect.stringContaining('Wait') });
  });

  it.each([
    ['set_reaction', { type: 100109 }, 'list_reactions'],
    ['mark_read', {}, 'list_chats'],
    ['pin_message', {}, 'get_chat_info'],
  ])('%s: after a lost answer it says where to look, and sends nothing again', async (tool, more, where) => {
    const before = core.sim.pushesOf().length;
    core.sim.faults.dropBeforeCommit();
    const lost = await core.call(tool, { chat: group.id, message_id: ts(group.messages[0]!), ...more });
    expect(lost).toMatchObject({ status: 'unknown', message: expect.stringContaining('may or may not'), next_step: expect.stringContaining(where) });
    expect(core.sim.pushesOf().length - before).toBe(1);
    const { tools } = await core.client.listTools();
    expect(tools.map(({ name }) => name)).toContain(where);
  });
  it.each([2, 9, 26])('status %i is no confirmation, and no proof that nothing was changed', async (status) => {
    core.sim.faults.nextPush({ kind: 'status', status, commit: true });
    const doubt = await core.call('pin_message', { chat: group.id, message_id: ts(group.messages[0]!) });
    expect(doubt).toMatchObject({ status: 'unknown', message: expect.stringContaining(String(status)) });
  });
  it('a deleted message is as good a mark as any', async () => {
    const gone = group.say(anna, 'исчезну');
    group.delete(gone);
    expect(await core.call('mark_read', { chat: group.id, message_id: ts(gone) })).toMatchObject({ status: 'ok', message_id: ts(gone) });
  });
});
