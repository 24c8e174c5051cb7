import { z } from 'zod';
import { COMPACT_AS_IN_HISTORY } from '../compact.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { detailArgument, messageOutput, pageFacts, pageKeys, pageTokens, renderAll } from '../messages.ts';
import { largestThatFits, TRUNCATED_BY_SIZE } from '../budget.ts';
import { chatArgument, defineTool, messageIdArgument, resultOf } from '../tool.ts';
import { addressed, MESSAGE_OR_LINK } from './addressed.ts';
import type { Message } from '../../messenger/model.ts';

const AROUND: Bounds = { min: 0, max: 200, default: 10 };

export const getMessageContext = defineTool({
  name: 'get_message_context',
  title: 'Read around a message',
  description:
    'The messages right before and right after a moment, both oldest first, and the message itself when it is there. The moment need not be a message. ' +
    'When the answer was cut for size, next_before continues in get_history and next_after as message_id here with before:0. ' +
    COMPACT_AS_IN_HISTORY,
  effect: 'read',
  input: z.strictObject({
    chat: chatArgument,
    message_id: messageIdArgument.optional().describe(MESSAGE_OR_LINK),
    before: boundedArgument(AROUND, 'How many messages before it'),
    after: boundedArgument(AROUND, 'How many messages after it'),
    detail: detailArgument,
  }),
  required: ['message_id'],
  output: resultOf({
    chat_id: z.string(),
    pivot_timestamp_mcs: z.string(),
    before: z.array(messageOutput),
    message: z.union([messageOutput, z.string()]).describe('The message at the moment; absent when it is not there or was deleted'),
    message_deleted: z.boolean().describe('The message at the moment was deleted'),
    after: z.array(messageOutput),
    next_before: z.string().describe('Present when older messages were cut for size: the oldest one told'),
    next_after: z.string().describe('Present when newer messages were cut for size: the newest one told'),
    ...pageKeys,
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll({ before: args.before, after: args.after }, { before: AROUND, after: AROUND });
    const { chat, messageId } = await addressed(args, context);
    const found = await context.services.messenger.history.around(
      { chatId: chat.chatId, pivotMcs: messageId, ...used, ...(chat.inviteHash !== undefined && { inviteHash: chat.inviteHash }) },
      context,
    );
    // The seed: the message itself only while it lives.
    const isDeleted = found.message?.deleted === true;
    const around = isDeleted ? { ...found, message: undefined } : found;
    const take = (count: number) => nearest(around.before, around.after, count);
    const count = largestThatFits(around.before.length + around.after.length, (each) => {
      const { before, after } = take(each);
      return pageTokens([...before, ...(around.message ? [around.message] : []), ...after], chat.chatId, args.detail, context);
    });
    const { before, after } = take(count);
    const cutBefore = before.length < around.before.length;
    const cutAfter = after.length < around.after.length;
    // One page: what its messages share is told once for all three parts.
    const all = [...before, ...(around.message ? [around.message] : []), ...after];
    const rendered = renderAll(all, chat.chatId, args.detail);
    const afterAt = rendered.length - after.length;
    return {
      status: 'ok',
      chat_id: chat.chatId,
      pivot_timestamp_mcs: messageId,
      before: rendered.slice(0, before.length),
      ...(around.message && { message: rendered[before.length] }),
      ...(isDeleted && { message_deleted: true }),
      after: rendered.slice(afterAt),
      ...pageFacts(all, chat.chatId, args.detail, context),
      ...(cutBefore && { next_before: before[0]?.id ?? messageId }),
      ...(cutAfter && { next_after: after[after.length - 1]?.id ?? messageId }),
      ...((cutBefore || cutAfter) && { truncated: true, truncation_reason: TRUNCATED_BY_SIZE }),
      ...note,
    };
  },
});

/** The `count` neighbours closest to the middle, taken in turn from both sides; where one side ends, the other goes on. */
function nearest(before: readonly Message[], after: readonly Message[], count: number) {
  const older = Math.min(before.length, Math.max(Math.ceil(count / 2), count - after.length));
  const newer = Math.min(after.length, count - older);
  return { before: older === 0 ? [] : before.slice(-older), after: after.slice(0, newer) };
}
