import { z } from 'zod';
import { isMessageId, shiftMessageId } from '../../messenger/ids.ts';
import { parseMoment } from '../dates.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { detailArgument, messageOutput, pageKeys, renderPage } from '../messages.ts';
import { chatArgument, defineTool, invalidArgument, resultOf } from '../tool.ts';
import { COMPACT_MEANING } from '../compact.ts';

const LIMIT: Bounds = { min: 1, max: 200, default: 40 };

export const beforeArgument = z
  .string()
  .regex(/^\d{16}$/, 'must be a cursor: 16 digits (microseconds), as a string, from next_before')
  .refine(isMessageId, 'must be a cursor from next_before: microseconds below 9007199254740992')
  .optional()
  .describe('Cursor: only messages strictly older than this timestamp in microseconds; take it from next_before');

const moment = (description: string) =>
  z.string().min(1).max(64).optional().describe(`${description}. ISO date or date and time; a date alone is local midnight of the person's time zone`);

export const getHistory = defineTool({
  name: 'get_history',
  title: 'Read a chat',
  description:
    'Messages of a chat, oldest first within a page; pages go from the newest back. Pass next_before as before for the next page. ' +
    'A day is from_date = that day, to_date = the next. before wins over to_date, after wins over from_date. ' +
    COMPACT_MEANING,
  effect: 'read',
  input: z.strictObject({
    chat: chatArgument,
    limit: boundedArgument(LIMIT, 'How many messages'),
    before: beforeArgument,
    from_date: moment('Only messages of this moment or later (inclusive)'),
    to_date: moment('Only messages before this moment (exclusive)'),
    after: moment('Only messages strictly after this moment'),
    detail: detailArgument,
  }),
  output: resultOf({
    chat_id: z.string(),
    chat_name: z.string(),
    messages: z.array(messageOutput).describe('Oldest first'),
    next_before: z.string().describe('Cursor of the next, older page; absent at the end of the window'),
    has_more: z.boolean(),
    ...pageKeys,
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll({ limit: args.limit }, { limit: LIMIT });
    const bounds = boundsOf(args, context.services.timeZone());
    const chat = await context.chat(args.chat);
    const page = await context.services.messenger.history.page(
      { chatId: chat.chatId, limit: used.limit, ...bounds, ...(chat.inviteHash !== undefined && { inviteHash: chat.inviteHash }) },
      context,
    );
    const rendered = renderPage(page.messages, chat.chatId, args.detail, context);
    const hasMore = page.hasMore || rendered.cut > 0;
    const oldest = page.messages[rendered.cut];
    const name = chat.name ?? page.entry.name;
    return {
      status: 'ok',
      chat_id: chat.chatId,
      ...(name !== undefined && { chat_name: name }),
      messages: rendered.messages,
      ...(hasMore && oldest && { next_before: oldest.id }),
      has_more: hasMore,
      ...rendered.keys,
      ...note,
    };
  },
});

interface WindowArguments {
  readonly before?: string | undefined;
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
  readonly after?: string | undefined;
}

/** The window in microseconds: lower bound inclusive, upper exclusive; the cursor wins over the date, `after` over `from_date` (the seed). */
function boundsOf(args: WindowArguments, timeZone: string): { fromMcs?: string; beforeMcs?: string } {
  const from = args.from_date === undefined ? undefined : parseMoment('from_date', args.from_date, timeZone);
  const to = args.to_date === undefined ? undefined : parseMoment('to_date', args.to_date, timeZone);
  const after = args.after === undefined ? undefined : parseMoment('after', args.after, timeZone);
  const fromMcs = after !== undefined ? shiftMessageId(after, 1) : from;
  const beforeMcs = args.before ?? to;
  if (args.before === undefined && fromMcs !== undefined && to !== undefined && fromMcs >= to) {
    throw invalidArgument('to_date', `must be later than \`${after !== undefined ? 'after' : 'from_date'}\`: the window would be empty.`);
  }
  return { ...(fromMcs !== undefined && { fromMcs }), ...(beforeMcs !== undefined && { beforeMcs }) };
}
