import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { World, type Chat, type Person } from '../simulator/index.ts';
import { startCore, type RunningCore } from './support.ts';
import { confirmWith, draftAndConfirm, ts, wireWatch } from './writing-support.ts';

let core: RunningCore;
let world: World;
let anna: Person;
let ivan: Person;
let ivanov: Person;
let withAnna: Chat;
let group: Chat;
let other: Chat;
let wire: () => Record<string, unknown>[];

beforeAll(async () => {
  world = new World();
  anna = world.person({ displayName: 'Анна Смирнова', nickname: 'asmirnova' });
  ivan = world.person({ displayName: 'Иван Петров', nickname: 'ipetrov' });
  ivanov = world.person({ displayName: 'Сергей Иванов', nickname: 'sivanov' });
  world.person({ displayName: 'Ольга Белова', nickname: 'obelova' });
  world.person({ displayName: 'Ольга Белова', nickname: 'obelova2' });
  withAnna = world.privateChat(anna);
  group = world.group({ name: 'Разработка', members: [anna, ivan, ivanov] });
  other = world.group({ name: 'Продажи', members: [anna] });
  withAnna.say(anna, 'Привет!');
  group.say(ivan, 'Коллеги, релиз сегодня');
  other.say(anna, 'Отчёт готов');
  core = await startCore({ simulator: { world }, flags: { policy: 'agent' } });
  wire = wireWatch(core);
});
afterAll(async () => {
  expect(core.sim.violations).toEqual([]);
  await core.close();
});
beforeEach(() => void wire());

describe('send_message', () => {
  it('sends the drafted text, byte for byte, once', async () => {
    const text = '**жирно**  \n\tи 👩‍💻 \u202Eоб\u202C';
    const { draft, outcome } = await draftAndConfirm(core, 'send_message', { chat: group.id, text });
    expect(draft).toMatchObject({ chat_id: group.id, chat_name: 'Разработка', text, text_preview: text });
    const [drafted] = (await core.person({ op: 'list' }))['drafts'].filter((each: { id: string }) => each.id === draft['draft_id']);
    expect(wire()).toEqual([{ Plain: { ChatId: group.id, PayloadId: drafted.payload_id, Text: { MessageText: text } } }]);
    expect(outcome).toMatchObject({ status: 'sent', chat_id: group.id, commit_status: 1, commit_status_name: 'FULLY_COMMITTED', duplicate: false });
    expect(outcome['message_info'].timestamp_mcs).toBe(ts(group.last!));
    const again = await core.call('send_message', { chat: group.id, text, confirm: true, confirm_token: draft['confirm_token'] });
    expect(again).toEqual(outcome);
    expect(wire()).toEqual([]);
  });

  it('takes a chat by name and by id for the same draft', async () => {
    const draft = await core.call('send_message', { chat: 'Разработка', text: 'раз' });
    const outcome = await core.call('send_message', { chat: group.id, text: 'раз', confirm: true, confirm_token: draft['confirm_token'] });
    expect(outcome['status']).toBe('sent');
    expect(wire()).toHaveLength(1);
  });

  it('refuses changed arguments by name and sends nothing', async () => {
    const args = { chat: group.id, text: 'было', reply_to_message_id: ts(group.messages[0]!) };
    const draft = await core.call('send_message', args);
    expect(await confirmWith(core, 'send_message', draft, { ...args, text: 'стало' })).toMatchObject({ code: 'args_changed' });
    expect(await confirmWith(core, 'send_message', draft, { chat: group.id, text: 'было' })).toMatchObject({ code: 'args_changed' });
    expect(await confirmWith(core, 'send_message', draft, { ...args, chat: withAnna.id, reply_to_message_id: ts(withAnna.messages[0]!) })).toMatchObject({
      code: 'chat_mismatch',
    });
    expect(
      await core.fail('edit_message', {
        chat: group.id,
        message_id: ts(group.messages[0]!),
        new_text: 'x',
        confirm: true,
        confirm_token: draft['confirm_token'],
      }),
    ).toMatchObject({
      code: 'op_mismatch',
    });
    expect(await core.fail('send_message', { ...args, confirm: true })).toMatchObject({ code: 'token_missing' });
    expect(await core.fail('send_message', { ...args, confirm: true, confirm_token: 'AAAAAAAAAAAAAAAAAAAAAA' })).toMatchObject({ code: 'token_unknown' });
    expect(wire()).toEqual([]);
    expect(await core.call('send_message', { ...args, confirm: true, confirm_token: draft['confirm_token'] })).toMatchObject({ status: 'sent' });
  });

  it.each([
    ['an empty text', { text: '' }, 'text'],
    ['nothing to see', { text: ' \u200b\n' }, 'text'],
    ['a text of 100,000 characters', { text: 'я'.repeat(100_000) }, 'text'],
    ['an unknown argument', { text: 'x', silent: true }, 'silent'],
    ['a broken message id', { text: 'x', reply_to_message_id: '123' }, 'reply_to_message_id'],
    ['a message id beyond the exact numbers', { text: 'x', reply_to_message_id: '9999999999999999' }, 'reply_to_message_id'],
    ['a reply that is a forward', { text: 'x', reply_to_message_id: '1764500000000001', forward_from: '1764500000000001' }, 'reply_to_message_id'],
  ])('refuses %s and says where', async (_what, args, name) => {
    const refusal = await core.fail('send_message', { chat: group.id, ...args });
    expect(refusal['code']).toBe('invalid_argument');
    expect(refusal['message'] + refusal['next_step']).toContain(name);
    expect(wire()).toEqual([]);
  });

  it('says that a message replied to or forwarded is not there', async () => {
    expect(await core.call('send_message', { chat: group.id, text: 'x', reply_to_message_id: '1764500000000001' })).toMatchObject({
      status: 'message_not_found',
    });
    expect(await core.call('send_message', { chat: group.id, text: 'x', forward_from: '1764500000000001' })).toMatchObject({ status: 'message_not_found' });
  });

  it('writes the first message of a thread', async () => {
    const parent = group.say(ivan, 'Обсудим?');
    const [, , guid] = group.id.split('/');
    const { outcome } = await draftAndConfirm(core, 'send_message', { chat: `100/0/${guid}_${parent.ts}`, text: 'в треде' });
    expect(outcome).toMatchObject({ status: 'sent' });
    expect(wire()).toMatchObject([{ Plain: { ChatId: `100/0/${guid}_${parent.ts}`, Text: { MessageText: 'в треде' } } }]);
  });
});

