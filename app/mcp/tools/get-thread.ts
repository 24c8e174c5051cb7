import { z } from 'zod';
import { threadIdOf } from '../../messenger/ids.ts';
import { COMPACT_AS_IN_HISTORY } from '../compact.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { detailArgument, messageOutput, pageKeys, renderOne, renderPage } from '../messages.ts';
import { chatArgument, defineTool, DomainResult, invalidArgument, messageIdArgument, resultOf, ToolError, type ToolContext } from '../tool.ts';
import { addressed, messageNotFound } from './addressed.ts';
import { parseThreadId } from '../../messenger/ids.ts';
import { beforeArgument } from './get-history.ts';

const LIMIT: Bounds = { min: 1, max: 200, default: 40 };

export const getThread = defineTool({
  name: 'get_thread',
  title: 'Read a thread',
  description:
    'Messages of a thread, by thread_id or by the parent message (chat and message_id). Paged like get_history. A thread nobody has written in yet comes with empty:true. ' +
    'Business chats have no threads: thread_unsupported. ' +
    COMPACT_AS_IN_HISTORY,
  effect: 'read',
  input: z.strictObject({
    thread_id: chatArgument.optional().describe('The thread: its thread_id, or a link into it'),
    chat: chatArgument.optional().describe('Chat of the parent message; with message_id, instead of thread_id'),
    message_id: messageIdArgument.optional().describe('The parent message: its timestamp in microseconds, 16 digits, as a string'),
    limit: boundedArgument(LIMIT, 'How many messages'),
    before: beforeArgument,
    detail: detailArgument,
  }),
  output: resultOf({
    chat_id: z.string().describe('The thread as a chat: the same as thread_id'),
    thread_id: z.string(),
    parent_chat_id: z.string(),
    parent_message_id: z.string(),
    parent: messageOutput.describe('The message the thread hangs on'),
    messages: z.array(messageOutput).describe('Oldest first'),
    next_before: z.string(),
    has_more: z.boolean(),
    empty: z.boolean().describe('Nobody has written in the thread yet'),
    message_id: z.string(),
    ...pageKeys,
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll({ limit: args.limit }, { limit: LIMIT });
    const threadId = await threadOf(args, context);
    const ids = parseThreadId(threadId)!;
    const thread = await context.services.messenger.threads.page(
      { threadId, limit: used.limit, ...(args.before !== undefined && { beforeMcs: args.before }) },
      context,
    );
    if (!thread) throw messageNotFound(ids.parentChatId, ids.parentMessageId);
    const rendered = renderPage(thread.page.messages, threadId, args.detail, context);
    const hasMore = thread.page.hasMore || rendered.cut > 0;
    const oldest = thread.page.messages[rendered.cut];
    return {
      status: 'ok',
      chat_id: threadId,
      thread_id: threadId,
      parent_chat_id: ids.parentChatId,
      parent_message_id: ids.parentMessageId,
      ...(thread.parent && { parent: renderOne(thread.parent, args.detail) }),
      messages: rendered.messages,
      ...(hasMore && oldest && { next_before: oldest.id }),
      has_more: hasMore,
      ...(thread.isEmpty && { empty: true }),
      ...rendered.keys,
      ...note,
    };
  },
});

/** The thread that the arguments name. @throws DomainResult `thread_unsupported`, ToolError `invalid_argument` */
async function threadOf(
  args: { thread_id?: string | undefined; chat?: string | undefined; message_id?: string | undefined },
  context: ToolContext,
): Promise<string> {
  if (args.thread_id !== undefined) {
    if (args.chat !== undefined || args.message_id !== undefined)
      throw invalidArgument('thread_id', 'stands instead of `chat` and `message_id`; pass one or the other.');
    const { chatId, kind } = await context.chat(args.thread_id);
    if (kind !== 'thread') throw invalidArgument('thread_id', 'is not a thread; for the thread of a message pass `chat` and `message_id`.');
    return chatId;
  }
  if (args.chat === undefined) {
    throw new ToolError(
      'invalid_argument',
      '`thread_id`, or `chat` with `message_id`, is needed.',
      'Pass `thread_id`, or `chat` and `message_id` of the parent message.',
    );
  }
  const { chat, messageId } = await addressed(args, context);
  // The link of a message inside a thread names the thread itself.
  if (chat.kind === 'thread' && args.message_id === undefined) return chat.chatId;
  const threadId = threadIdOf(chat.chatId, messageId);
  if (threadId === undefined) {
    throw new DomainResult({
      status: 'thread_unsupported',
      chat_id: chat.chatId,
      reason:
        chat.kind === 'thread'
          ? 'A message inside a thread has no thread of its own.'
          : 'Threads of this kind of chat (business chats, 2/…) have no id that could be derived.',
    });
  }
  return threadId;
}
