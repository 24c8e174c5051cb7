/**
 * ChatIds, thread ids and message ids (protocol §1). Pure functions over strings: a message id is its timestamp in
 * microseconds, 16 digits, and never passes through a float here.
 */
import type { ChatKind } from './api.ts';

const GUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const GUID_PATTERN = new RegExp(`^${GUID}$`);
const GUID_ANYWHERE = new RegExp(GUID, 'i');
const PAIR_PATTERN = new RegExp(`^(${GUID})_(${GUID})$`, 'i');
const GENERAL_PATTERN = /^(\d{1,3})\/(\d+)\/([^\s/?#]+)$/;
const THREAD_PATTERN = /^1(\d\d)\/(\d+)\/(.+)_(\d{16})$/;
const MESSAGE_ID_PATTERN = /^[1-9]\d{15}$/;

/** Mentions inside a text: `@<guid>` (protocol §4, L). */
export const MENTION_TOKEN = new RegExp(`@(${GUID})`, 'g');

/** A lower-case UUID of 36 characters (protocol §1, L). */
export function isGuid(text: string): boolean {
  return GUID_PATTERN.test(text);
}

/** A message id: 16 digits, so that it fits both the wire's integer literal and a JavaScript number exactly (protocol §1, L). */
export function isMessageId(text: string): boolean {
  return MESSAGE_ID_PATTERN.test(text) && Number.isSafeInteger(Number(text));
}

/** `<a>_<b>` sorted by UTF-16 code unit; with one guid twice it is that person's own chat (protocol §1, L). */
export function privateChatId(guidA: string, guidB: string): string {
  return guidA <= guidB ? `${guidA}_${guidB}` : `${guidB}_${guidA}`;
}

export type ChatIdParts =
  | { readonly kind: 'private' | 'self'; readonly chatId: string; readonly guids: readonly [string, string] }
  | {
      readonly kind: 'group' | 'channel' | 'business' | 'unknown';
      readonly chatId: string;
      readonly prefix: string;
      readonly namespace: string;
      readonly rest: string;
    }
  | { readonly kind: 'thread'; readonly chatId: string; readonly parentChatId: string; readonly parentMessageId: string };

const KIND_BY_PREFIX: Readonly<Record<string, 'group' | 'channel' | 'business'>> = { '0': 'group', '1': 'channel', '2': 'business' };
const PARENT_PREFIX_BY_CODE: Readonly<Record<string, string>> = { '00': '0', '01': '1' };

/**
 * Takes a literal ChatId apart; undefined for anything else, a name for instance. An unsorted private pair is put in order,
 * because the server knows no other (protocol §1, L). `24/7/365` is a name: unknown prefixes need a guid to count as an id.
 */
export function parseChatId(text: string): ChatIdParts | undefined {
  const pair = PAIR_PATTERN.exec(text);
  if (pair) {
    const [first, second] = [pair[1]!.toLowerCase(), pair[2]!.toLowerCase()];
    const chatId = privateChatId(first, second);
    return { kind: first === second ? 'self' : 'private', chatId, guids: first <= second ? [first, second] : [second, first] };
  }
  const thread = parseThreadId(text);
  if (thread) return { kind: 'thread', chatId: text, ...thread };
  const general = GENERAL_PATTERN.exec(text);
  if (!general) return undefined;
  const [, prefix, namespace, rest] = general as unknown as [string, string, string, string];
  const kind = KIND_BY_PREFIX[prefix];
  if (!kind && !GUID_ANYWHERE.test(rest)) return undefined;
  return { kind: kind ?? 'unknown', chatId: text, prefix, namespace, rest };
}

/** Kind of a ChatId by its form alone (protocol §1, L; threads B). A private pair of one guid is `self`. */
export function kindOfChatId(chatId: string): ChatKind {
  return parseChatId(chatId)?.kind ?? 'unknown';
}

/**
 * The ChatId of the thread under a message: derived, never created (protocol §1, B; opening one L).
 * Undefined where threads do not exist: business chats, threads themselves and forms we do not know.
 */
export function threadIdOf(chatId: string, messageId: string): string | undefined {
  const parts = parseChatId(chatId);
  switch (parts?.kind) {
    case 'private':
    case 'self':
      return `110/0/${parts.chatId}_${messageId}`;
    case 'group':
      return `100/${parts.namespace}/${parts.rest}_${messageId}`;
    case 'channel':
      return `101/${parts.namespace}/${parts.rest}_${messageId}`;
    default:
      return undefined;
  }
}

/** The parent of a thread id; undefined when it is none (protocol §1, B). */
export function parseThreadId(threadId: string): { parentChatId: string; parentMessageId: string } | undefined {
  const match = THREAD_PATTERN.exec(threadId);
  if (!match) return undefined;
  const [, code, namespace, middle, parentMessageId] = match as unknown as [string, string, string, string, string];
  if (code === '10') return { parentChatId: middle, parentMessageId };
  const prefix = PARENT_PREFIX_BY_CODE[code];
  return prefix === undefined ? undefined : { parentChatId: `${prefix}/${namespace}/${middle}`, parentMessageId };
}

/** The chat a person would name: the parent for a thread, else the chat itself. What is hidden or read-only is so by this id. */
export function parentChatId(chatId: string): string {
  return parseThreadId(chatId)?.parentChatId ?? chatId;
}

/** The other side of a private chat; undefined for every other kind, and when `me` is not in it. */
export function partnerGuid(chatId: string, me: string): string | undefined {
  const parts = parseChatId(chatId);
  if (parts?.kind === 'self') return me === parts.guids[0] ? me : undefined;
  if (parts?.kind !== 'private') return undefined;
  if (parts.guids[0] === me) return parts.guids[1];
  return parts.guids[1] === me ? parts.guids[0] : undefined;
}

/** Orders two message ids; both are digits of equal length, so code units do, but shorter ones are older. */
export function compareMessageIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `id + delta` microseconds, exactly. */
export function shiftMessageId(messageId: string, delta: number): string {
  return (BigInt(messageId) + BigInt(delta)).toString();
}
