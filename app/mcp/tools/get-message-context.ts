import { z } from 'zod';
import { COMPACT_MEANING } from '../compact.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { detailArgument, messageOutput, messageTokens, pageFacts, pageKeys, renderAll } from '../messages.ts';
import { PAGE_TOKENS, TRUNCATED_BY_SIZE } from '../budget.ts';
import { chatArgument, defineTool, messageIdArgument, resultOf } from '../tool.ts';
import { addressed } from './addressed.ts';
import type { Message } from '../../messenger/model.ts';

const AROUND: Bounds = { min: 0, max: 200, default: 10 };

export const getMessageContext = defineTool({
  name: 'get_message_context',
  title: 'Read around a message',
  description:
    'The messages right before and right after a moment, both oldest first, and the message itself when it is there. The moment need not be a message. ' +
    'When the answer was cut for size, next_before continues in get_history and next_after as message_id here with before:0. ' +
    COMPACT_MEANING,
  effect: 'read',
  input: z.strictObject({
    chat: chatArgument,
    message_id: messageIdArgument
      .optional()
      .describe('Timestamp of the message in microseconds, 16 digits, as a string; may be left out when chat is the link of a message'),
    before: boundedArgument(AROUND, 'How many messages before it'),
    after: boundedArgument(AROUND, 'How many messages after it'),
    detail: detailArgument,
  }),
  output: resultOf({
    chat_id: z.string(),
    pivot_timestamp_mcs: z.string(),
    before: z.array(messageOutput),
    message: z.union([messageOutput, z.string()]).describe('The message at the moment; absent when it is not there'),
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
    const around = await context.services.messenger.history.around({ chatId: chat.chatId, pivotMcs: messageId, ...used }, context);
    const tokens = (message: Message) => messageTokens(message, chat.chatId, args.detail);
    const { before, after } = nearest(around.before, around.after, tokens, around.message ? PAGE_TOKENS - tokens(around.message) : PAGE_TOKENS);
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
      after: rendered.slice(afterAt),
      ...pageFacts(all, chat.chatId, args.detail, context),
      ...(cutBefore && { next_before: before[0]?.id ?? messageId }),
      ...(cutAfter && { next_after: after[after.length - 1]?.id ?? messageId }),
      ...((cutBefore || cutAfter) && { truncated: true, truncation_reason: TRUNCATED_BY_SIZE }),
      ...note,
    };
  },
});

/** Keeps the neighbours closest to the middle, in turn from both sides, as far as the budget goes; one neighbour is always kept. */
function nearest(before: readonly Message[], after: readonly Message[], tokensOf: (message: Message) => number, budget: number) {
  let [older, newer, used] = [0, 0, 0];
  const turns = Array.from({ length: Math.max(before.length, after.length) }, (_, step) => step);
  for (const step of turns) {
    for (const side of ['before', 'after'] as const) {
      const message = side === 'before' ? before[before.length - 1 - step] : after[step];
      if (!message) continue;
      used += tokensOf(message);
      if (used > budget && older + newer > 0) return cut();
      if (side === 'before') older += 1;
      else newer += 1;
    }
  }
  return cut();

  function cut() {
    return { before: older === 0 ? [] : before.slice(-older), after: after.slice(0, newer) };
  }
}
