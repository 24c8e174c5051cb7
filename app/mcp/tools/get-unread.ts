import { z } from 'zod';
import { COMPACT_AS_IN_HISTORY } from '../compact.ts';
import { estimateTokens, PAGE_TOKENS, TRUNCATED_BY_SIZE } from '../budget.ts';
import { chatKindKeys, chatKindOutput } from '../chat-kind.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { detailArgument, messageOutput, pageKeys, renderPage } from '../messages.ts';
import { defineTool, resultOf, type ToolResult } from '../tool.ts';

const LIMIT: Bounds = { min: 1, max: 200, default: 50 };
const PER_CHAT: Bounds = { min: 1, max: 100, default: 20 };
const MAX_CHATS: Bounds = { min: 1, max: 50, default: 20 };
/** What a chat's own keys and one short message take, in tokens. */
const CHAT_TOKENS = 350;
const TRUNCATED_BY_LIMIT = 'limit: there are more unread messages or chats than were asked for';

export const getUnread = defineTool({
  name: 'get_unread',
  title: 'Read what is unread',
  description:
    'A digest: chats with unread messages, newest first, with the unread messages themselves. Reading them here does not mark them read. Where has_more is true, older unread messages were left out: ' +
    'pass next_before to get_history. unread_chats and total_unread count everything; list_chats with unread_only lists chats beyond max_chats. ' +
    COMPACT_AS_IN_HISTORY,
  effect: 'read',
  input: z.strictObject({
    limit: boundedArgument(LIMIT, 'How many messages in all'),
    per_chat: boundedArgument(PER_CHAT, 'How many messages of each chat'),
    max_chats: boundedArgument(MAX_CHATS, 'How many chats'),
    include_muted: z.boolean().default(true).describe('Also muted chats'),
    detail: detailArgument,
  }),
  output: resultOf({
    chats: z.array(
      z.looseObject({
        chat_id: z.string(),
        name: z.string().optional(),
        ...chatKindOutput,
        unread_count: z.number(),
        muted: z.boolean(),
        messages: z.array(messageOutput).describe('Oldest first'),
        has_more: z.boolean(),
        next_before: z.string().optional(),
        unavailable: z.boolean().optional().describe('The server did not give the messages of this chat'),
      }),
    ),
    unread_chats: z.number(),
    total_unread: z.number(),
    ...pageKeys,
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll(
      { limit: args.limit, per_chat: args.per_chat, max_chats: args.max_chats },
      { limit: LIMIT, per_chat: PER_CHAT, max_chats: MAX_CHATS },
    );
    const digest = await context.services.messenger.unread.digest(
      { chatLimit: Math.min(used.max_chats, used.limit), perChat: Math.min(used.per_chat, used.limit), withMuted: args.include_muted },
      context,
    );
    let tokensLeft = PAGE_TOKENS;
    let messagesLeft = used.limit;
    let isCut = false;
    const chats: ToolResult[] = [];
    for (const { entry, messages, hasMore, isUnreadable } of digest.chats) {
      if (chats.length > 0 && tokensLeft < CHAT_TOKENS) {
        isCut = true;
        break;
      }
      const wanted = messages.slice(Math.max(0, messages.length - messagesLeft));
      const page = renderPage(wanted, entry.chatId, args.detail, context, tokensLeft - CHAT_TOKENS);
      const told = page.messages.length;
      const { truncated: _truncated, truncation_reason: _reason, ...keys } = page.keys;
      const leftOut = hasMore || told < messages.length;
      const oldest = messages[messages.length - told];
      const chat = {
        chat_id: entry.chatId,
        ...(entry.name !== undefined && { name: entry.name }),
        ...chatKindKeys(entry.kind),
        unread_count: entry.unreadCount,
        muted: entry.muted,
        messages: page.messages,
        has_more: leftOut,
        ...(isUnreadable && { unavailable: true }),
        ...(leftOut && told > 0 && oldest && { next_before: oldest.id }),
        ...keys,
      };
      isCut ||= page.cut > 0;
      messagesLeft -= told;
      tokensLeft -= estimateTokens(chat);
      chats.push(chat);
    }
    const isLimited = digest.unreadChats > chats.length || chats.some((chat) => chat['has_more'] === true);
    return {
      status: 'ok',
      chats,
      unread_chats: digest.unreadChats,
      total_unread: digest.totalUnread,
      ...(isLimited && { truncated: true, truncation_reason: isCut ? TRUNCATED_BY_SIZE : TRUNCATED_BY_LIMIT }),
      ...note,
    };
  },
});
