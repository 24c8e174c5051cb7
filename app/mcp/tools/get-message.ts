import { z } from 'zod';
import { isServerRefusal } from '../../messenger/errors.ts';
import { readsSchema, reactionSchema } from '../../messenger/model.ts';
import { REACTIONS_LIMIT } from '../../messenger/reading/reaction-lists.ts';
import { COMPACT_AS_IN_HISTORY } from '../compact.ts';
import { detailArgument, messageOutput, renderOne } from '../messages.ts';
import { chatArgument, defineTool, invalidArgument, messageIdArgument, resultOf } from '../tool.ts';
import { addressed, messageNotFound } from './addressed.ts';

export const getMessage = defineTool({
  name: 'get_message',
  title: 'Read one message',
  description:
    'One message by chat and message_id, or by a Messenger link (url), without loading the history. reactions_detail has everybody who reacted or read. ' +
    "A message of a business chat's thread answers thread_unsupported. Here compact keeps from and link. " +
    COMPACT_AS_IN_HISTORY,
  effect: 'read',
  input: z.strictObject({
    chat: chatArgument.optional(),
    message_id: messageIdArgument.optional(),
    url: z.string().min(1).max(2000).optional().describe('Link of a message, instead of chat and message_id'),
    with_reactions: z.boolean().default(true).describe('Also read everybody who reacted and read (two more requests)'),
    detail: detailArgument,
  }),
  output: resultOf({
    chat_id: z.string(),
    message: z.union([messageOutput, z.string()]).describe('The message'),
    my_reactions: z.array(z.number()).describe('Types of my own reactions; absent when there are none'),
    reactions_detail: z.looseObject({ reactions: z.array(reactionSchema), reads: readsSchema }),
    chat_info: z.looseObject({}).describe('The chat as the server gives it'),
    message_id: z.string(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    if (args.url !== undefined && (args.chat !== undefined || args.message_id !== undefined)) {
      throw invalidArgument('url', 'stands instead of `chat` and `message_id`; pass one or the other.');
    }
    const { messenger } = context.services;
    const { chat, messageId } = await addressed(args, context);
    const { guid } = await messenger.directory.me(context);
    const raw = await messenger.messages.raw(chat.chatId, messageId, context, chat.inviteHash);
    const message = raw && messenger.base.normaliseOne(raw.server, chat.chatId, guid);
    if (!raw || !message) throw messageNotFound(chat.chatId, messageId);
    const inviteHash = chat.inviteHash === undefined ? {} : { inviteHash: chat.inviteHash };
    const reactions = args.with_reactions
      ? await softly(() => messenger.reactions.read({ chatId: chat.chatId, messageId, limit: REACTIONS_LIMIT, ...inviteHash }, context))
      : undefined;
    return {
      status: 'ok',
      chat_id: chat.chatId,
      message: renderOne(message, args.detail),
      ...(raw.myReactions && raw.myReactions.length > 0 && { my_reactions: raw.myReactions }),
      ...(reactions && {
        reactions_detail: {
          reactions: reactions.reactions,
          reads: reactions.reads,
          ...(reactions.truncated.length > 0 && { truncated: true, truncated_lists: reactions.truncated }),
        },
      }),
      ...(raw.chatInfo && { chat_info: raw.chatInfo }),
    };
  },
});

/** The message is there already; a refusal to list who reacted leaves only that out. */
async function softly<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isServerRefusal(error)) throw error;
    return undefined;
  }
}
