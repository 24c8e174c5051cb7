/** Chats with unread messages and those messages (protocol §4: unread = LastSeqNo − LastSeenByMeSeqNo, L). */
import type { Call } from '../api.ts';
import { isServerRefusal } from '../errors.ts';
import type { Message } from '../model.ts';
import type { ReadingBase } from './base.ts';
import type { ChatEntry } from './chat-entry.ts';
import type { Chats } from './chats.ts';
import type { History, Page } from './history.ts';

const MAX_PAGE = 200;
/** Reads in flight at once: a digest of many chats should not take one round trip each, one after another. */
const PARALLEL_READS = 4;

export interface UnreadChat {
  readonly entry: ChatEntry;
  /** The newest unread messages, oldest first. */
  readonly messages: Message[];
  /** True when older unread messages were left out. */
  readonly hasMore: boolean;
  /** The server did not give this chat's messages. */
  readonly isUnreadable: boolean;
}

export interface UnreadDigest {
  readonly chats: readonly UnreadChat[];
  readonly unreadChats: number;
  readonly totalUnread: number;
}

export class Unread {
  constructor(
    private readonly base: ReadingBase,
    private readonly chats: Chats,
    private readonly history: History,
  ) {}

  /**
   * @param chatLimit chats whose messages are read, newest first
   * @param perChat messages of each
   */
  async digest(request: { chatLimit: number; perChat: number; withMuted: boolean }, call: Call): Promise<UnreadDigest> {
    await this.base.myGuid(call);
    const unread = (await this.chats.list(call)).filter((entry) => entry.unreadCount > 0 && (request.withMuted || !entry.muted));
    const chosen = unread.slice(0, request.chatLimit);
    const read: UnreadChat[] = [];
    for (let at = 0; at < chosen.length; at += PARALLEL_READS) {
      read.push(...(await Promise.all(chosen.slice(at, at + PARALLEL_READS).map((entry) => this.ofChat(entry, request.perChat, call)))));
    }
    return { chats: read, unreadChats: unread.length, totalUnread: unread.reduce((sum, entry) => sum + entry.unreadCount, 0) };
  }

  /** One chat that the server refuses to read leaves only its own messages out of the digest. */
  private async ofChat(entry: ChatEntry, perChat: number, call: Call): Promise<UnreadChat> {
    let page: Page;
    try {
      page = await this.history.page({ chatId: entry.chatId, limit: Math.min(MAX_PAGE, perChat, entry.unreadCount) }, call);
    } catch (error) {
      if (!isServerRefusal(error)) throw error;
      return { entry, messages: [], hasMore: true, isUnreadable: true };
    }
    const messages = page.messages.filter((message) => message.seq_no === undefined || message.seq_no > entry.lastSeenByMeSeqNo);
    return { entry, messages, hasMore: messages.length < entry.unreadCount && messages.length === page.messages.length && page.hasMore, isUnreadable: false };
  }
}
