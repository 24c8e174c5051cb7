import type { Tool } from '../tool.ts';
import { downloadAttachment } from './download-attachment.ts';
import { getChatInfo } from './get-chat-info.ts';
import { getHistory } from './get-history.ts';
import { getMessageContext } from './get-message-context.ts';
import { getMessage } from './get-message.ts';
import { getPoll } from './get-poll.ts';
import { getThread } from './get-thread.ts';
import { getUnread } from './get-unread.ts';
import { listAttachments } from './list-attachments.ts';
import { listChats } from './list-chats.ts';
import { listReactions } from './list-reactions.ts';
import { listThreads } from './list-threads.ts';
import { search } from './search.ts';
import { sessionStatus } from './session-status.ts';
import { whoami } from './whoami.ts';

/** Everything that reads, in the order agents see it. */
export const readTools: readonly Tool[] = [
  sessionStatus,
  whoami,
  listChats,
  getUnread,
  getHistory,
  getMessage,
  getMessageContext,
  search,
  getThread,
  listThreads,
  listReactions,
  getPoll,
  getChatInfo,
  listAttachments,
  downloadAttachment,
];
