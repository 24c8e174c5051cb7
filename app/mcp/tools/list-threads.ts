import { z } from 'zod';
import { isServerRefusal } from '../../messenger/errors.ts';
import type { Message } from '../../messenger/model.ts';
import type { ThreadSummary } from '../../messenger/reading/threads.ts';
import { isoFromMcs } from '../../messenger/time.ts';
import { countThatFits, estimateTokens, TRUNCATED_BY_SIZE } from '../budget.ts';
import { COMPACT_AS_IN_HISTORY } from '../compact.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { detailArgument, messageOutput, renderOne, type Detail } from '../messages.ts';
import { chatArgument, defineTool, DomainResult, resultOf, ToolError, type ToolContext, type ToolResult } from '../tool.ts';

const LIMIT: Bounds = { min: 1, max: 100, default: 20 };

export const listThreads = defineTool({
  name: 'list_threads',
  title: 'List the threads of a chat',
  description:
    'Threads of a chat that somebody has written in, latest activity first, each with its parent message. Read one with get_thread. ' +
    'Rests on a documented but unproven form of the protocol (form_status). ' +
    COMPACT_AS_IN_HISTORY,
  effect: 'read',
  input: z.strictObject({
    chat: chatArgument,
    limit: boundedArgument(LIMIT, 'How many threads'),
    cursor: z
      .string()
      .regex(/^\d{1,4}$/, 'must be a next_cursor of an earlier answer')
      .optional()
      .describe('next_cursor of the previous page'),
    detail: detailArgument,
  }),
  output: resultOf({
    chat_id: z.string(),
    threads: z.array(
      z.looseObject({
        thread_id: z.string(),
        parent_message_id: z.string(),
        parent: messageOutput.optional(),
        last_activity: z.string().optional(),
        last_activity_mcs: z.string().optional(),
        last_seq_no: z.number().describe('Number of the last message'),
        unread_count: z.number(),
      }),
    ),
    total_threads: z.number(),
    has_more: z.boolean(),
    next_cursor: z.string(),
    form_status: z.literal('documented'),
    truncated: z.boolean(),
    truncation_reason: z.string(),
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll({ limit: args.limit }, { limit: LIMIT });
    const chat = await context.chat(args.chat);
    if (chat.kind === 'business' || chat.kind === 'thread') {
      const reason = chat.kind === 'thread' ? 'A thread has no threads of its own.' : 'Business chats (2/…) have no threads.';
      throw new DomainResult({ status: 'thread_unsupported', chat_id: chat.chatId, reason });
    }
    const all = await listed(chat.chatId, context);
    const start = Number(args.cursor ?? 0);
    const page = all.slice(start, start + used.limit);
    const rendered: ToolResult[] = [];
    for (const thread of page) rendered.push(render(thread, await parentOf(thread, chat.chatId, context), args.detail, context));
    const count = countThatFits(rendered, estimateTokens);
    const hasMore = start + count < all.length;
    return {
      status: 'ok',
      chat_id: chat.chatId,
      threads: rendered.slice(0, count),
      total_threads: all.length,
      has_more: hasMore,
      ...(hasMore && { next_cursor: String(start + count) }),
      form_status: 'documented',
      ...(count < page.length && { truncated: true, truncation_reason: TRUNCATED_BY_SIZE }),
      ...note,
    };
  },
});

/** `history {Threads:true}` is grade B: a refusal other than "no such chat" says so instead of blaming the caller. */
async function listed(chatId: string, context: ToolContext): Promise<ThreadSummary[]> {
  const { messenger } = context.services;
  try {
    return await messenger.threads.list(chatId, context);
  } catch (error) {
    if (!isServerRefusal(error)) throw error;
    // Tells an unknown chat from an unsupported request.
    await messenger.chats.entry(chatId, context);
    throw new ToolError(
      'server_error',
      'Messenger did not list the threads of this chat; the form of this request is documented but was never proven.',
      'Find messages with a `thread` key in get_history and open them with get_thread.',
      { form_status: 'documented' },
    );
  }
}

async function parentOf(thread: ThreadSummary, chatId: string, context: ToolContext): Promise<Message | undefined> {
  if (thread.parent) return thread.parent;
  const { messenger } = context.services;
  try {
    const { guid } = await messenger.directory.me(context);
    const raw = await messenger.messages.raw(chatId, thread.parentMessageId, context);
    return raw && messenger.base.normaliseOne(raw.server, chatId, guid);
  } catch (error) {
    if (!isServerRefusal(error)) throw error;
    return undefined;
  }
}

function render(thread: ThreadSummary, parent: Message | undefined, detail: Detail, { services }: ToolContext): ToolResult {
  const { entry } = thread;
  return {
    thread_id: thread.threadId,
    parent_message_id: thread.parentMessageId,
    ...(parent && { parent: renderOne(parent, detail) }),
    ...(entry.lastActivityMcs !== undefined && {
      last_activity: isoFromMcs(entry.lastActivityMcs, services.timeZone()),
      last_activity_mcs: entry.lastActivityMcs,
    }),
    last_seq_no: entry.lastSeqNo,
    unread_count: entry.unreadCount,
  };
}
