import { z } from 'zod';
import { preparePoll } from '../../messenger/writing/index.ts';
import { chatArgument } from '../tool.ts';
import { defineProposal } from './write-support.ts';

/** Sends a new poll. */
export const createPoll = defineProposal({
  name: 'create_poll',
  title: 'Create a poll',
  description: 'Sends a poll to a chat.',
  input: z.strictObject({
    chat: chatArgument,
    title: z.string().max(1000).describe('The question'),
    answers: z.array(z.string().max(500)).min(2).max(50).describe('The answers to choose from, at least two'),
    anonymous: z.boolean().default(false).describe('true: nobody sees who voted for what'),
    multiple: z.boolean().default(false).describe('true: several answers may be chosen'),
  }),
  output: { title: z.string(), answers: z.array(z.string()), anonymous: z.boolean(), multiple: z.boolean() },
  async canonicalise({ chat: query, title, answers, anonymous, multiple }, context) {
    const chat = await context.chat(query);
    return { chatId: chat.chatId, fields: { title, answers, anonymous, multiple } };
  },
  async prepare({ title, answers, anonymous, multiple }, { chatId }, context) {
    const poll = { chatId, title, answers, isAnonymous: anonymous, isMultiple: multiple };
    return { ...(await preparePoll(context.services.messenger, poll, context)), echo: { title, answers, anonymous, multiple } };
  },
});
