/** Who reacted and who read, without the cut of the siblings (protocol §4, `list_reactions`, L): two calls. */
import { mcsToJson, type JsonObject } from '../../wire/index.ts';
import type { Call } from '../api.ts';
import type { Reaction, Reads } from '../model.ts';
import { actorsByType, readEntriesOf } from '../normalise/enrich.ts';
import { numberAt, objectsAt } from '../normalise/fields.ts';
import { describeReactionType } from '../reactions.ts';
import type { ReadingBase } from './base.ts';

export const REACTIONS_LIMIT = 50;
export const REACTIONS_CEILING = 1000;
const ESCALATION_FACTOR = 4;
const READS_MODE = 1;

export interface ReactionListing {
  readonly reactions: Reaction[];
  readonly reads: Reads;
  /** Lists that were still full at the ceiling. */
  readonly truncated: readonly ('reactions' | 'reads')[];
}

export interface ReactionsRequest {
  readonly chatId: string;
  readonly messageId: string;
  readonly limit: number;
  readonly inviteHash?: string;
}

export class ReactionLists {
  constructor(private readonly base: ReadingBase) {}

  /** @throws ReadStatusError status 4 where chat or message do not exist; the server does not say which */
  async read(request: ReactionsRequest, call: Call): Promise<ReactionListing> {
    const { timeZone } = this.base.ports.settings();
    const [reactions, reads] = await Promise.all([this.list(request, 'UserReactions', {}, call), this.list(request, 'UserReads', { Mode: READS_MODE }, call)]);
    const readCount = numberAt(reads.answer, 'ReadsCount');
    const actors = actorsByType(reactions.entries, timeZone);
    return {
      reactions: [...actors].map(([type, who]) => ({
        ...describeReactionType(type),
        count: who.length,
        actors: who,
        actors_complete: !reactions.isFull,
      })),
      reads:
        readCount === undefined && reads.answer['UserReads'] === undefined
          ? { tracked: false }
          : { tracked: true, count: readCount ?? reads.entries.length, recent: readEntriesOf(reads.entries, timeZone) },
      truncated: [...(reactions.isFull ? (['reactions'] as const) : []), ...(reads.isFull ? (['reads'] as const) : [])],
    };
  }

  /** `Limit` is required (L: without it PROXY_STATUS 2). A full list is asked for again with a higher one. */
  private async list(request: ReactionsRequest, key: string, extra: JsonObject, call: Call) {
    let limit = request.limit;
    for (;;) {
      const params = {
        ChatId: request.chatId,
        Timestamp: mcsToJson(request.messageId),
        Limit: limit,
        ...extra,
        ...(request.inviteHash !== undefined && { InviteHash: request.inviteHash }),
      };
      const answer = await this.base.ports.wire.read('list_reactions', params, call);
      const entries = objectsAt(answer, key);
      const count = numberAt(answer, 'ReadsCount');
      const isFull = count !== undefined && key === 'UserReads' ? entries.length < count && entries.length >= limit : entries.length >= limit;
      if (!isFull || limit >= REACTIONS_CEILING) return { answer, entries, isFull };
      limit = Math.min(limit * ESCALATION_FACTOR, REACTIONS_CEILING);
    }
  }
}
