import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { World, type Chat, type Person } from '../simulator/index.ts';
import { startCore, type RunningCore } from './support.ts';
import { ts, wireWatch } from './writing-support.ts';

/** Drafts under the default policy: the person decides, and every writing tool obeys what the person allows. */

let core: RunningCore;
let world: World;
let anna: Person;
let group: Chat;
let secret: Chat;
let wire: () => Record<string, unknown>[];

beforeAll(async () => {
  world = new World();
  anna = world.person({ displayName: 'Анна' });
  group = world.group({ name: 'Команда', members: [anna] });
  secret = world.group({ name: 'Личное', members: [anna] });
  group.say(world.me, 'моё');
  group.say(anna, { Poll: { Title: 'Обед?', Answers: ['Да', 'Нет'], MaxChoices: 1 } });
  secret.say(anna, 'тайна');
  core = await startCore({ simulator: { world }, flags: { allow: [import.meta.dirname] } });
  wire = wireWatch(core);
});
afterAll(async () => {
  expect(core.sim.violations).toEqual([]);
  await core.close();
});
beforeEach(() => void wire());

const person = (op: string, draft: Record<string, unknown>, more: object = {}) => core.person({ op, id: draft['draft_id'], ...more });

/** A valid call of every tool that writes to a chat. */
function everyWrite(chat: Chat): [tool: string, args: Record<string, unknown>][] {
  const [mine, poll] = [ts(group.messages[0]!), ts(group.messages[1]!)];
  const thread = `100/0/${chat.id.split('/')[2]}_${mine}`;
  return [
    ['send_message', { chat: chat.id, text: 'x' }],
    ['send_file', { chat: chat.id, path: import.meta.filename }],
    ['edit_message', { chat: chat.id, message_id: mine, new_text: 'x' }],
    ['delete_message', { chat: chat.id, message_id: mine }],
    ['forward_message', { from_chat: group.id, message_id: mine, chat: chat.id }],
    ['create_poll', { chat: chat.id, title: 'x', answers: ['a', 'b'] }],
    ['vote_in_poll', { chat: chat.id, message_id: poll, choices: [0] }],
    ['set_reaction', { chat: chat.id, message_id: mine, type: 100109 }],
    ['mark_read', { chat: chat.id, message_id: mine }],
    ['pin_message', { chat: chat.id, message_id: mine }],
    ['join_to_thread', { thread_id: thread }],
    ['leave_thread', { thread_id: thread }],
  ];
}

describe('the person decides', () => {
  it("the person's click sends, and the agent learns it", async () => {
    const args = { chat: group.id, text: 'можно?' };
    const draft = await core.call('send_message', args);
    const confirm = core.call('send_message', { ...args, confirm: true, confirm_token: draft['confirm_token'] });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(wire()).toEqual([]);
    expect(await person('confirm', draft)).toMatchObject({ status: 'sent' });
    expect(await confirm).toMatchObject({ status: 'sent', commit_status: 1 });
    expect(await person('confirm', draft)).toMatchObject({ status: 'sent' });
    expect(wire()).toHaveLength(1);
  });

  it('what the person changes is what is sent; mentions they took out are not mentioned', async () => {
    const args = { chat: group.id, text: `@Анна и @${world.me.guid}, привет`, mentions: ['@Анна', `@${world.me.guid}`] };
    const draft = await core.call('send_message', args);
    const text = `@${world.me.guid}, здравствуйте`;
    expect(await person('edit', draft, { text: ' ' })).toMatchObject({ error: expect.any(String) });
    expect(await person('edit', draft, { text })).toMatchObject({ status: 'pending', text });
    await person('confirm', draft);
    expect(await core.call('send_message', { ...args, confirm: true, confirm_token: draft['confirm_token'] })).toMatchObject({
      status: 'sent',
      text,
      edited_by_person: true,
    });
    expect(wire()).toMatchObject([{ Plain: { Text: { MessageText: text }, MentionedUserIds: [world.me.guid] } }]);
  });

  it("the person's text also goes into an edit", async () => {
    const target = group.say(world.me, 'старое');
    const draft = await core.call('edit_message', { chat: group.id, message_id: ts(target), new_text: 'агента' });
    await person('edit', draft, { text: 'человека' });
    await person('confirm', draft);
    expect(wire()).toMatchObject([{ Plain: { Timestamp: target.ts, Text: { MessageText: 'человека' } } }]);
  });

  it('a message edited elsewhere after the draft refuses the click', async () => {
    const target = group.say(world.me, 'раз');
    const draft = await core.call('delete_message', { chat: group.id, message_id: ts(target) });
    group.edit(target, 'два');
    expect(await person('confirm', draft)).toMatchObject({ status: 'failed', outcome: { code: 'target_changed' } });
    expect(wire()).toEqual([]);
  });

  it('a chat that is gone refuses the click', async () => {
    const short = world.group({ name: 'Недолго', members: [anna] });
    const draft = await core.call('send_message', { chat: short.id, text: 'x' });
    world.chats.delete(short.id);
    expect(await person('confirm', draft)).toMatchObject({ status: 'failed', outcome: { code: 'chat_missing' } });
    expect(wire()).toEqual([]);
  });
});

