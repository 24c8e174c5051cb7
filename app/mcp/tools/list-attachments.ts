import { z } from 'zod';
import { attachmentSchema, personSchema } from '../../messenger/model.ts';
import { countThatFits, estimateTokens, TRUNCATED_BY_SIZE } from '../budget.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { chatArgument, defineTool, resultOf } from '../tool.ts';
import { beforeArgument } from './get-history.ts';

const LIMIT: Bounds = { min: 1, max: 100, default: 30 };
const KINDS = ['image', 'file', 'gallery_image', 'voice'] as const;

export const listAttachments = defineTool({
  name: 'list_attachments',
  title: 'List media and files',
  description:
    'Images, files and voice messages of a chat, newest first, with the message each stands in. The history is looked through, up to 2000 messages a call: ' +
    'an empty page with has_more:true means to go on with next_before. Save one with download_attachment.',
  effect: 'read',
  input: z.strictObject({
    chat: chatArgument,
    limit: boundedArgument(LIMIT, 'How many messages with attachments'),
    before: beforeArgument,
    kinds: z.array(z.enum(KINDS)).max(KINDS.length).default([]).describe('Only these kinds; default all'),
  }),
  output: resultOf({
    chat_id: z.string(),
    attachments: z.array(
      attachmentSchema.extend({
        message_id: z.string(),
        timestamp: z.string(),
        from: personSchema.nullable(),
        from_me: z.boolean().nullable(),
        link: z.string(),
        forwarded: z.boolean().optional().describe('It stands in a message that was forwarded here'),
      }),
    ),
    scanned_messages: z.number(),
    has_more: z.boolean(),
    next_before: z.string(),
    truncated: z.boolean(),
    truncation_reason: z.string(),
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll({ limit: args.limit }, { limit: LIMIT });
    const chat = await context.chat(args.chat);
    const page = await context.services.messenger.media.page(
      { chatId: chat.chatId, limit: used.limit, kinds: args.kinds, ...(args.before !== undefined && { beforeMcs: args.before }) },
      context,
    );
    // A message's attachments stay together: the cursor is a message id.
    const groups = page.found.map(({ message, attachments }) =>
      attachments.map((attachment) => ({
        ...attachment,
        message_id: message.id,
        timestamp: message.timestamp,
        from: message.from,
        from_me: message.from_me,
        link: message.link,
      })),
    );
    const count = countThatFits(groups, estimateTokens);
    const isCut = count < groups.length;
    const nextBefore = isCut ? page.found[count - 1]?.message.id : page.nextBefore;
    return {
      status: 'ok',
      chat_id: chat.chatId,
      attachments: groups.slice(0, count).flat(),
      scanned_messages: page.scannedMessages,
      has_more: nextBefore !== undefined,
      ...(nextBefore !== undefined && { next_before: nextBefore }),
      ...(isCut && { truncated: true, truncation_reason: TRUNCATED_BY_SIZE }),
      ...note,
    };
  },
});
