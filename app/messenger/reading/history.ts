/** Pages of messages and windows around one (protocol §4, `history`). */
import { mcsToJson, type JsonObject } from '../../wire/index.ts';
import type { Call } from '../api.ts';
import { compareMessageIds, parentChatId, parseThreadId, shiftMessageId } from '../ids.ts';
import type { Message } from '../model.ts';
import { isServerRefusal } from '../errors.ts';
import { arrayAt, isJsonObject, objectAt, stringAt } from '../normalise/fields.ts';
import { messageIdOf, prevIdOf } from '../normalise/message.ts';
import type { ReadingBase } from './base.ts';
import { entryOrEmpty, type ChatEntry } from './chat-entry.ts';
import { readNewer } from './newer.ts';

export interface PageRequest {
  readonly chatId: string;
  readonly limit: number;
  /** Exclusive upper bound, microseconds (L). */
  readonly beforeMcs?: string;
  /** Inclusive lower bound, microseconds. */
  readonly fromMcs?: string;
  readonly inviteHash?: string;
}

export interface Page {
  readonly entry: ChatEntry;
  /** Oldest first. */
  readonly messages: Message[];
  /** Whether older messages of the window may follow; then the oldest id here is the cursor. */
  readonly hasMore: boolean;
}

export interface Around {
  readonly before: Message[];
  readonly message: Message | undefined;
  readonly after: Message[];
}

/** Largest page asked for, the seed's own bound. */
const MAX_PAGE = 200;

export class History {
  constructor(private readonly base: ReadingBase) {}

  /**
   * The newest `limit` messages of the window. The lower bound is kept here and not on the wire: which end of a window with a
   * `MinTimestamp` a limited answer holds is unknown, while `MaxTimestamp` alone surely gives the newest end (protocol §4, L).
   * @throws ReadStatusError status 4 for an unknown chat
   */
  async page(request: PageRequest, call: Call): Promise<Page> {
    const { chatId, limit, beforeMcs, fromMcs, inviteHash } = request;
    const myGuid = await this.base.myGuid(call);
    const answer = await this.read({ ChatId: chatId, Limit: limit, ...max(beforeMcs), ...(inviteHash !== undefined && { InviteHash: inviteHash }) }, call);
    const entry = entryOrEmpty(answer, chatId);
    await this.learnInviteHash(entry, call);
    const servers = sorted(entry.messages);
    const within = servers.filter(({ id }) => (fromMcs === undefined || id >= fromMcs) && (beforeMcs === undefined || id < beforeMcs));
    const oldest = within[0];
    const crossedTheBound = fromMcs !== undefined && servers.some(({ id }) => id < fromMcs);
    return {
      entry,
      messages: this.base.normaliseAll(
        within.map(({ server }) => server),
        chatId,
        myGuid,
      ),
      hasMore: oldest !== undefined && !crossedTheBound && hasOlder(oldest, servers.length >= limit, fromMcs),
    };
  }

  /**
   * Exactly `before` older and `after` newer neighbours of a moment, as far as they exist.
   * @param pivotMcs need not be a message of the chat
   */
  async around(request: { chatId: string; pivotMcs: string; before: number; after: number; inviteHash?: string }, call: Call): Promise<Around> {
    const { chatId, pivotMcs, before, after, inviteHash } = request;
    const invite = inviteHash === undefined ? {} : { InviteHash: inviteHash };
    const myGuid = await this.base.myGuid(call);
    const older: Keyed[] = [];
    let pivot: Keyed | undefined;
    let bound = shiftMessageId(pivotMcs, 1);
    for (;;) {
      const limit = Math.min(MAX_PAGE, before - older.length + (bound > pivotMcs ? 1 : 0));
      const entry = entryOrEmpty(await this.read({ ChatId: chatId, Limit: limit, ...max(bound), ...invite }, call), chatId);
      if (bound > pivotMcs) await this.learnInviteHash(entry, call);
      const page = sorted(entry.messages).filter(({ id }) => compareMessageIds(id, bound) < 0);
      pivot ??= page.find(({ id }) => id === pivotMcs);
      older.unshift(...page.filter(({ id }) => id !== pivotMcs));
      const oldest = page[0];
      if (!oldest || older.length >= before || !hasOlder(oldest, page.length >= limit, undefined)) break;
      bound = oldest.id;
    }
    const newer = after === 0 ? [] : await readNewer((params) => this.servers(chatId, { ...params, ...invite }, call), pivotMcs, after);
    const normalise = (servers: readonly JsonObject[]) => this.base.normaliseAll(servers, chatId, myGuid);
    return {
      before: before === 0 ? [] : normalise(older.slice(-before).map(({ server }) => server)),
      message: pivot && normalise([pivot.server])[0],
      after: normalise(newer),
    };
  }

  /** `ServerMessage`s of one raw window, oldest first. */
  async servers(chatId: string, params: JsonObject, call: Call): Promise<JsonObject[]> {
    const answer = await this.read({ ChatId: chatId, ...params }, call);
    return sorted(entryOrEmpty(answer, chatId).messages).map(({ server }) => server);
  }

  read(params: JsonObject, call: Call): Promise<JsonObject> {
    return this.base.ports.wire.read('history', params, call);
  }

  /**
   * A thread's messages are linked through the parent's invite hash (protocol §1, B): asked for once per parent, and a refusal
   * only means that the link goes by chat id.
   */
  private async learnInviteHash(entry: ChatEntry, call: Call): Promise<void> {
    const { inviteHashes, ports } = this.base;
    if (entry.inviteHash !== undefined && !parseThreadId(entry.chatId)) inviteHashes.set(entry.chatId, entry.inviteHash);
    const parent = parentChatId(entry.chatId);
    if (parent === entry.chatId || !/^[01]\//.test(parent) || inviteHashes.has(parent)) return;
    try {
      const data = await ports.wire.registry('get_chats_info', { chat_ids: [parent] }, call);
      const info = arrayAt(isJsonObject(data) ? data : undefined, 'chats').find((chat) => isJsonObject(chat) && chat['chat_id'] === parent);
      inviteHashes.set(parent, (isJsonObject(info) && (stringAt(info, 'invite_hash') ?? stringAt(objectAt(info, 'chat_info'), 'invite_hash'))) || null);
    } catch (error) {
      if (!isServerRefusal(error)) throw error;
      inviteHashes.set(parent, null);
    }
  }
}

interface Keyed {
  readonly id: string;
  readonly server: JsonObject;
}

/** Oldest first, as the server gives them (L); sorted again, because a cursor rests on it. Without an id nothing can be ordered. */
function sorted(servers: readonly JsonObject[]): Keyed[] {
  return servers
    .flatMap((server) => {
      const id = messageIdOf(server);
      return id === undefined ? [] : [{ id, server }];
    })
    .sort((a, b) => compareMessageIds(a.id, b.id));
}

/** Whether something older than `oldest` is in the window: its `PrevTimestamp` says so (L); without one, a full page suggests it. */
function hasOlder(oldest: Keyed, isFull: boolean, fromMcs: string | undefined): boolean {
  const prev = prevIdOf(oldest.server);
  if (prev === undefined) return isFull;
  return prev !== '0' && (fromMcs === undefined || compareMessageIds(prev, fromMcs) >= 0);
}

function max(beforeMcs: string | undefined): JsonObject {
  return beforeMcs === undefined ? {} : { MaxTimestamp: mcsToJson(beforeMcs) };
}