describe('mentions', () => {
  it('become tokens where they are named, and guids beside the text', async () => {
    const args = { chat: group.id, text: 'Коллеги @Иван, @Иванов и petr@Иван, @Анна Смирнова!', mentions: ['@Анна Смирнова', '@Иван'] };
    const draft = await core.call('send_message', args);
    const text = `Коллеги @${ivan.guid}, @Иванов и petr@Иван, @${anna.guid}!`;
    expect(draft).toMatchObject({
      status: 'draft',
      text,
      text_preview: 'Коллеги @Иван Петров, @Иванов и petr@Иван, @Анна Смирнова!',
      mentions: [
        { guid: anna.guid, name: 'Анна Смирнова' },
        { guid: ivan.guid, name: 'Иван Петров' },
      ],
    });
    const token = { confirm: true, confirm_token: draft['confirm_token'] };
    // The order is part of what was drafted, and so is the canonical text.
    expect(await core.fail('send_message', { ...args, mentions: [...args.mentions].reverse(), ...token })).toMatchObject({ code: 'args_changed' });
    expect(await core.fail('send_message', { chat: group.id, text, mentions: [`@${anna.guid}`], ...token })).toMatchObject({ code: 'args_changed' });
    expect(await core.fail('send_message', { chat: group.id, text: draft['text_preview'], mentions: draft['mentions'], ...token })).toMatchObject({
      code: 'args_changed',
    });
    expect(wire()).toEqual([]);
    expect(await core.call('send_message', { chat: group.id, text, mentions: draft['mentions'], ...token })).toMatchObject({ status: 'sent' });
    expect(wire()).toMatchObject([{ Plain: { Text: { MessageText: text }, MentionedUserIds: [anna.guid, ivan.guid] } }]);
  });

  it('are confirmed by the original arguments, and by bare guids', async () => {
    const args = { chat: group.id, text: 'эй, @Иван', mentions: ['@Иван'] };
    for (const echo of [args, { chat: group.id, text: `эй, @${ivan.guid}`, mentions: [ivan.guid] }]) {
      const draft = await core.call('send_message', args);
      expect(await core.call('send_message', { ...echo, confirm: true, confirm_token: draft['confirm_token'] })).toMatchObject({ status: 'sent' });
    }
    expect(wire()).toHaveLength(2);
  });

  it.each([
    ['two people of that name', () => group.id, 'Привет, @Ольга Белова', '@Ольга Белова', 'mention_ambiguous'],
    ['nobody of that name', () => group.id, 'Привет, @Зинаида', '@Зинаида', 'mention_not_found'],
    ['half a surname', () => group.id, 'Привет, @Смирн', '@Смирн', 'mention_not_found'],
    ['somebody outside a private chat', () => withAnna.id, 'Привет, @Иван', '@Иван', 'mention_not_in_chat'],
    ['a name the text does not hold', () => group.id, 'Привет, Иван', '@Иван', 'mention_not_in_text'],
  ])('%s refuses the whole call', async (_what, chat, text, mention, status) => {
    const refusal = await core.call('send_message', { chat: chat(), text, mentions: [mention] });
    expect(refusal).toMatchObject({ status, mention, next_step: expect.any(String) });
    expect(refusal['confirm_token']).toBeUndefined();
    if (status === 'mention_ambiguous') expect(refusal['candidates']).toHaveLength(2);
  });

  it('find people by their login, too', async () => {
    const draft = await core.call('send_message', { chat: group.id, text: 'эй @ipetrov', mentions: ['@ipetrov'] });
    expect(draft).toMatchObject({ status: 'draft', text: `эй @${ivan.guid}`, text_preview: 'эй @Иван Петров' });
  });

  it('of the partner are fine in a private chat', async () => {
    const { outcome } = await draftAndConfirm(core, 'send_message', { chat: withAnna.id, text: 'Спасибо, @Анна', mentions: ['@Анна'] });
    expect(outcome['status']).toBe('sent');
    expect(wire()).toMatchObject([{ Plain: { MentionedUserIds: [anna.guid] } }]);
  });
});

