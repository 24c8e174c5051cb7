/** Polls: question and options stand in the message, votes in `poll_info` (protocol §4, L). */
import { mcsToJson, type JsonObject } from '../../wire/index.ts';
import type { Call } from '../api.ts';
import type { Actor, Person } from '../model.ts';
import { pollOf, readClientMessage } from '../normalise/body.ts';
import { arrayAt, numberAt, numberOf, numbersAt, objectAt, objectsAt } from '../normalise/fields.ts';
import { actorOf, personOf } from '../normalise/people.ts';
import type { ReadingBase } from './base.ts';
import type { Messages } from './messages.ts';

/** How many voters of each answer are asked for. */
const VOTERS_LIMIT = 200;

export interface PollAnswer {
  readonly index: number;
  readonly text: string;
  readonly votes: number;
  /** Absent for an anonymous poll: the server hides who voted, whoever asks. */
  readonly voters?: readonly Actor[];
  readonly voters_complete?: boolean;
}

export interface PollReading {
  readonly title: string | undefined;
  readonly answers: readonly PollAnswer[];
  readonly myChoices: readonly number[];
  readonly maxChoices: number | undefined;
  readonly isAnonymous: boolean;
  /** People who voted, not votes. */
  readonly votedCount: number;
  readonly recentVoters: readonly Person[];
  /** `Results.Answers`: votes per option; empty before the first vote. */
  readonly results: readonly number[];
  readonly raw: JsonObject;
}

export type PollOutcome = { readonly status: 'ok'; readonly poll: PollReading } | { readonly status: 'not_a_poll' | 'message_not_found' };

export class Polls {
  constructor(
    private readonly base: ReadingBase,
    private readonly messages: Messages,
  ) {}

  /** @throws ReadStatusError status 4 for an unknown chat */
  async read(chatId: string, messageId: string, call: Call, inviteHash?: string): Promise<PollOutcome> {
    const message = await this.messages.raw(chatId, messageId, call, inviteHash);
    if (!message) return { status: 'message_not_found' };
    const content = objectAt(readClientMessage(objectAt(message.server, 'ClientMessage')).body, 'Poll');
    if (!content || objectAt(message.server, 'ServerMessageInfo')?.['Deleted'] === true) return { status: 'not_a_poll' };
    const params = { ChatId: chatId, Timestamp: mcsToJson(messageId), Limit: VOTERS_LIMIT, ReturnResults: true };
    const raw = await this.base.ports.wire.read('poll_info', params, call);
    return { status: 'ok', poll: this.combine(content, raw) };
  }

  private combine(content: JsonObject, raw: JsonObject): PollReading {
    const { timeZone } = this.base.ports.settings();
    const poll = pollOf(content);
    const results = objectAt(raw, 'Results');
    const votes = arrayAt(results, 'Answers').map((count) => numberOf(count) ?? 0);
    // `AnswerId` is absent for the first option.
    const voters = new Map(objectsAt(raw, 'AnswerVotes').map((entry) => [numberAt(entry, 'AnswerId') ?? 0, entry]));
    const choices = numbersAt(raw, 'MyChoices');
    return {
      title: poll.title,
      answers: poll.answers.map((text, index) => {
        const entry = voters.get(index);
        const who = objectsAt(entry, 'Votes').map((vote) => actorOf(vote, timeZone));
        const count = votes[index] ?? 0;
        return { index, text, votes: count, ...(entry && { voters: who, voters_complete: who.length >= (numberAt(entry, 'TotalCount') ?? count) }) };
      }),
      myChoices: choices.length > 0 ? choices : (poll.my_choices ?? []),
      maxChoices: poll.max_choices,
      isAnonymous: poll.is_anonymous,
      votedCount: numberAt(results, 'VotedCount') ?? 0,
      recentVoters: objectsAt(results, 'RecentVoters')
        .map((voter) => personOf(objectAt(voter, 'UserInfo') ?? voter))
        .filter((voter) => voter !== undefined),
      results: votes,
      raw,
    };
  }
}
