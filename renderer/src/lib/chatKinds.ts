import type { MessageKey } from '../i18n/en.ts';

const KINDS: Readonly<Record<string, MessageKey>> = {
  private: 'chatKind.private',
  group: 'chatKind.group',
  channel: 'chatKind.channel',
  self: 'chatKind.self',
  saved: 'chatKind.self',
  thread: 'chatKind.thread',
};

/** Words for the kind of a chat; an unknown kind is just a chat. */
export function chatKindKey(kind: string): MessageKey {
  return KINDS[kind] ?? 'chatKind.other';
}
