import { z } from 'zod';
import type { ChatEntry } from '../../messenger/reading/chat-entry.ts';
import { chatCursor, isAfterCursor } from '../../messenger/reading/chats.ts';
import { isoFromMcs } from '../../messenger/time.ts';
import { countThatFits, estimateTokens, TRUNCATED_BY_SIZE } from '../budget.ts';
import { toSeconds } from '../compact.ts';
import { detailArgument, type Detail } from '../messages.ts';
import type { Message } from '../../messenger/model.ts';
import { chatKindKeys, chatKindOutput } from '../chat-kind.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { defineTool, resultOf, type ToolContext, type ToolResult } from '../tool.ts';

const LIMIT: Bounds = { min: 1, max: 500, default: 50 };

export const listChats = defineTool({
  name: 'list_chats',
  title: 'List chats',
  description:
    'Chats of the person, newest activity first, with unread counts. The text of last messages is given only with include_last_message_text:true. ' +
    'total_chats and unread_chats count all chats, not just this page. There is a next page when next_cursor is given. ' +
    'compact: last_message is without its time when that is last_activity, whose exact microseconds are then its id; from is left out when from_me is true, from_me when false.',
  effect: 'read',
  input: z.strictObject({
    limit: boundedArgument(LIMIT, 'How many chats'),
    unread_only: z.boolean().default(false).describe('Only chats with unread messages'),
    include_last_message_text: z
      .boolean()
      .default(false)
      .describe('Also give the whole text of the last message of each chat; off, so that correspondence is read only on purpose'),
    cursor: z
      .string()
      .regex(/^\d+:.+$/, 'must be a next_cursor of an earlier answer')
      .optional()
      .describe('next_cursor of the previous page'),
    detail: detailArgument,
  }),
  output: resultOf({
    chats: z.array(
      z.looseObject({
        chat_id: z.string(),
        name: z.string().optional(),
        ...chatKindOutput,
        last_activity: z.string().optional().describe('ISO 8601 with offset'),
        last_activity_mcs: z.string().optional(),
        unread_count: z.number(),
        unread: z.boolean(),
        muted: z.boolean(),
        last_message: z
          .looseObject({ id: z.string(), kind: z.string() })
          .optional()
          .describe('Who, when and what kind; with include_last_message_text its text too'),
      }),
    ),
    total_chats: z.number(),
    unread_chats: z.number(),
    next_cursor: z.string(),
    truncated: z.boolean(),
    truncation_reason: z.string(),
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll({ limit: args.limit }, { limit: LIMIT });
    const { messenger } = context.services;
    const { guid } = await messenger.directory.me(context);
    const all = await messenger.chats.list(context);
    const wanted = all.filter((entry) => (!args.unread_only || entry.unreadCount > 0) && (args.cursor === undefined || isAfterCursor(entry, args.cursor)));
    const page = wanted.slice(0, used.limit);
    const rendered = page.map((entry) => render(entry, guid, args.include_last_message_text, args.detail, context));
    const count = countThatFits(rendered, estimateTokens);
    const last = page[count - 1];
    return {
      status: 'ok',
      chats: rendered.slice(0, count),
      total_chats: all.length,
      unread_chats: all.filter((entry) => entry.unreadCount > 0).length,
      ...(last && count < wanted.length && { next_cursor: chatCursor(last) }),
      ...(count < page.length && { truncated: true, truncation_reason: TRUNCATED_BY_SIZE }),
      ...note,
    };
  },
});

function render(entry: ChatEntry, myGuid: string, withText: boolean, detail: Detail, { services }: ToolContext): ToolResult {
  const { messenger } = services;
  const server = entry.messages[entry.messages.length - 1];
  const message = server && messenger.base.normaliseOne(server, entry.chatId, myGuid);
  return {
    chat_id: entry.chatId,
    ...(entry.name !== undefined && { name: entry.name }),
    ...chatKindKeys(entry.kind),
    ...activityOf(entry, message, detail, services.timeZone()),
    unread_count: entry.unreadCount,
    unread: entry.unreadCount > 0,
    muted: entry.muted,
    ...(message && {
      // Without asking for it, no text, no quotes and no file names of anybody's correspondence (the seed's rule).
      last_message: {
        ...headOf(message, entry, detail),
        kind: message.kind,
        ...(message.edited && { edited: true }),
        ...(message.deleted && { deleted: true }),
        ...(message.attachments.length > 0 && { attachments_count: message.attachments.length }),
        ...(withText && message.text !== undefined && { text: message.text }),
        ...(withText && message.text_flags && { text_flags: message.text_flags }),
        ...(withText && message.forwarded.length > 0 && { forwarded_text: message.forwarded.flatMap(({ source_text: text }) => text ?? []) }),
      },
    }),
  };
}

/** In compact the last message's id says the exact time, as long as it is the time of the chat's last activity. */
function activityOf(entry: ChatEntry, message: Message | undefined, detail: Detail, timeZone: string): ToolResult {
  const { lastActivityMcs: mcs } = entry;
  if (mcs === undefined) return {};
  const at = isoFromMcs(mcs, timeZone);
  return detail === 'compact' && message?.id === mcs ? { last_activity: toSeconds(at) } : { last_activity: at, last_activity_mcs: mcs };
}

/** Which message and whose. In compact: without the chat's own time, and the partner's name alone, whose guid stands in the chat_id. */
function headOf(message: Message, entry: ChatEntry, detail: Detail): ToolResult {
  const { id, timestamp, timestamp_mcs, from, from_me } = message;
  if (detail === 'full') return { id, timestamp, timestamp_mcs, from, from_me };
  return {
    id,
    ...(id !== entry.lastActivityMcs && { timestamp }),
    ...(from_me === true ? { from_me } : { from: entry.kind === 'private' && from?.name !== undefined ? { name: from.name } : from }),
    ...(from_me === null && { from_me }),
  };
}
