import { expect, it } from 'vitest';
import * as forms from '../../app/messenger/writing/client-messages.ts';

/** The table of protocol §6, form by form. */

const chatId = '0/0/0a1b2c3d-0000-4000-8000-00000000000a';
const messageId = '1764500000123456';
const Timestamp = 1764500000123456;
const payloadId = 'p';
const base = { ChatId: chatId, PayloadId: payloadId };

it.each([
  ['text', forms.newMessage({ chatId, payloadId, text: 'a' }), { Plain: { ...base, Text: { MessageText: 'a' } } }],
  [
    'mention',
    forms.newMessage({ chatId, payloadId, text: '@g', mentionedGuids: ['g'] }),
    { Plain: { ...base, Text: { MessageText: '@g' }, MentionedUserIds: ['g'] } },
  ],
  [
    'reply',
    forms.newMessage({ chatId, payloadId, text: 'a', reply: { chatId, messageId, quote: 'q' } }),
    { Plain: { ...base, Text: { MessageText: 'a' }, ForwardedMessageRefs: [{ ChatId: chatId, Timestamp }], ForwardedMessageStyles: [{ Quote: 'q' }] } },
  ],
  [
    'forward',
    forms.newMessage({ chatId, payloadId, text: '', forward: { chatId: 's', messageId } }),
    { Plain: { ...base, ForwardedMessageRefs: [{ ChatId: 's', Timestamp }] } },
  ],
  [
    'file',
    forms.newMessage({ chatId, payloadId, file: { fileId: '1/a', name: 'a.pdf', sizeBytes: 5, kind: 'file' } }),
    { Plain: { ...base, MiscFile: { FileInfo: { Id2: '1/a', Name: 'a.pdf', Size: 5, Source: 1 } } } },
  ],
  [
    'image',
    forms.newMessage({ chatId, payloadId, file: { fileId: '1/a', name: 'a.png', sizeBytes: 5, kind: 'image', width: 2, height: 3 } }),
    { Plain: { ...base, Image: { Width: 2, Height: 3, FileInfo: { Id2: '1/a', Name: 'a.png', Size: 5, Source: 1 } } } },
  ],
  [
    'poll, one choice',
    forms.newMessage({ chatId, payloadId, poll: { title: 't', answers: ['a', 'b', 'c'], isAnonymous: false, isMultiple: false } }),
    { Plain: { ...base, Poll: { Title: 't', Answers: ['a', 'b', 'c'], IsAnonymous: false, MaxChoices: 1 } } },
  ],
  [
    'poll, many choices',
    forms.newMessage({ chatId, payloadId, poll: { title: 't', answers: ['a', 'b', 'c'], isAnonymous: true, isMultiple: true } }),
    { Plain: { ...base, Poll: { Title: 't', Answers: ['a', 'b', 'c'], IsAnonymous: true, MaxChoices: 3 } } },
  ],
  ['delete', forms.deletion(chatId, messageId), { Plain: { ChatId: chatId, Timestamp } }],
  ['react', forms.reaction(chatId, messageId, 7, false), { Reaction: { ChatId: chatId, Timestamp, Type: 7 } }],
  ['take a reaction back', forms.reaction(chatId, messageId, 7, true), { Reaction: { ChatId: chatId, Timestamp, Type: 7, Action: 1 } }],
  ['mark read', forms.seenMarker(chatId, messageId, 4), { SeenMarker: { ChatId: chatId, Timestamp, SeqNo: 4 } }],
  ['mark read without a number', forms.seenMarker(chatId, messageId, undefined), { SeenMarker: { ChatId: chatId, Timestamp } }],
  ['pin', forms.pin(chatId, messageId), { Pin: { ChatId: chatId, Timestamp } }],
  ['unpin', forms.pin(chatId, undefined), { Pin: { ChatId: chatId } }],
  ['vote', forms.vote(chatId, messageId, [0, 2]), { Vote: { ChatId: chatId, Timestamp, Action: 0, Choices: [0, 2] } }],
])('%s', (_name, actual, expected) => expect(actual).toStrictEqual(expected));

it('an edit sends the whole body again, with the new text and a PayloadId of its own', () => {
  const body = {
    ChatId: 'other',
    PayloadId: 'old',
    Timestamp: 1,
    Text: { MessageText: 'old', Card: { a: 1 } },
    MentionedUserIds: ['old'],
    ForwardedMessageRefs: [{ ChatId: 's', Timestamp }],
    ForwardedMessageStyles: [{ Quote: 'q' }],
    IsImportant: true,
    UrlPreviewDisabled: true,
    CustomPayload: { x: 1 },
  };
  expect(forms.editedMessage({ chatId, messageId, payloadId, body, text: 'new', mentionedGuids: ['g'] })).toStrictEqual({
    Plain: {
      ForwardedMessageRefs: [{ ChatId: 's', Timestamp }],
      ForwardedMessageStyles: [{ Quote: 'q' }],
      IsImportant: true,
      UrlPreviewDisabled: true,
      CustomPayload: { x: 1 },
      ...base,
      Timestamp,
      Text: { MessageText: 'new', Card: { a: 1 } },
      MentionedUserIds: ['g'],
    },
  });
});

it('an edit of a gallery changes its caption and keeps its pictures', () => {
  const body = { ChatId: chatId, Gallery: { Items: [{ Image: {} }], Text: 'old' } };
  const edit = { chatId, messageId, payloadId, body, text: 'new', mentionedGuids: [] };
  expect(forms.editedMessage(edit)).toStrictEqual({ Plain: { ...base, Timestamp, Gallery: { Items: [{ Image: {} }], Text: 'new' } } });
});

it('a timestamp that would lose precision is never sent', () => {
  expect(() => forms.deletion(chatId, '9999999999999999')).toThrow();
});
