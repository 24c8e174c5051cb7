import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Call } from '../api.ts';
import { newMessage } from './client-messages.ts';
import type { Pusher } from './push-once.ts';
import { lookForMessage, MESSAGE_BUDGET_MS, NEW_MESSAGE_WORDS } from './send-message.ts';
import { isBlank, requireWholeCharacters } from './text.ts';
import { describeDraftChat, requireChat, requireChatForDraft, verifyWithin } from './verify.ts';
import { WritingRefusal, type Operation, type PreparedDraft, type WritingDeps, type WritingDraft } from './types.ts';

const WORDS = { ...NEW_MESSAGE_WORDS, what: 'The poll' };

const payloadSchema = z.object({
  payloadId: z.string(),
  title: z.string(),
  answers: z.array(z.string()).min(2),
  isAnonymous: z.boolean(),
  isMultiple: z.boolean(),
});

export interface NewPoll {
  readonly chatId: string;
  readonly title: string;
  readonly answers: readonly string[];
  readonly isAnonymous: boolean;
  readonly isMultiple: boolean;
}

/** Checks the poll and fixes its PayloadId. Sends nothing. @throws WritingRefusal, WireErrors */
export async function preparePoll(deps: WritingDeps, { chatId, ...poll }: NewPoll, call: Call): Promise<PreparedDraft> {
  if (isBlank(poll.title)) throw new WritingRefusal('invalid_argument', '`title` is empty.', 'Give the poll a question.');
  requireWholeCharacters(poll.title, 'title');
  for (const answer of poll.answers) requireWholeCharacters(answer, 'answers');
  const blank = poll.answers.findIndex(isBlank);
  if (blank >= 0) throw new WritingRefusal('invalid_argument', `\`answers\` holds an empty answer (number ${blank}).`, 'Give every answer a text.');
  await requireChatForDraft(deps, chatId, call);
  const payloadId = randomUUID();
  return {
    chat: await describeDraftChat(deps, chatId, call),
    payload: { payloadId, ...poll, answers: [...poll.answers] } satisfies z.infer<typeof payloadSchema>,
    payloadId,
    preview: { poll },
  };
}

/** Sends a poll as a new message (protocol §6, L). */
export function pollOperation(deps: WritingDeps, pusher: Pusher): Operation {
  const parse = (draft: WritingDraft) => payloadSchema.parse(draft.payload);
  return {
    tool: 'create_poll',
    budgetMs: MESSAGE_BUDGET_MS,
    verify: (draft, context) => verifyWithin(deps, context, (call) => requireChat(deps, draft.chat.id, call)),
    commit(draft, context) {
      const { payloadId, ...poll } = parse(draft);
      const variant = () => newMessage({ chatId: draft.chat.id, payloadId, poll });
      return pusher.commit({ variant, words: WORDS, look: lookForMessage(deps, draft, payloadId) }, context);
    },
    reconcile: (draft, context) => pusher.reconcile({ words: WORDS, look: lookForMessage(deps, draft, parse(draft).payloadId) }, context),
  };
}
