import { describe, expect, it } from 'vitest';
import { messageSchema } from '../../app/messenger/model.ts';
import { normaliseMessage, type NormaliseContext } from '../../app/messenger/normalise/message.ts';
import { textFlags, foldName } from '../../app/messenger/text.ts';

const ME = 'aaaaaaaa-0000-4000-8000-000000000001';
const ANNA = 'bbbbbbbb-0000-4000-8000-000000000002';
const GHOST = 'cccccccc-0000-4000-8000-000000000003';
const CHAT = '0/0/dddddddd-0000-4000-8000-000000000004';
const SECRET = '0/0/eeeeeeee-0000-4000-8000-000000000005';
const TS = 1782853200000123;

const context: NormaliseContext = {
  myGuid: ME,
  timeZone: 'Europe/Moscow',
  isHidden: (chatId) => chatId === SECRET,
  linkOf: (chatId, id) => `link:${chatId}:${id}`,
};
const anna = { Guid: ANNA, DisplayName: 'Анна' };

function normalise(body: object | undefined, siblings: object = {}, info: object = {}) {
  const server = {
    ClientMessage: body === undefined ? {} : { Plain: { ChatId: CHAT, PayloadId: 'p', ...body } },
    ServerMessageInfo: { Timestamp: TS, SeqNo: 7, From: anna, ...info },
    ...siblings,
  };
  const message = normaliseMessage(JSON.parse(JSON.stringify(server)), CHAT, context)!;
  expect(messageSchema.parse(message)).toEqual(message);
  return message;
}

