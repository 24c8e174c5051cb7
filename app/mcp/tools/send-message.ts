import { z } from 'zod';
import { prepareMessage, readableText, resolveMentions } from '../../messenger/writing/index.ts';
import { chatArgument, messageIdArgument } from '../tool.ts';
import { candidatesOutput, defineProposal, formStatusOutput, mentionsArgument, mentionsOutput, requireMessageId, textArgument } from './write-support.ts';

/** Sends a text to a chat or thread: plain, with mentions, as a reply, or with a forwarded message of the same chat. */
export const sendMessage = defineProposal({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Sends a text message from the person, optionally with mentions, as a reply, or forwarding a message of the same chat. A thread is a chat: pass its thread_id as chat.',
  input: z.strictObject({
    chat: chatArgument,
    text: textArgument().describe(
      'Text, sent byte for byte; markdown is drawn by the client. When confirming: as in the first call, or as the draft returned it. May be empty only with forward_from',
    ),
    mentions: mentionsArgument.optional(),
    reply_to_message_id: messageIdArgument.optional().describe('Id of the message to reply to; its quote is read from the server'),
    forward_from: messageIdArgument.optional().describe('Id of a message of this chat to forward (from another chat: forward_message)'),
  }),
  output: {
    text: z.string().describe('The text as it will be or was sent, mentions as `@<guid>`'),
    text_preview: z.string().describe('The same with names in place of guids; for reading only, never pass it back'),
    mentions: mentionsOutput,
    mention: z.string().describe('The mention that could not be resolved'),
    reply_to_message_id: z.string(),
    reply_quote: z.string().describe('Start of the message replied to, read from the server; read anew when sending'),
    quote_truncated: z.boolean().describe('The quote was cut at 200 characters'),
    forward_from: z.string(),
    form_status: formStatusOutput,
    candidates: candidatesOutput,
  },
  async canonicalise(args, context) {
    const chat = await context.chat(args.chat);
    const replyTo = args.reply_to_message_id === undefined ? undefined : requireMessageId('reply_to_message_id', args.reply_to_message_id);
    const forwardFrom = args.forward_from === undefined ? undefined : requireMessageId('forward_from', args.forward_from);
    const mentioned = await resolveMentions(context.services.messenger, { text: args.text, mentions: args.mentions ?? [], chatId: chat.chatId }, context);
    const fields = { text: mentioned.text, mentions: mentioned.people.map(({ guid }) => guid), reply_to: replyTo ?? null, forward_from: forwardFrom ?? null };
    return { chatId: chat.chatId, fields, mentioned, replyTo, forwardFrom };
  },
  async prepare(_args, { chatId, mentioned, replyTo, forwardFrom }, context) {
    const forward = forwardFrom === undefined ? undefined : { chatId, messageId: forwardFrom };
    const draft = await prepareMessage(context.services.messenger, { ...mentioned, chatId, textArgument: 'text', replyTo, forward }, context);
    const { reply, mentions = [] } = draft.preview;
    return {
      ...draft,
      echo: {
        text: mentioned.text,
        text_preview: readableText(mentioned.text, mentions),
        mentions,
        ...(reply && { reply_to_message_id: reply.messageId, reply_quote: reply.quote, quote_truncated: reply.truncated }),
        ...(forwardFrom !== undefined && { forward_from: forwardFrom, form_status: 'documented' }),
      },
    };
  },
});
