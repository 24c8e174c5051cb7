import { z } from 'zod';
import { prepareEdit, readableText, resolveMentions } from '../../messenger/writing/index.ts';
import { chatArgument, messageIdArgument } from '../tool.ts';
import { candidatesOutput, defineProposal, mentionsArgument, mentionsOutput, requireMessageId, textArgument } from './write-support.ts';

/** Replaces the text of a message of the person's own. */
export const editMessage = defineProposal({
  name: 'edit_message',
  title: 'Edit a message',
  description: "Replaces the text of one of the person's own messages. The server refuses messages of others.",
  input: z.strictObject({
    chat: chatArgument,
    message_id: messageIdArgument,
    new_text: textArgument().describe('The whole new text. When confirming: as in the first call, or the will_text of the draft'),
    mentions: mentionsArgument
      .optional()
      .describe('The new full set of mentions, as in send_message. Absent: the message keeps those it has; []: it loses them'),
  }),
  output: {
    message_id: z.string(),
    was_text: z.string().describe('The text now'),
    will_text: z.string().describe('The text after the edit, mentions as `@<guid>`'),
    will_text_preview: z.string().describe('The same with names in place of guids; for reading only, never pass it back'),
    mentions: mentionsOutput,
    kept_mentions: mentionsOutput.describe('Mentions the message keeps because none were given'),
    mention: z.string().describe('The mention that could not be resolved'),
    candidates: candidatesOutput,
  },
  async canonicalise(args, context) {
    const chat = await context.chat(args.chat);
    const messageId = requireMessageId('message_id', args.message_id);
    // Keeping and clearing are different edits: null and [] must not have one fingerprint (the seed, «Правка и упоминания»).
    if (args.mentions === undefined) {
      const fields = { message_id: messageId, text: args.new_text, mentions: null };
      return { chatId: chat.chatId, fields, messageId, text: args.new_text, people: undefined };
    }
    const input = { text: args.new_text, mentions: args.mentions, chatId: chat.chatId };
    const { text, people } = await resolveMentions(context.services.messenger, input, context);
    const fields = { message_id: messageId, text, mentions: people.map(({ guid }) => guid) };
    return { chatId: chat.chatId, fields, messageId, text, people };
  },
  async prepare(_args, { chatId, messageId, text, people }, context) {
    const { wasText, keptMentions, ...draft } = await prepareEdit(context.services.messenger, { chatId, messageId, text, people }, context);
    const mentions = draft.preview.mentions ?? [];
    return {
      ...draft,
      echo: {
        message_id: messageId,
        was_text: wasText,
        will_text: text,
        will_text_preview: readableText(text, mentions),
        ...(people && { mentions }),
        ...(keptMentions.length > 0 && { kept_mentions: keptMentions }),
      },
    };
  },
});