describe('a message', () => {
  it('plain text has every key of the full shape', () => {
    expect(normalise({ Text: { MessageText: '**hi**' } })).toEqual({
      id: String(TS),
      chat_id: CHAT,
      timestamp: '2026-07-01T00:00:00.000+03:00',
      timestamp_mcs: String(TS),
      seq_no: 7,
      from: { guid: ANNA, name: 'Анна' },
      kind: 'text',
      text: '**hi**',
      attachments: [],
      edited: false,
      deleted: false,
      from_me: false,
      reads: { tracked: false },
      mentions: [],
      reactions: [],
      thread: { has_thread: false },
      forwarded: [],
      link: `link:${CHAT}:${TS}`,
    });
  });

  const file = { FileInfo: { Id2: '1/f', Name: 'n.bin', Size: 3, Source: 1 } };
  it.each([
    ['sticker', { Sticker: { Id: 's', SetId: 't' } }],
    ['image', { Image: { Width: 1, Height: 2, Animated: true, ...file } }],
    ['file', { MiscFile: { ...file, PreviewHint: { VideoPreview: { Width: 1, Height: 2, DurationMs: 5 } } } }],
    ['card', { Card: { Card: { a: 1 } } }],
    ['gallery', { Gallery: { Items: [{ Image: file }, { Image: file }], Text: 'two' } }],
    ['voice', { Voice: { ...file, Duration: 3, Text: 'said', WasRecognized: true } }],
    ['poll', { Poll: { Title: 'T', Answers: ['a', 'b'], MaxChoices: 1, IsAnonymous: true } }],
    ['unknown', { Hologram: { x: 1 } }],
    ['unknown', {}],
    ['unknown', undefined],
  ])('of kind %s', (kind, body) => expect(normalise(body)).toMatchObject({ kind }));

  it('what is not known stays visible', () => {
    expect(normalise({ Hologram: { x: 1 } }).unknown_fields).toEqual(['Hologram']);
    expect(normalise({ Text: { MessageText: 'x' }, Extra: 1 }).unknown_fields).toEqual(['Extra']);
  });

  it.each([
    null,
    5,
    'x',
    [],
    {},
    { Text: 5 },
    { Text: { MessageText: 5 } },
    { Gallery: { Items: [null, 1] } },
    { Poll: { Answers: 'no' } },
    { MentionedUserIds: 'x' },
  ])('a body of an unknown shape throws nothing: %j', (body) => {
    const server = {
      ClientMessage: { Plain: body },
      ServerMessageInfo: { Timestamp: TS, From: 3, ThreadState: 'x' },
      Reactions: 'no',
      RecentUserReads: [null],
      ForwardedMessages: [{}, 1],
    };
    expect(normaliseMessage(server as never, CHAT, context)).toMatchObject({ id: String(TS), from: null, from_me: null });
  });

  it('a deleted one is told as deleted and empty', () => {
    const message = normalise({ Text: { MessageText: 'gone' } }, {}, { Deleted: true });
    expect(message).toMatchObject({ kind: 'deleted', deleted: true, attachments: [], mentions: [] });
    expect(message.text).toBeUndefined();
  });

  it('an author that a filter removed is unknown, not somebody else', () => {
    expect(normalise({ Text: { MessageText: 'x' } }, {}, { From: undefined })).toMatchObject({ from: null, from_me: null });
    expect(normalise({ Text: { MessageText: 'x' } }, {}, { From: { Guid: ME, DisplayName: 'Я' } }).from_me).toBe(true);
  });

  it('reads are tracked or not, which is not the same as nobody', () => {
    expect(normalise({}).reads).toEqual({ tracked: false });
    expect(normalise({}, { ReadsCount: 0, RecentUserReads: [] }).reads).toEqual({ tracked: true, count: 0, recent: [] });
    expect(normalise({}, { SeenByPartnerMcs: TS }).reads).toMatchObject({ tracked: true, seen_by_partner_mcs: String(TS) });
    expect(normalise({}, { SeenByPartnerMcs: 0 }).reads).toEqual({ tracked: true });
    expect(normalise({}, { ReadsCount: 10, RecentUserReads: [{ Timestamp: TS, UserInfo: anna }] }).reads.recent).toEqual([
      { actor: { guid: ANNA, name: 'Анна' }, timestamp: '2026-07-01T00:00:00.000+03:00', timestamp_mcs: String(TS) },
    ]);
  });

  it('mentions are told by name, and an unknown guid as unresolved', () => {
    const message = normalise({ Text: { MessageText: `@${ANNA} и @${GHOST}` }, MentionedUserIds: [ANNA] }, { MentionedUsers: [anna] });
    expect(message.mentions).toEqual([
      { guid: ANNA, name: 'Анна' },
      { guid: GHOST, unresolved: true },
    ]);
  });

  it('reactions are grouped, and an unknown type is neither an error nor a character', () => {
    const message = normalise(
      {},
      {
        Reactions: [
          { Type: 10084, Count: 2 },
          { Type: 999999, Count: 1 },
        ],
        RecentUserReactions: [{ Type: 10084, Timestamp: TS, UserInfo: anna }],
      },
    );
    expect(message.reactions).toEqual([
      {
        type: 10084,
        name: 'heart',
        emoji: '❤️',
        count: 2,
        actors: [expect.objectContaining({ guid: ANNA, timestamp_mcs: String(TS) })],
        actors_complete: false,
      },
      { type: 999999, name: null, emoji: null, unknown: true, count: 1, actors: [], actors_complete: false },
    ]);
  });

  it('a thread shows on its root and inside', () => {
    expect(normalise({}, {}, { ThreadState: { LastSeqNo: 2 } }).thread).toEqual({
      has_thread: true,
      thread_id: `100/0/${CHAT.slice(4)}_${TS}`,
      last_seq_no: 2,
    });
    const inside = normaliseMessage({ ServerMessageInfo: { Timestamp: TS } }, `100/0/${CHAT.slice(4)}_1782853200000000`, context);
    expect(inside?.thread.root).toEqual({ chat_id: CHAT, timestamp_mcs: '1782853200000000' });
  });

  const original = (chatId: string, text: string) => ({
    Payload: { ChatId: chatId, Text: { MessageText: text } },
    ServerMessageInfo: { Timestamp: TS - 1, From: anna },
  });

  it('a forward carries its originals apart from a reply', () => {
    const message = normalise({}, { ForwardedMessages: [original('0/0/ffffffff-0000-4000-8000-000000000006', 'one'), original(CHAT, 'two')] });
    expect(message.context).toBeUndefined();
    expect(message.forwarded.map((each) => [each.source_text, each.source_date_mcs])).toEqual([
      ['one', String(TS - 1)],
      ['two', String(TS - 1)],
    ]);
  });

  it('a reply stands on its quote, with references or without', () => {
    const style = { ForwardedMessageStyles: [{ Quote: 'asked' }] };
    expect(normalise({ Text: { MessageText: 'yes' }, ...style }).context).toEqual({ is_reply: true, refs: [], quotes: ['asked'] });
    const withRef = normalise(
      { Text: { MessageText: 'yes' }, ...style, ForwardedMessageRefs: [{ ChatId: CHAT, Timestamp: TS - 1 }] },
      { ForwardedMessages: [original(CHAT, 'asked')] },
    );
    expect(withRef.context).toEqual({ is_reply: true, refs: [{ chat_id: CHAT, timestamp_mcs: String(TS - 1) }], quotes: ['asked'] });
    expect(withRef.forwarded).toEqual([]);
  });

  it('a hidden chat does not show as the source of a forward', () => {
    const message = normalise({ ForwardedMessageRefs: [{ ChatId: SECRET, Timestamp: TS - 1 }] }, { ForwardedMessages: [original(SECRET, 'x')] });
    expect(JSON.stringify(message)).not.toContain(SECRET);
    expect(message.forwarded[0]).toMatchObject({ source_text: 'x' });
  });

  it('system messages keep what happened', () => {
    const server = { ClientMessage: { SystemMessage: { ChatId: CHAT, GenericMessage: { MessageText: 'joined' } } }, ServerMessageInfo: { Timestamp: TS } };
    expect(normaliseMessage(server, undefined, context)).toMatchObject({ kind: 'system', chat_id: CHAT, text: 'joined', system: { type: 'GenericMessage' } });
    const call = { ClientMessage: { SystemMessage: { ChatId: CHAT, CallInfo: { Duration: 4 } } }, ServerMessageInfo: { Timestamp: TS } };
    expect(normaliseMessage(call, CHAT, context)).toMatchObject({ kind: 'system', system: { type: 'CallInfo', data: { Duration: 4 } } });
  });

  it('a timestamp that a float would have spoilt is not made an id', () => {
    expect(normaliseMessage({ ServerMessageInfo: { Timestamp: 17828532000001234 } }, CHAT, context)).toBeUndefined();
    expect(normaliseMessage({ ServerMessageInfo: { Timestamp: 1.5 } }, CHAT, context)).toBeUndefined();
    expect(normaliseMessage({ ServerMessageInfo: {} }, CHAT, context)).toBeUndefined();
  });
});

describe('texts', () => {
  it.each([
    ['обычный текст 👩‍💻 ❤️\n\tok', []],
    ['a\u202Eb', ['bidi_control']],
    ['a\u200Bb', ['zero_width']],
    ['x\u{E0041}\u{E0042}', ['tag_characters']],
    ['\u0007', ['control']],
    ['a\u00ADb', ['soft_hyphen']],
    ['\u3164', ['blank_letters']],
    ['🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}', []],
    ['\u2066\u200D', ['bidi_control', 'zero_width']],
  ])('%j is flagged %j', (text, flags) => expect(textFlags(text)).toEqual(flags));

  it('names are compared without case and without ё', () => {
    expect(foldName('  ЁЛКА  Зелёная ')).toBe(foldName('елка зеленая'));
  });
});
