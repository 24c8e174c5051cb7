import { z } from 'zod';
import { prepareDeletion } from '../../messenger/writing/index.ts';
import { chatArgument, messageIdArgument } from '../tool.ts';
import { defineProposal, requireMessageId } from './write-support.ts';

/** Deletes a message of the person's own, for everybody. */
export const deleteMessage = defineProposal({
  name: 'delete_message',
  title: 'Delete a message',
  description: "Deletes one of the person's own messages for everybody, for good. The server refuses messages of others.",
  input: z.strictObject({ chat: chatArgument, message_id: messageIdArgument }),
  output: {
    message_id: z.string(),
    author: z.string().nullable(),
    from_me: z.boolean().nullable().describe('null: the author is unknown'),
    timestamp: z.string(),
    timestamp_mcs: z.string(),
    text: z.string().describe('Text of the message that would be deleted'),
    attachments: z.array(z.string()).describe('Names of what the message holds'),
  },
  async canonicalise(args, context) {
    const chat = await context.chat(args.chat);
    const messageId = requireMessageId('message_id', args.message_id);
    return { chatId: chat.chatId, fields: { message_id: messageId }, messageId };
  },
  async prepare(_args, { chatId, messageId }, context) {
    const draft = await prepareDeletion(context.services.messenger, { chatId, messageId }, context);
    const { target } = draft.preview;
    return {
      ...draft,
      echo: {
        message_id: messageId,
        ...(target && {
          author: target.author ?? null,
          from_me: target.fromMe,
          timestamp: target.timestamp,
          timestamp_mcs: target.messageId,
          text: target.text,
          ...(target.attachments.length > 0 && { attachments: target.attachments }),
        }),
      },
    };
  },
});
