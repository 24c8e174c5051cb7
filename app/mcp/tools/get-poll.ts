import { z } from 'zod';
import { actorSchema, personSchema } from '../../messenger/model.ts';
import { chatArgument, defineTool, DomainResult, messageIdArgument, resultOf } from '../tool.ts';
import { addressed, MESSAGE_OR_LINK, messageNotFound } from './addressed.ts';

export const getPoll = defineTool({
  name: 'get_poll',
  title: 'Read a poll',
  description:
    'A poll: question, options with votes and voters, my own choice. voted_count counts people, votes count choices. An anonymous poll never tells who voted (voters_hidden). A message that is no poll answers not_a_poll.',
  effect: 'read',
  input: z.strictObject({ chat: chatArgument, message_id: messageIdArgument.optional().describe(MESSAGE_OR_LINK) }),
  output: resultOf({
    chat_id: z.string(),
    message_id: z.string(),
    is_poll: z.boolean(),
    title: z.string(),
    answers: z.array(
      z.looseObject({
        index: z.number(),
        text: z.string(),
        votes: z.number(),
        voters: z.array(actorSchema).optional(),
        voters_complete: z.boolean().optional(),
      }),
    ),
    my_choices: z.array(z.number()).describe('0-based indexes into answers'),
    max_choices: z.number(),
    is_anonymous: z.boolean(),
    voters_hidden: z.boolean(),
    voted_count: z.number(),
    recent_voters: z.array(personSchema),
    results: z.array(z.number()).describe('Votes per option; empty before the first vote'),
    raw: z.looseObject({}).describe('The answer as the server gave it'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { chat, messageId } = await addressed(args, context);
    const outcome = await context.services.messenger.polls.read(chat.chatId, messageId, context, chat.inviteHash);
    if (outcome.status !== 'ok') throw outcome.status === 'not_a_poll' ? notAPoll(chat.chatId, messageId) : messageNotFound(chat.chatId, messageId);
    const { poll } = outcome;
    return {
      status: 'ok',
      chat_id: chat.chatId,
      message_id: messageId,
      is_poll: true,
      ...(poll.title !== undefined && { title: poll.title }),
      answers: poll.answers,
      my_choices: poll.myChoices,
      ...(poll.maxChoices !== undefined && { max_choices: poll.maxChoices }),
      is_anonymous: poll.isAnonymous,
      ...(poll.isAnonymous && { voters_hidden: true }),
      voted_count: poll.votedCount,
      recent_voters: poll.recentVoters,
      results: poll.results,
      raw: poll.raw,
    };
  },
});

function notAPoll(chatId: string, messageId: string): DomainResult {
  return new DomainResult({
    status: 'not_a_poll',
    chat_id: chatId,
    message_id: messageId,
    is_poll: false,
    message: 'This message is not a poll.',
    next_step: 'Polls have kind "poll" in get_history.',
  });
}
