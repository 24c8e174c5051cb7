/**
 * Files of a chat, newest first. They are found by walking the history, which is proven (L); the registry's `get_media_messages`
 * would be one request, but neither its cursor nor its type names were ever seen (B).
 */
import type { Call } from '../api.ts';
import type { Attachment, Message } from '../model.ts';
import type { History } from './history.ts';

const SCAN_PAGE = 200;
/** Messages looked through in one call at most. */
const SCAN_CEILING = 2000;

export interface FoundAttachment {
  readonly message: Message;
  readonly attachments: readonly Attachment[];
}

export interface MediaPage {
  /** Newest first. */
  readonly found: readonly FoundAttachment[];
  readonly scannedMessages: number;
  /** Where the next call goes on; undefined at the beginning of the chat. */
  readonly nextBefore: string | undefined;
}

export class Media {
  constructor(private readonly history: History) {}

  /**
   * @param limit messages with attachments
   * @param kinds attachment kinds wanted; empty: all
   */
  async page(request: { chatId: string; limit: number; kinds: readonly string[]; beforeMcs?: string }, call: Call): Promise<MediaPage> {
    const { chatId, limit, kinds } = request;
    const found: FoundAttachment[] = [];
    let cursor = request.beforeMcs;
    let scannedMessages = 0;
    for (;;) {
      const page = await this.history.page({ chatId, limit: SCAN_PAGE, ...(cursor !== undefined && { beforeMcs: cursor }) }, call);
      for (const message of [...page.messages].reverse()) {
        scannedMessages += 1;
        cursor = message.id;
        const attachments = attachmentsOf(message).filter((attachment) => kinds.length === 0 || kinds.includes(attachment.kind));
        if (attachments.length > 0) found.push({ message, attachments });
        if (found.length >= limit) break;
      }
      const oldest = page.messages[0];
      const isAtTheStart = !page.hasMore && (oldest === undefined || cursor === oldest.id);
      if (isAtTheStart) return { found, scannedMessages, nextBefore: undefined };
      if (found.length >= limit || scannedMessages >= SCAN_CEILING) return { found, scannedMessages, nextBefore: cursor };
    }
  }
}

/** A message's own files, then those of the messages it forwards. */
function attachmentsOf(message: Message): Attachment[] {
  return [...message.attachments, ...message.forwarded.flatMap((original) => original.attachments.map((attachment) => ({ ...attachment, forwarded: true })))];
}