describe('a reply', () => {
  it('quotes what the server holds when it is sent, cut at 200 characters', async () => {
    const target = group.say(ivan, 'д'.repeat(250));
    const args = { chat: group.id, text: 'согласен', reply_to_message_id: ts(target) };
    const draft = await core.call('send_message', args);
    expect(draft).toMatchObject({ reply_to_message_id: ts(target), reply_quote: 'д'.repeat(200), quote_truncated: true });
    group.edit(target, { Text: { MessageText: 'поправил' } });
    expect(await core.call('send_message', { ...args, confirm: true, confirm_token: draft['confirm_token'] })).toMatchObject({ status: 'sent' });
    expect(wire()).toMatchObject([
      {
        Plain: {
          Text: { MessageText: 'согласен' },
          ForwardedMessageRefs: [{ ChatId: group.id, Timestamp: target.ts }],
          ForwardedMessageStyles: [{ Quote: 'поправил' }],
        },
      },
    ]);
  });

  it('to a message that has gone is refused and sends nothing', async () => {
    const target = group.say(ivan, 'сейчас удалю');
    const args = { chat: group.id, text: 'что?', reply_to_message_id: ts(target) };
    const draft = await core.call('send_message', args);
    group.delete(target);
    expect(await core.fail('send_message', { ...args, confirm: true, confirm_token: draft['confirm_token'] })).toMatchObject({
      status: 'failed',
      code: 'target_changed',
    });
    expect(wire()).toEqual([]);
  });
});