describe('drafts can be looked at and taken back', () => {
  it('lists and shows them without their tokens', async () => {
    const args = { chat: group.id, text: 'й'.repeat(500), mentions: [] };
    const draft = await core.call('send_message', args);
    const list = await core.call('list_drafts', { status: 'pending' });
    expect(list['drafts'][0]).toMatchObject({
      draft_id: draft['draft_id'],
      status: 'pending',
      tool: 'send_message',
      chat_id: group.id,
      client: 'integration-test',
      text_truncated: true,
    });
    const shown = await core.call('get_draft', { draft_id: draft['draft_id'] });
    expect(shown['draft']).toMatchObject({ draft_id: draft['draft_id'], status: 'pending', text: args.text });
    for (const answer of [list, shown]) expect(JSON.stringify(answer)).not.toContain(draft['confirm_token']);
    expect(await core.call('list_drafts', { limit: 1 })).toMatchObject({ truncated: true, total: expect.any(Number) });
  });

  it('cancels one that waits, and no other', async () => {
    const args = { chat: group.id, text: 'передумал' };
    const draft = await core.call('send_message', args);
    expect(await core.call('cancel_draft', { draft_id: draft['draft_id'] })).toMatchObject({ status: 'cancelled', draft_id: draft['draft_id'] });
    expect(await person('confirm', draft)).toMatchObject({ error: expect.any(String) });
    expect((await core.call('get_draft', { draft_id: draft['draft_id'] }))['draft']).toMatchObject({ status: 'rejected', rejected_by: 'agent' });
    const confirmed = await core.call('send_message', { ...args, confirm: true, confirm_token: draft['confirm_token'] });
    expect(confirmed).toMatchObject({ status: 'rejected', message: expect.stringContaining('An agent took the draft back') });
    expect(await core.fail('cancel_draft', { draft_id: draft['draft_id'] })).toMatchObject({ code: 'invalid_argument' });
    expect(await core.fail('cancel_draft', { draft_id: 'nothing' })).toMatchObject({ code: 'draft_not_found' });
    expect(wire()).toEqual([]);
  });
});

describe('what the person does not allow', () => {
  it('a read-only chat takes no write of any tool', async () => {
    await core.person({ op: 'chat', chat_id: group.id, access: 'read_only' });
    for (const [tool, args] of everyWrite(group)) expect([tool, await core.fail(tool, args)]).toMatchObject([tool, { code: 'chat_read_only' }]);
    await core.person({ op: 'chat', chat_id: group.id, access: 'default' });
    expect(wire()).toEqual([]);
  });

  it('a hidden chat does not exist, neither for a write, nor as a source, nor its drafts', async () => {
    const draft = await core.call('send_message', { chat: secret.id, text: 'x' });
    await core.person({ op: 'chat', chat_id: secret.id, access: 'hidden' });
    const unknown = await core.call('send_message', { chat: `0/0/${crypto.randomUUID()}`, text: 'x' });
    for (const [tool, args] of everyWrite(secret)) {
      const answer = await core.call(tool, args);
      if (tool === 'send_message') expect(answer).toEqual(unknown);
      expect([tool, answer]).toMatchObject([tool, { status: 'chat_not_found', reason: 'entity_not_found' }]);
    }
    expect(await core.call('forward_message', { from_chat: secret.id, message_id: ts(secret.messages[0]!), chat: group.id })).toMatchObject({
      status: 'chat_not_found',
    });
    expect(await core.fail('get_draft', { draft_id: draft['draft_id'] })).toMatchObject({ code: 'draft_not_found' });
    expect(await core.fail('cancel_draft', { draft_id: draft['draft_id'] })).toMatchObject({ code: 'draft_not_found' });
    expect(JSON.stringify(await core.call('list_drafts'))).not.toContain(draft['draft_id']);
    await core.person({ op: 'chat', chat_id: secret.id, access: 'default' });
    expect(wire()).toEqual([]);
  });

  it.each([
    ['read_only', 'read_only_mode'],
    ['paused', 'paused'],
  ])('mode %s stops every writing tool', async (mode, code) => {
    await core.person({ op: 'mode', mode });
    for (const [tool, args] of everyWrite(group)) expect([tool, await core.fail(tool, args)]).toMatchObject([tool, { code }]);
    await core.person({ op: 'mode', mode: 'full' });
    expect(wire()).toEqual([]);
  });
});

it('says the truth in annotations', async () => {
  const { tools } = await core.client.listTools();
  const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
  for (const name of ['send_message', 'send_file', 'edit_message', 'delete_message', 'forward_message', 'create_poll', 'vote_in_poll'])
    expect([name, hints(name)]).toMatchObject([name, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }]);
  for (const name of ['set_reaction', 'mark_read', 'pin_message', 'join_to_thread', 'leave_thread'])
    expect([name, hints(name)]).toMatchObject([name, { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true }]);
  for (const name of ['list_drafts', 'get_draft'])
    expect([name, hints(name)]).toMatchObject([name, { readOnlyHint: true, destructiveHint: false, openWorldHint: false }]);
  expect(hints('cancel_draft')).toMatchObject({ readOnlyHint: false, openWorldHint: false });
});
