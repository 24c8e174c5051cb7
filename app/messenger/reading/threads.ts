/** Threads: chats derived from a message (protocol §1, B; opening one L). */
import type { Call } from '../api.ts';
import { isEntityNotFound } from '../errors.ts';
import { compareMessageIds, parseThreadId } from '../ids.ts';
import type { Message } from '../model.ts';
import type { ReadingBase } from './base.ts';
import { chatEntriesOf, type ChatEntry } from './chat-entry.ts';
import type { History, Page } from './history.ts';
import type { Messages } from './messages.ts';

export interface ThreadPage {
  readonly page: Pick<Page, 'messages' | 'hasMore'>;
  readonly parent: Message | undefined;
  /** The thread has never been written in. */
  readonly isEmpty: boolean;
}

export interface ThreadSummary {
  readonly threadId: string;
  readonly entry: ChatEntry;
  readonly parentMessageId: string;
  readonly parent: Message | undefined;
}

export class Threads {
  constructor(
    private readonly base: ReadingBase,
    private readonly history: History,
    private readonly messages: Messages,
  ) {}

  /**
   * A page of a thread. One that nobody has written in answers "no such chat" (protocol §4, L): it is empty as long as its parent message exists.
   * @returns undefined when the parent message does not exist
   * @throws ReadStatusError status 4 when the parent chat does not exist
   */
  async page(request: { threadId: string; limit: number; beforeMcs?: string }, call: Call): Promise<ThreadPage | undefined> {
    const { threadId, limit, beforeMcs } = request;
    const myGuid = await this.base.myGuid(call);
    try {
      const page = await this.history.page({ chatId: threadId, limit, ...(beforeMcs !== undefined && { beforeMcs }) }, call);
      const ids = parseThreadId(threadId);
      const parent = page.entry.parentMessage
        ? this.base.normaliseOne(page.entry.parentMessage, ids?.parentChatId, myGuid)
        : await this.parentOf(threadId, myGuid, call);
      return { page, parent, isEmpty: page.messages.length === 0 && page.entry.lastSeqNo === 0 };
    } catch (error) {
      if (!isEntityNotFound(error)) throw error;
      const parent = await this.parentOf(threadId, myGuid, call);
      return parent && { page: { messages: [], hasMore: false }, parent, isEmpty: true };
    }
  }

  /** Threads of a chat that have been written in, latest activity first (`history {Threads:true}`, B). */
  async list(chatId: string, call: Call): Promise<ThreadSummary[]> {
    const myGuid = await this.base.myGuid(call);
    const answer = await this.history.read({ Threads: true, ChatIds: [chatId], ChatDataFilter: {}, Limit: 0 }, call);
    return chatEntriesOf(answer)
      .flatMap((entry): ThreadSummary[] => {
        const ids = parseThreadId(entry.chatId);
        if (!ids || ids.parentChatId !== chatId || entry.status !== 0) return [];
        const parent = entry.parentMessage && this.base.normaliseOne(entry.parentMessage, chatId, myGuid);
        return [{ threadId: entry.chatId, entry, parentMessageId: ids.parentMessageId, parent }];
      })
      .sort((a, b) => compareMessageIds(b.entry.lastActivityMcs ?? '0', a.entry.lastActivityMcs ?? '0') || (a.threadId < b.threadId ? -1 : 1));
  }

  private async parentOf(threadId: string, myGuid: string, call: Call): Promise<Message | undefined> {
    const ids = parseThreadId(threadId);
    const raw = ids && (await this.messages.raw(ids.parentChatId, ids.parentMessageId, call));
    return raw && this.base.normaliseOne(raw.server, raw.chatId, myGuid);
  }
}