describe('a forward', () => {
  it('within a chat carries the reference and no quote', async () => {
    const source = group.messages[0]!;
    const { draft } = await draftAndConfirm(core, 'send_message', { chat: group.id, text: 'напоминаю', forward_from: ts(source) });
    expect(draft).toMatchObject({ forward_from: ts(source), form_status: 'documented' });
    const [push] = wire();
    expect(push).toMatchObject({ Plain: { Text: { MessageText: 'напоминаю' }, ForwardedMessageRefs: [{ ChatId: group.id, Timestamp: source.ts }] } });
    expect(push!['Plain']).not.toHaveProperty('ForwardedMessageStyles');
  });

  it('to another chat keeps the source', async () => {
    const source = other.messages[0]!;
    const args = { from_chat: 'Продажи', message_id: ts(source), chat: group.id };
    const { draft, outcome } = await draftAndConfirm(core, 'forward_message', args);
    expect(draft).toMatchObject({ chat_id: group.id, from_chat: other.id, from_chat_name: 'Продажи', forwarded: { text: 'Отчёт готов' } });
    expect(outcome).toMatchObject({ status: 'sent', form_status: 'documented' });
    expect(wire()).toEqual([
      { Plain: { ChatId: group.id, PayloadId: expect.any(String), ForwardedMessageRefs: [{ ChatId: other.id, Timestamp: source.ts }] } },
    ]);
    const commented = await core.call('forward_message', { ...args, comment: 'смотрите' });
    expect(await confirmWith(core, 'forward_message', commented, { ...args, comment: 'не смотрите' })).toMatchObject({ code: 'args_changed' });
    expect(await core.call('forward_message', { ...args, comment: 'смотрите', confirm: true, confirm_token: commented['confirm_token'] })).toMatchObject({
      status: 'sent',
    });
    expect(wire()).toMatchObject([{ Plain: { Text: { MessageText: 'смотрите' }, ForwardedMessageRefs: [{ ChatId: other.id, Timestamp: source.ts }] } }]);
  });
});

