/** Registry `search` (protocol §4, L): no paging on the server, so completeness comes from raising the limit. */
import type { JsonObject } from '../../wire/index.ts';
import type { Call } from '../api.ts';
import { arrayAt, isJsonObject, numberAt, objectAt } from '../normalise/fields.ts';
import type { ReadingBase } from './base.ts';

export const SEARCH_ENTITIES = ['messages', 'users', 'chats'] as const;
export type SearchEntity = (typeof SEARCH_ENTITIES)[number];

/** Our ceiling; the server's own is unknown, 1000 was answered (L). */
export const SEARCH_CEILING = 1000;
const ESCALATION_FACTOR = 4;

export interface SearchRequest {
  readonly query: string;
  readonly entities: readonly SearchEntity[];
  readonly startLimit: number;
  readonly chatId?: string;
}

export interface SearchAnswer {
  /** `data` of each item, in the server's order; only the asked entities. */
  readonly found: Readonly<Partial<Record<SearchEntity, readonly JsonObject[]>>>;
  readonly escalation: { readonly start_limit: number; readonly final_limit: number; readonly requests: number };
  /** Entities that were still full at the ceiling. */
  readonly saturated: readonly SearchEntity[];
}

export class Search {
  constructor(private readonly base: ReadingBase) {}

  /** Asks, and asks again with a higher limit for whatever came back full, until nothing is or the ceiling is reached. */
  async run(request: SearchRequest, call: Call): Promise<SearchAnswer> {
    const found: Partial<Record<SearchEntity, readonly JsonObject[]>> = {};
    let limit = Math.min(request.startLimit, SEARCH_CEILING);
    let pending: readonly SearchEntity[] = request.entities;
    let requests = 0;
    for (;;) {
      const params = { query: request.query, limit, entities: [...pending], ...(request.chatId !== undefined && { chat_id: request.chatId }) };
      const data = await this.base.ports.wire.registry('search', params, call);
      requests += 1;
      const full: SearchEntity[] = [];
      for (const entity of pending) {
        const bucket = objectAt(data, entity);
        const items = arrayAt(bucket, 'items').flatMap(itemData);
        found[entity] = items;
        // `total` is the number returned, not the number there is (L).
        if (items.length >= limit || (numberAt(bucket, 'total') ?? 0) >= limit) full.push(entity);
      }
      pending = full;
      if (full.length === 0 || limit >= SEARCH_CEILING) break;
      limit = Math.min(limit * ESCALATION_FACTOR, SEARCH_CEILING);
    }
    return { found, escalation: { start_limit: Math.min(request.startLimit, SEARCH_CEILING), final_limit: limit, requests }, saturated: pending };
  }
}

function itemData(item: unknown): JsonObject[] {
  if (!isJsonObject(item)) return [];
  return [objectAt(item, 'data') ?? item];
}
