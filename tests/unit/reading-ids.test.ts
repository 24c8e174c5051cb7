import { describe, expect, it } from 'vitest';
import { isMessageId, kindOfChatId, parentChatId, parseChatId, partnerGuid, privateChatId, shiftMessageId, threadIdOf } from '../../app/messenger/ids.ts';
import { chatLinkBase, messageLink, parseLink } from '../../app/messenger/links.ts';

const [A, B] = ['0a111111-2222-4333-8444-555555555555', 'fa111111-2222-4333-8444-555555555555'];
const TS = '1780000000000001';
const PAGE = 'https://yandex.ru/chat';

describe('chat ids', () => {
  it('a private chat is found whichever of the two people comes first', () => {
    expect(privateChatId(A, B)).toBe(`${A}_${B}`);
    expect(privateChatId(B, A)).toBe(`${A}_${B}`);
    expect(parseChatId(`${B}_${A}`)?.chatId).toBe(`${A}_${B}`);
    expect(parseChatId(`${B.toUpperCase()}_${A}`)?.chatId).toBe(`${A}_${B}`);
    expect(partnerGuid(`${A}_${B}`, B)).toBe(A);
    expect(partnerGuid(`${A}_${A}`, A)).toBe(A);
    expect(partnerGuid(`${A}_${A}`, B)).toBeUndefined();
  });

  it.each([
    [`${A}_${B}`, 'private'],
    [`${A}_${A}`, 'self'],
    [`0/0/${A}`, 'group'],
    [`0/17/${A}`, 'group'],
    [`1/0/${A}`, 'channel'],
    [`2/0/${A}`, 'business'],
    [`100/0/${A}_${TS}`, 'thread'],
    [`110/0/${A}_${B}_${TS}`, 'thread'],
    [`7/0/${A}`, 'unknown'],
  ])('%s is a %s chat', (chatId, kind) => expect(kindOfChatId(chatId)).toBe(kind));

  it.each(['24/7/365', 'Анна', '0/0', `${A}_`, 'a b/0/c', '102/0/x_1780000000000001'])('%s is no chat id', (text) => expect(parseChatId(text)).toBeUndefined());

  it.each([
    [`0/5/${A}`, `100/5/${A}_${TS}`],
    [`1/0/${A}`, `101/0/${A}_${TS}`],
    [`${A}_${B}`, `110/0/${A}_${B}_${TS}`],
    [`${A}_${A}`, `110/0/${A}_${A}_${TS}`],
  ])('the thread under a message of %s leads back to it', (chatId, threadId) => {
    expect(threadIdOf(chatId, TS)).toBe(threadId);
    expect(parentChatId(threadId)).toBe(chatId);
    expect(parentChatId(chatId)).toBe(chatId);
  });

  it('business chats and threads have no threads', () => {
    expect(threadIdOf(`2/0/${A}`, TS)).toBeUndefined();
    expect(threadIdOf(`100/0/${A}_${TS}`, TS)).toBeUndefined();
  });

  it('a message id keeps every digit', () => {
    expect(isMessageId('1780000000000001')).toBe(true);
    expect(isMessageId('178000000000001')).toBe(false);
    expect(isMessageId('9999999999999999')).toBe(false);
    expect(shiftMessageId('1780000000000001', -1)).toBe('1780000000000000');
  });
});

describe('links', () => {
  it.each([
    [`${PAGE}/#/join/abc/${TS}`, { form: 'join', inviteHash: 'abc', messageId: TS }],
    [`${PAGE}#/join/abc`, { form: 'join', inviteHash: 'abc' }],
    [`${PAGE}/#/join/a%2Fb/1780000000000000/${TS}`, { form: 'join', inviteHash: 'a/b', threadParentId: '1780000000000000', messageId: TS }],
    [`https://messenger.360.yandex.ru/#/chats/0%2F0%2F${A}/${TS}`, { form: 'chats', chatId: `0/0/${A}`, messageId: TS }],
    [`${PAGE}/#/chats/0/0/${A}/${TS}`, { form: 'chats', chatId: `0/0/${A}`, messageId: TS }],
    [`${PAGE}/#/chats/${A}_${B}`, { form: 'chats', chatId: `${A}_${B}` }],
    [`${PAGE}/#/c/news`, { form: 'alias', alias: 'news' }],
    [`#/user/${A.toUpperCase()}/${TS}`, { form: 'user', guid: A, messageId: TS }],
    [`${PAGE}/#/staff/vera`, { form: 'staff', nickname: 'vera' }],
  ])('%s is understood', (text, link) => expect(parseLink(text)).toEqual(link));

  it.each([PAGE, `${PAGE}/#/`, `${PAGE}/#/join`, `${PAGE}/#/join/a/notatime`, `${PAGE}/#/calls/1`, `${PAGE}/#/c/%E0%A4%A`, `${PAGE}/#/user/${A}/1/2`])(
    '%s is not',
    (text) => expect(parseLink(text)).toBeUndefined(),
  );

  it('the link of a message leads back to its chat and message', () => {
    for (const chatId of [`0/0/${A}`, `${A}_${B}`, `110/0/${A}_${B}_${TS}`]) {
      expect(parseLink(messageLink(`${PAGE}/`, chatId, TS))).toEqual({ form: 'chats', chatId, messageId: TS });
    }
    expect(messageLink(PAGE, `0/0/${A}`, TS)).toBe(`${PAGE}/#/chats/0%2F0%2F${A}/${TS}`);
  });

  it("a thread's message is linked through the parent's invite hash", () => {
    expect(chatLinkBase(PAGE, `100/0/${A}_${TS}`, 'h/1')).toBe(`${PAGE}/#/join/h%2F1/${TS}/`);
    expect(chatLinkBase(PAGE, `0/0/${A}`, 'h')).not.toContain('join');
  });
});
