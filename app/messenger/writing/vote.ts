import { createHash } from 'node:crypto';
import { z } from 'zod';
import { mcsToJson } from '../../wire/index.ts';
import type { Call } from '../api.ts';
import { vote } from './client-messages.ts';
import type { DoubtWords } from './outcomes.ts';
import type { Look, Pusher } from './push-once.ts';
import { MESSAGE_BUDGET_MS } from './send-message.ts';
import { pollOf, type PollBody, type TargetView } from './target.ts';
import { describeDraftChat, requireTarget, targetForDraft, verifyWithin } from './verify.ts';
import { WritingRefusal, type Operation, type PreparedDraft, type WritingDeps, type WritingDraft } from './types.ts';

const WORDS: DoubtWords = { what: 'The vote', look: 'Read the poll again with get_poll and compare my_choices.' };
/** The form of a vote is proven live (protocol §6, L). */
const EXTRA = { form_status: 'verified' };

const payloadSchema = z.object({ messageId: z.string(), choices: z.array(z.number().int()), pollHash: z.string() });

export interface PreparedVote extends PreparedDraft {
  readonly poll: PollBody;
}

/** Choices in the order of the answers, each once: the set is what counts. */
export function canonicalChoices(choices: readonly number[]): number[] {
  return [...new Set(choices)].sort((a, b) => a - b);
}

/** Reads the poll and checks the choices against it. Sends nothing. @throws WritingRefusal, WireErrors */
export async function prepareVote(
  deps: WritingDeps,
  input: { chatId: string; messageId: string; choices: readonly number[] },
  call: Call,
): Promise<PreparedVote> {
  const target = await targetForDraft(deps, input.chatId, input.messageId, call);
  const poll = pollOf(target.body);
  if (!poll) {
    throw new WritingRefusal('not_a_poll', 'This message is not a poll.', 'Find the poll with get_history (kind: poll) and pass its message_id.', {
      chat_id: input.chatId,
      message_id: input.messageId,
    });
  }
  const choices = canonicalChoices(input.choices);
  requireChoices(choices, poll);
  return {
    chat: await describeDraftChat(deps, input.chatId, call),
    payload: { messageId: input.messageId, choices, pollHash: hashOf(poll) } satisfies z.infer<typeof payloadSchema>,
    preview: {
      vote: {
        messageId: input.messageId,
        question: poll.title,
        options: poll.answers.map((text, index) => ({ text, chosen: choices.includes(index) })),
        isAnonymous: poll.isAnonymous,
      },
    },
    poll,
  };
}

export function voteOperation(deps: WritingDeps, pusher: Pusher): Operation {
  const parse = (draft: WritingDraft) => payloadSchema.parse(draft.payload);
  const requireSamePoll = async (draft: WritingDraft, call: Call): Promise<void> => {
    const { messageId, pollHash } = parse(draft);
    const target: TargetView = await requireTarget(deps, draft.chat.id, messageId, call);
    const poll = pollOf(target.body);
    if (!poll || hashOf(poll) !== pollHash) {
      throw new WritingRefusal(
        'target_changed',
        'The poll has changed since the draft was made. Nothing was sent.',
        'Read the poll again and make a new draft.',
      );
    }
  };
  return {
    tool: 'vote_in_poll',
    budgetMs: MESSAGE_BUDGET_MS,
    verify: (draft, context) => verifyWithin(deps, context, (call) => requireSamePoll(draft, call)),
    commit(draft, context) {
      const { messageId, choices } = parse(draft);
      const variant = () => vote(draft.chat.id, messageId, choices);
      return pusher.commit({ variant, words: WORDS, look: look(deps, draft.chat.id, parse(draft)), extra: { ...EXTRA, choices } }, context);
    },
    reconcile(draft, context) {
      const payload = parse(draft);
      return pusher.reconcile({ words: WORDS, look: look(deps, draft.chat.id, payload), extra: { ...EXTRA, choices: payload.choices } }, context);
    },
  };
}

/** The vote is there when `poll_info` gives these very choices as mine (protocol §4, L). */
function look(deps: WritingDeps, chatId: string, payload: z.infer<typeof payloadSchema>): Look {
  return async (signal) => {
    const params = { ChatId: chatId, Timestamp: mcsToJson(payload.messageId), Limit: 1, ReturnResults: true };
    const answer = await deps.ports.wire.read('poll_info', params, { signal });
    const mine = answer['MyChoices'];
    const choices = Array.isArray(mine) ? canonicalChoices(mine.filter((choice) => typeof choice === 'number')) : [];
    return choices.join() === payload.choices.join() ? true : undefined;
  };
}

function requireChoices(choices: readonly number[], poll: PollBody): void {
  const outside = choices.find((choice) => choice < 0 || choice >= poll.answers.length);
  const problem =
    choices.length === 0
      ? 'is empty: taking a vote back is not known to work.'
      : outside !== undefined
        ? `holds ${outside}, but the poll has the answers 0 to ${poll.answers.length - 1}.`
        : choices.length > poll.maxChoices
          ? `holds ${choices.length} answers, but the poll takes ${poll.maxChoices}.`
          : undefined;
  if (problem !== undefined) {
    throw new WritingRefusal('invalid_argument', `\`choices\` ${problem}`, 'Read the poll with get_poll and pass the 0-based numbers of the answers.');
  }
}

function hashOf(poll: PollBody): string {
  return createHash('sha256')
    .update(JSON.stringify([poll.title, poll.answers, poll.maxChoices, poll.isAnonymous]))
    .digest('hex');
}
