import { z } from 'zod';
import { prepareMessage } from '../../messenger/writing/index.ts';
import { chatArgument, messageIdArgument } from '../tool.ts';
import { defineProposal, formStatusOutput, requireMessageId, textArgument } from './write-support.ts';

/** Forwards a message to another chat, with the reference to its source. */
export const forwardMessage = defineProposal({
  name: 'forward_message',
  title: 'Forward a message',
  description: 'Forwards a message of one chat to another, optionally with a comment.',
  input: z.strictObject({
    from_chat: chatArgument.describe('Chat the message stands in: a chat_id, a link, or a name'),
    message_id: messageIdArgument.describe('Id of the message to forward'),
    chat: chatArgument.describe('Chat to forward to: a chat_id, a link, or a name'),
    comment: textArgument().optional().describe('Text to send along with it'),
  }),
  output: {
    from_chat: z.string().describe('chat_id of the source'),
    from_chat_name: z.string().nullable(),
    message_id: z.string(),
    comment: z.string(),
    forwarded: z.looseObject({ text: z.string().optional(), attachments: z.array(z.string()) }).describe('What would be forwarded'),
    form_status: formStatusOutput,
  },
  async canonicalise(args, context) {
    const source = await context.chat(args.from_chat, 'read');
    const chat = await context.chat(args.chat);
    const messageId = requireMessageId('message_id', args.message_id);
    const comment = args.comment ?? '';
    return { chatId: chat.chatId, fields: { from_chat: source.chatId, message_id: messageId, comment }, source, messageId, comment };
  },
  async prepare(_args, { chatId, source, messageId, comment }, context) {
    const { messenger } = context.services;
    const chatName = source.name ?? (await messenger.directory.describeChat(source.chatId, context)).name;
    const forward = { chatId: source.chatId, chatName, messageId };
    const draft = await prepareMessage(messenger, { chatId, text: comment, textArgument: 'comment', people: [], forward }, context);
    const { author, text, attachments = [] } = draft.preview.forward ?? {};
    return {
      ...draft,
      echo: {
        from_chat: source.chatId,
        from_chat_name: chatName ?? null,
        message_id: messageId,
        ...(comment !== '' && { comment }),
        forwarded: { ...(author !== undefined && { author }), ...(text !== undefined && { text }), attachments },
        form_status: 'documented',
      },
    };
  },
});
