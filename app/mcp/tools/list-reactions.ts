import { z } from 'zod';
import { isEntityNotFound } from '../../messenger/errors.ts';
import { readsSchema, reactionSchema } from '../../messenger/model.ts';
import { REACTIONS_CEILING, REACTIONS_LIMIT } from '../../messenger/reading/reaction-lists.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { chatArgument, defineTool, messageIdArgument, resultOf } from '../tool.ts';
import { addressed, MESSAGE_OR_LINK, messageNotFound } from './addressed.ts';

const LIMIT: Bounds = { min: 1, max: REACTIONS_CEILING, default: REACTIONS_LIMIT };

export const listReactions = defineTool({
  name: 'list_reactions',
  title: 'Who reacted and who read',
  description:
    'Everybody who reacted to a message, by type, and everybody who read it, with times. A list that comes back full is read again with a higher limit, so actors_complete is true; ' +
    'only beyond 1000 the answer says truncated. emoji is an approximation of the artwork.',
  effect: 'read',
  input: z.strictObject({
    chat: chatArgument,
    message_id: messageIdArgument.optional().describe(MESSAGE_OR_LINK),
    limit: boundedArgument(LIMIT, 'How many to ask the server for at first'),
    invite_hash: z.string().min(1).max(200).optional().describe('Of a join link, for a chat the person is no member of'),
  }),
  required: ['message_id'],
  output: resultOf({
    chat_id: z.string(),
    message_id: z.string(),
    reactions: z.array(reactionSchema),
    reads: readsSchema,
    truncated: z.boolean(),
    truncation_reason: z.string(),
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll({ limit: args.limit }, { limit: LIMIT });
    const { messenger } = context.services;
    const { chat, messageId } = await addressed(args, context);
    const inviteHash = args.invite_hash ?? chat.inviteHash;
    const listing = await messenger.reactions
      .read({ chatId: chat.chatId, messageId, limit: used.limit, ...(inviteHash !== undefined && { inviteHash }) }, context)
      .catch(async (error: unknown) => {
        // The server does not say whether the chat or the message is missing; reading the message does.
        if (isEntityNotFound(error) && !(await messenger.messages.raw(chat.chatId, messageId, context, inviteHash)))
          throw messageNotFound(chat.chatId, messageId);
        throw error;
      });
    return {
      status: 'ok',
      chat_id: chat.chatId,
      message_id: messageId,
      reactions: listing.reactions,
      reads: listing.reads,
      ...(listing.truncated.length > 0 && { truncated: true, truncation_reason: `ceiling: more than ${REACTIONS_CEILING} ${listing.truncated.join(' and ')}` }),
      ...note,
    };
  },
});
