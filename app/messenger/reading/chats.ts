/** The person's own chats (protocol §4, "List of chats", L): one request, each chat with its last message. */
import type { Call } from '../api.ts';
import { compareMessageIds } from '../ids.ts';
import type { ReadingBase } from './base.ts';
import { chatEntriesOf, entryOf, type ChatEntry } from './chat-entry.ts';

export class Chats {
  constructor(private readonly base: ReadingBase) {}

  /** Every visible chat, newest activity first; equal times are ordered by id, so that a cursor can continue. Always asked anew. */
  async list(call: Call): Promise<ChatEntry[]> {
    const answer = await this.base.ports.wire.read('history', { Limit: 1, ChatDataFilter: {} }, call);
    const entries = chatEntriesOf(answer).filter((entry) => entry.status === 0 && !this.base.isHidden(entry.chatId));
    for (const entry of entries) this.remember(entry);
    return entries.sort(newestFirst);
  }

  /** One chat with its last message. @throws ReadStatusError status 4 when there is no such chat */
  async entry(chatId: string, call: Call, inviteHash?: string): Promise<ChatEntry> {
    const params = { ChatId: chatId, Limit: 1, ...(inviteHash !== undefined && { InviteHash: inviteHash }) };
    const entry = entryOf(await this.base.ports.wire.read('history', params, call), chatId);
    this.remember(entry);
    return entry;
  }

  remember(entry: ChatEntry): void {
    if (entry.inviteHash !== undefined) this.base.inviteHashes.set(entry.chatId, entry.inviteHash);
  }
}

/** Cursor of a chat in the list: what {@link newestFirst} orders by. */
export function chatCursor(entry: ChatEntry): string {
  return `${entry.lastActivityMcs ?? '0'}:${entry.chatId}`;
}

/** True when an entry comes after a cursor. */
export function isAfterCursor(entry: ChatEntry, cursor: string): boolean {
  const at = cursor.indexOf(':');
  const [mcs, chatId] = [cursor.slice(0, at), cursor.slice(at + 1)];
  const byTime = compareMessageIds(entry.lastActivityMcs ?? '0', mcs);
  return byTime < 0 || (byTime === 0 && entry.chatId > chatId);
}

function newestFirst(a: ChatEntry, b: ChatEntry): number {
  const byTime = compareMessageIds(b.lastActivityMcs ?? '0', a.lastActivityMcs ?? '0');
  return byTime !== 0 ? byTime : a.chatId < b.chatId ? -1 : 1;
}
