import { z } from 'zod';
import type { PollAnswer } from '../../messenger/reading/polls.ts';
import { estimateTokens } from '../budget.ts';
import { actorSchema, personSchema } from '../../messenger/model.ts';
import { chatArgument, defineTool, DomainResult, messageIdArgument, resultOf } from '../tool.ts';
import { addressed, MESSAGE_OR_LINK, messageNotFound } from './addressed.ts';

/** Voters stand twice in the result, once in our words and once as the server gave them; together they stay within a page. */
const ANSWERS_TOKENS = 4500;
const RAW_TOKENS = 2500;
const VOTERS_OF_AN_ANSWER = [100, 50, 25, 10, 5];
const TRUNCATED_VOTERS = 'size: there are more voters than a page holds; votes and voted_count count them all';

export const getPoll = defineTool({
  name: 'get_poll',
  title: 'Read a poll',
  description:
    'A poll: question, options with votes and voters, my own choice. voted_count counts people, votes count choices. An anonymous poll never tells who voted (voters_hidden). A message that is no poll answers not_a_poll.',
  effect: 'read',
  input: z.strictObject({ chat: chatArgument, message_id: messageIdArgument.optional().describe(MESSAGE_OR_LINK) }),
  required: ['message_id'],
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
    raw: z.looseObject({}).describe('The answer as the server gave it; without AnswerVotes when there are many voters'),
    truncated: z.boolean(),
    truncation_reason: z.string(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { chat, messageId } = await addressed(args, context);
    const outcome = await context.services.messenger.polls.read(chat.chatId, messageId, context, chat.inviteHash);
    if (outcome.status !== 'ok') throw outcome.status === 'not_a_poll' ? notAPoll(chat.chatId, messageId) : messageNotFound(chat.chatId, messageId);
    const { poll } = outcome;
    const answers = answersThatFit(poll.answers);
    const isRawTold = estimateTokens(poll.raw) <= RAW_TOKENS;
    const { AnswerVotes: _votes, ...rawWithoutVoters } = poll.raw;
    return {
      status: 'ok',
      chat_id: chat.chatId,
      message_id: messageId,
      is_poll: true,
      ...(poll.title !== undefined && { title: poll.title }),
      answers,
      my_choices: poll.myChoices,
      ...(poll.maxChoices !== undefined && { max_choices: poll.maxChoices }),
      is_anonymous: poll.isAnonymous,
      ...(poll.isAnonymous && { voters_hidden: true }),
      voted_count: poll.votedCount,
      recent_voters: poll.recentVoters,
      results: poll.results,
      raw: isRawTold ? poll.raw : rawWithoutVoters,
      ...(!(isRawTold && answers === poll.answers) && { truncated: true, truncation_reason: TRUNCATED_VOTERS }),
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

/** The options with as many voters each as fit; those left out are told by `voters_complete:false`. */
function answersThatFit(answers: readonly PollAnswer[]): readonly PollAnswer[] {
  let kept = answers;
  for (const most of VOTERS_OF_AN_ANSWER) {
    if (estimateTokens(kept) <= ANSWERS_TOKENS) break;
    kept = answers.map((answer) =>
      answer.voters && answer.voters.length > most ? { ...answer, voters: answer.voters.slice(0, most), voters_complete: false } : answer,
    );
  }
  return kept;
}
