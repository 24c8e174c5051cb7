/**
 * Links of the web client (protocol §1, B). They stand in the URL's fragment, so a server never sees them:
 * `…/#/join/<invite_hash>/<ts>`, `…/#/chats/<chat id>/<ts>` and so on; every segment is percent-encoded.
 */
import { isMessageId, parseThreadId } from './ids.ts';

export type MessengerLink =
  | { readonly form: 'join'; readonly inviteHash: string; readonly messageId?: string; readonly threadParentId?: string }
  | { readonly form: 'chats'; readonly chatId: string; readonly messageId?: string }
  | { readonly form: 'alias'; readonly alias: string; readonly messageId?: string }
  | { readonly form: 'user'; readonly guid: string; readonly messageId?: string }
  | { readonly form: 'staff'; readonly nickname: string; readonly messageId?: string };

/** True for what a person would call a link, whether or not we understand it. */
export function looksLikeLink(text: string): boolean {
  // Also as people paste them: without the scheme, or the fragment alone.
  return /^https?:\/\//i.test(text) || /^#\//.test(text) || /^[\w.-]+(:\d+)?(\/[^\s#]*)?#!?\/\w+\//.test(text);
}

/** Reads a link of any origin; undefined when its form is not one of the known ones. */
export function parseLink(text: string): MessengerLink | undefined {
  const hashAt = text.indexOf('#');
  if (!looksLikeLink(text) || hashAt < 0) return undefined;
  const path = text
    .slice(hashAt + 1)
    .replace(/^!?\/+/, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '');
  const segments = path.split('/').map(decodeSegment);
  if (segments.some((segment) => segment === undefined || segment === '')) return undefined;
  const [form, ...rest] = segments as string[];
  if (form === 'join') return parseJoin(rest);
  const named = parseNamed(form, rest);
  return named;
}

function parseJoin(rest: readonly string[]): MessengerLink | undefined {
  const [inviteHash, first, second, ...more] = rest;
  if (inviteHash === undefined || more.length > 0) return undefined;
  if (first === undefined) return { form: 'join', inviteHash };
  if (!isMessageId(first)) return undefined;
  if (second === undefined) return { form: 'join', inviteHash, messageId: first };
  return isMessageId(second) ? { form: 'join', inviteHash, threadParentId: first, messageId: second } : undefined;
}

function parseNamed(form: string | undefined, segments: readonly string[]): MessengerLink | undefined {
  let rest = [...segments];
  // A chat id whose slashes were pasted unencoded: three segments make one id.
  if (form === 'chats' && rest.length >= 3 && /^\d+$/.test(rest[0]!) && /^\d+$/.test(rest[1]!)) rest = [rest.slice(0, 3).join('/'), ...rest.slice(3)];
  const [target, messageId, ...more] = rest;
  if (target === undefined || more.length > 0 || (messageId !== undefined && !isMessageId(messageId))) return undefined;
  const message = messageId === undefined ? {} : { messageId };
  switch (form) {
    case 'chats':
      return { form: 'chats', chatId: target, ...message };
    case 'c':
      return { form: 'alias', alias: target, ...message };
    case 'user':
      return { form: 'user', guid: target.toLowerCase(), ...message };
    case 'staff':
      return { form: 'staff', nickname: target, ...message };
    default:
      return undefined;
  }
}

/** The web link of a message. A thread's message goes through the parent's invite hash where it is known (protocol §1, B). */
export function messageLink(messengerPageUrl: string, chatId: string, messageId: string, parentInviteHash?: string): string {
  return chatLinkBase(messengerPageUrl, chatId, parentInviteHash) + messageId;
}

/** Everything of a message's link before its id, the same for all messages of one chat. */
export function chatLinkBase(messengerPageUrl: string, chatId: string, parentInviteHash?: string): string {
  const thread = parseThreadId(chatId);
  const path = thread && parentInviteHash ? `join/${encode(parentInviteHash)}/${thread.parentMessageId}` : `chats/${encode(chatId)}`;
  return `${pageRoot(messengerPageUrl)}${path}/`;
}

/** The link that invites into a chat. */
export function inviteLink(messengerPageUrl: string, inviteHash: string): string {
  return `${pageRoot(messengerPageUrl)}join/${encode(inviteHash)}`;
}

function pageRoot(messengerPageUrl: string): string {
  return `${messengerPageUrl.replace(/#.*$/s, '').replace(/\/+$/, '')}/#/`;
}

function encode(segment: string): string {
  return encodeURIComponent(segment);
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