describe('edit_message', () => {
  it('sends the whole body again with the new text', async () => {
    const target = group.say(world.me, { Text: { MessageText: 'черновик' }, IsImportant: true }, { replyTo: group.messages[0]! });
    const args = { chat: group.id, message_id: ts(target), new_text: 'чистовик' };
    const { draft, outcome } = await draftAndConfirm(core, 'edit_message', args);
    expect(draft).toMatchObject({ message_id: ts(target), was_text: 'черновик', will_text: 'чистовик', will_text_preview: 'чистовик' });
    expect(outcome).toMatchObject({ status: 'sent', commit_status: 1 });
    expect(wire()).toMatchObject([
      {
        Plain: {
          ChatId: group.id,
          Timestamp: target.ts,
          Text: { MessageText: 'чистовик' },
          IsImportant: true,
          ForwardedMessageRefs: [{ ChatId: group.id, Timestamp: group.messages[0]!.ts }],
          ForwardedMessageStyles: [{ Quote: expect.any(String) }],
        },
      },
    ]);
    expect(target).toMatchObject({ body: { Text: { MessageText: 'чистовик' } }, deleted: false });
  });

  it('keeps mentions, replaces them, or clears them, and never takes one for another', async () => {
    const fresh = () => group.say(world.me, `спроси @${ivan.guid}`, { mentions: [ivan] });
    const keep = fresh();
    const kept = await draftAndConfirm(core, 'edit_message', { chat: group.id, message_id: ts(keep), new_text: `спроси лучше @${ivan.guid}` });
    expect(kept.draft).toMatchObject({ kept_mentions: [{ guid: ivan.guid, name: 'Иван Петров' }], will_text_preview: 'спроси лучше @Иван Петров' });
    expect(wire()).toMatchObject([{ Plain: { MentionedUserIds: [ivan.guid] } }]);

    const replace = { chat: group.id, message_id: ts(fresh()), new_text: 'спроси @Анна', mentions: ['@Анна'] };
    const draft = await core.call('edit_message', replace);
    expect(draft).toMatchObject({ will_text: `спроси @${anna.guid}`, mentions: [{ guid: anna.guid }] });
    const echo = { ...replace, new_text: draft['will_text'], mentions: draft['mentions'], confirm: true, confirm_token: draft['confirm_token'] };
    expect(await core.call('edit_message', echo)).toMatchObject({ status: 'sent' });
    expect(wire()).toMatchObject([{ Plain: { Text: { MessageText: `спроси @${anna.guid}` }, MentionedUserIds: [anna.guid] } }]);

    const clear = { chat: group.id, message_id: ts(fresh()), new_text: 'никого', mentions: [] };
    const cleared = await core.call('edit_message', clear);
    const { mentions: _none, ...without } = clear;
    expect(await confirmWith(core, 'edit_message', cleared, without)).toMatchObject({ code: 'args_changed' });
    expect(await core.call('edit_message', { ...clear, confirm: true, confirm_token: cleared['confirm_token'] })).toMatchObject({ status: 'sent' });
    const [push] = wire();
    expect(push!['Plain']).not.toHaveProperty('MentionedUserIds');
  });

  it('refuses when the message has changed or gone since the draft', async () => {
    const changed = group.say(world.me, 'один');
    const args = { chat: group.id, message_id: ts(changed), new_text: 'два' };
    const draft = await core.call('edit_message', args);
    group.edit(changed, { Text: { MessageText: 'полтора' } });
    expect(await core.fail('edit_message', { ...args, confirm: true, confirm_token: draft['confirm_token'] })).toMatchObject({
      code: 'target_changed',
      status: 'failed',
    });
    const second = await core.call('edit_message', args);
    group.delete(changed);
    expect(await core.fail('edit_message', { ...args, confirm: true, confirm_token: second['confirm_token'] })).toMatchObject({ code: 'target_changed' });
    expect(wire()).toEqual([]);
  });

  it('is not disturbed by a reaction that came in meanwhile', async () => {
    const target = group.say(world.me, 'ура');
    const args = { chat: group.id, message_id: ts(target), new_text: 'ура!' };
    const draft = await core.call('edit_message', args);
    group.react(ivan, target, 100109, 'add');
    expect(await core.call('edit_message', { ...args, confirm: true, confirm_token: draft['confirm_token'] })).toMatchObject({ status: 'sent' });
  });

  it('never turns into a deletion, nor touches what has no text', async () => {
    const target = group.say(world.me, 'остаюсь');
    expect(await core.fail('edit_message', { chat: group.id, message_id: ts(target), new_text: '  ' })).toMatchObject({ code: 'invalid_argument' });
    const sticker = group.say(world.me, { Sticker: { Id: 's', SetId: 't' } });
    expect(await core.fail('edit_message', { chat: group.id, message_id: ts(sticker), new_text: 'текст' })).toMatchObject({ code: 'not_editable' });
    expect(target.deleted).toBe(false);
  });

  it("tells the server's refusal of somebody else's message", async () => {
    const args = { chat: group.id, message_id: ts(group.messages[0]!), new_text: 'чужое' };
    const draft = await core.call('edit_message', args);
    const refusal = await core.fail('edit_message', { ...args, confirm: true, confirm_token: draft['confirm_token'] });
    expect(refusal).toMatchObject({ status: 'failed', code: 'server_error', commit_status: 15, commit_status_name: 'NO_PERMISSION' });
  });
});

describe('delete_message', () => {
  it('shows what goes and sends ChatId and Timestamp alone', async () => {
    const target = group.say(world.me, 'лишнее');
    const { draft, outcome } = await draftAndConfirm(core, 'delete_message', { chat: group.id, message_id: ts(target) });
    expect(draft).toMatchObject({ message_id: ts(target), author: world.me.displayName, from_me: true, text: 'лишнее', timestamp_mcs: ts(target) });
    expect(outcome).toMatchObject({ status: 'sent', commit_status: 1 });
    expect(wire()).toEqual([{ Plain: { ChatId: group.id, Timestamp: target.ts } }]);
    expect(target.deleted).toBe(true);
    expect(await core.call('delete_message', { chat: group.id, message_id: ts(target) })).toMatchObject({ status: 'message_not_found' });
  });

  it('refuses changed arguments and a changed message', async () => {
    const [first, second] = [group.say(world.me, 'a'), group.say(world.me, 'b')];
    const args = { chat: group.id, message_id: ts(first) };
    const draft = await core.call('delete_message', args);
    expect(await confirmWith(core, 'delete_message', draft, { chat: group.id, message_id: ts(second) })).toMatchObject({ code: 'args_changed' });
    group.edit(first, { Text: { MessageText: 'уже важное' } });
    expect(await confirmWith(core, 'delete_message', draft, args)).toMatchObject({ code: 'target_changed' });
    expect(wire()).toEqual([]);
  });
});
