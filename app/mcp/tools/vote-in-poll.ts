import { z } from 'zod';
import { canonicalChoices, prepareVote } from '../../messenger/writing/index.ts';
import { chatArgument, messageIdArgument } from '../tool.ts';
import { defineProposal, formStatusOutput, requireMessageId } from './write-support.ts';

/** Votes in a poll, or changes the vote. */
export const voteInPoll = defineProposal({
  name: 'vote_in_poll',
  title: 'Vote in a poll',
  description:
    'Votes in a poll; voting again replaces the earlier choice. In a poll that is not anonymous everybody sees who voted, and having voted cannot be undone.',
  input: z.strictObject({
    chat: chatArgument,
    message_id: messageIdArgument,
    choices: z.array(z.number().int().min(0).max(1000)).max(100).describe('The full set of chosen answers: their 0-based numbers as get_poll lists them'),
  }),
  output: {
    message_id: z.string(),
    question: z.string(),
    choices: z.array(z.number()),
    options: z.array(z.looseObject({ text: z.string(), chosen: z.boolean() })).describe('Every answer in order, and whether it is chosen'),
    is_anonymous: z.boolean(),
    form_status: formStatusOutput,
  },
  async canonicalise(args, context) {
    const chat = await context.chat(args.chat);
    const messageId = requireMessageId('message_id', args.message_id);
    const choices = canonicalChoices(args.choices);
    return { chatId: chat.chatId, fields: { message_id: messageId, choices }, messageId, choices };
  },
  async prepare(_args, { chatId, messageId, choices }, context) {
    const { poll, ...draft } = await prepareVote(context.services.messenger, { chatId, messageId, choices }, context);
    return {
      ...draft,
      echo: {
        message_id: messageId,
        question: poll.title,
        choices,
        options: draft.preview.vote?.options ?? [],
        is_anonymous: poll.isAnonymous,
        form_status: 'verified',
      },
    };
  },
});
