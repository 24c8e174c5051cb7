/** From what an agent calls a chat to the chat: literal ids, links, the person's own chat, names. Never guesses, never creates one. */
import type { Call, ChatResolution, ResolvedChat } from '../api.ts';
import { isEntityNotFound, isServerRefusal, isServerTrouble } from '../errors.ts';
import { isGuid, kindOfChatId, parseChatId, privateChatId, threadIdOf } from '../ids.ts';
import { looksLikeLink, parseLink, type MessengerLink } from '../links.ts';
import { isJsonObject, numberAt, objectsAt, stringAt } from '../normalise/fields.ts';
import { foldName } from '../text.ts';
import type { ReadingBase } from './base.ts';
import { ambiguous, candidateOf, foundChat, foundEntry, foundPerson, nameNotFound, type Found } from './candidates.ts';
import { SELF_CHAT_NAME, type ChatEntry } from './chat-entry.ts';
import type { Chats } from './chats.ts';
import { personHitOf } from './people.ts';
import type { Search } from './search.ts';

/** What Messenger's own interfaces call the chat with oneself. */
const SELF_NAMES: ReadonlySet<string> = new Set([SELF_CHAT_NAME, 'Saved', 'Saved Messages', 'Saved message'].map(foldName));

const SEARCH_START = 50;

/** The same words for a chat that is hidden and for one that is not there: hidden chats do not exist (design §4). */
export const NO_SUCH_CHAT: Extract<ChatResolution, { status: 'chat_not_found' }> = {
  status: 'chat_not_found',
  reason: 'entity_not_found',
  candidates: [],
  next_step: 'Check the chat_id, or find the chat with list_chats or search.',
};

const THREAD_UNSUPPORTED: ChatResolution = {
  status: 'thread_unsupported',
  reason: 'Threads of this kind of chat (business chats, 2/…) have no id that could be derived; only group, channel and private chats have threads.',
};

export class Resolver {
  constructor(
    private readonly base: ReadingBase,
    private readonly chats: Chats,
    private readonly search: Search,
  ) {}

  async resolve(query: string, call: Call): Promise<ChatResolution> {
    const text = query.trim();
    if (isGuid(text.toLowerCase())) return this.person(text.toLowerCase(), 'literal', call);
    const literal = this.literal(text, 'literal');
    if (literal) return literal;
    if (looksLikeLink(text)) return this.link(text, call);
    return this.name(text, call);
  }

  /** An id is taken at its word: the read that follows finds out whether there is such a chat, at no extra cost. */
  private literal(text: string, via: 'literal' | 'link'): ChatResolution | undefined {
    const parts = parseChatId(text);
    if (!parts) return /^1\d\d\/\d+\/.+_\d{16}$/.test(text) ? THREAD_UNSUPPORTED : undefined;
    return this.found({ chatId: parts.chatId, name: parts.kind === 'self' ? SELF_CHAT_NAME : undefined, kind: parts.kind, via });
  }

  private found(chat: ResolvedChat): ChatResolution {
    return this.base.isHidden(chat.chatId) ? NO_SUCH_CHAT : { status: 'resolved', chat };
  }

  private async person(guid: string, via: ResolvedChat['via'], call: Call): Promise<ChatResolution> {
    const me = await this.base.myGuid(call);
    const isSelf = guid === me;
    return this.found({ chatId: privateChatId(me, guid), name: isSelf ? SELF_CHAT_NAME : undefined, kind: isSelf ? 'self' : 'private', via });
  }

  private async link(text: string, call: Call): Promise<ChatResolution> {
    const link = parseLink(text);
    if (!link) {
      return {
        status: 'chat_not_found',
        reason: 'invalid_link',
        candidates: [],
        next_step: 'This is not a link into Messenger that Vestnik understands (join, chats, c, user or staff after the #). Pass a chat_id or a name instead.',
      };
    }
    const resolution = await this.linkTarget(link, call);
    if (resolution.status !== 'resolved' || link.messageId === undefined) return resolution;
    const chat: ResolvedChat = { ...resolution.chat, messageId: link.messageId };
    if (link.form !== 'join' || link.threadParentId === undefined) return { status: 'resolved', chat };
    const threadId = threadIdOf(chat.chatId, link.threadParentId);
    return threadId === undefined ? THREAD_UNSUPPORTED : { status: 'resolved', chat: { ...chat, chatId: threadId, kind: 'thread' } };
  }

  private async linkTarget(link: MessengerLink, call: Call): Promise<ChatResolution> {
    switch (link.form) {
      case 'chats':
        return this.literal(link.chatId, 'link') ?? NO_SUCH_CHAT;
      case 'user':
        return isGuid(link.guid) ? this.person(link.guid, 'link', call) : NO_SUCH_CHAT;
      case 'staff':
        return this.nickname(link.nickname, call);
      case 'join':
        return this.byRegistry({ invite_hash: link.inviteHash }, call, link.inviteHash);
      case 'alias':
        return this.byRegistry({ alias: link.alias }, call);
    }
  }

  /** Registry `get_chats_info` by invite hash or alias (protocol §1, B). */
  private async byRegistry(params: { invite_hash: string } | { alias: string }, call: Call, inviteHash?: string): Promise<ChatResolution> {
    let chatId: string | undefined;
    let name: string | undefined;
    try {
      const data = await this.base.ports.wire.registry('get_chats_info', params, call);
      const info = isJsonObject(data) ? objectsAt(data, 'chats')[0] : undefined;
      chatId = stringAt(info, 'chat_id');
      name = stringAt(info, 'name');
    } catch (error) {
      // An unwell server has not said that there is no such chat.
      if (!isServerRefusal(error) || isServerTrouble(error)) throw error;
    }
    if (chatId === undefined) return NO_SUCH_CHAT;
    if (inviteHash !== undefined) this.base.inviteHashes.set(chatId, inviteHash);
    return this.found({ chatId, name, kind: kindOfChatId(chatId), via: 'link', ...(inviteHash !== undefined && { inviteHash }) });
  }

  private async nickname(nickname: string, call: Call): Promise<ChatResolution> {
    const wanted = foldName(nickname);
    const { found } = await this.search.run({ query: nickname, entities: ['users'], startLimit: SEARCH_START }, call);
    const users = found.users ?? [];
    const exact = users.filter((user) => foldName(stringAt(user, 'nickname') ?? '') === wanted);
    const hits = (exact.length > 0 ? exact : users).flatMap(personHitOf);
    if (hits.length === 1) return this.person(hits[0]!.guid, 'link', call);
    if (hits.length === 0) return NO_SUCH_CHAT;
    const me = await this.base.myGuid(call);
    const candidates = hits.map((hit) => foundPerson(hit, me, undefined)).filter((each) => !this.base.isHidden(each.chat_id));
    return candidates.length === 0 ? NO_SUCH_CHAT : ambiguous(candidates);
  }

  /** Names: the person's own chats, the server's chats, then people. One exact match wins over partial ones; two are ambiguous. */
  private async name(text: string, call: Call): Promise<ChatResolution> {
    const me = await this.base.myGuid(call);
    const wanted = foldName(text.replace(/^@(?=\S)/u, ''));
    if (wanted === '') return nameNotFound();
    const { timeZone } = this.base.ports.settings();
    const isSelfName = SELF_NAMES.has(wanted);
    const [own, hits] = await Promise.all([this.chats.list(call), this.searchNames(text.replace(/^@(?=\S)/u, ''), call)]);
    const found = new Map<string, Found>();
    if (isSelfName) {
      const chatId = privateChatId(me, me);
      if (!this.base.isHidden(chatId)) found.set(chatId, foundChat({ chatId, name: SELF_CHAT_NAME, kind: 'self' }, 'self', [wanted], '0', undefined));
    }
    const matchesOwn = (entry: ChatEntry) => entry.name !== undefined && foldName(entry.name).includes(wanted);
    for (const entry of own.filter((each) => each.kind !== 'self' && each.kind !== 'thread' && matchesOwn(each)))
      found.set(entry.chatId, foundEntry(entry, timeZone));
    const ownById = new Map(own.map((entry) => [entry.chatId, entry]));
    for (const chat of hits.chats) {
      const chatId = stringAt(chat, 'chat_id');
      if (chatId === undefined || found.has(chatId) || this.base.isHidden(chatId)) continue;
      const entry = ownById.get(chatId);
      const members = numberAt(chat, 'members_count');
      const name = stringAt(chat, 'name') ?? entry?.name;
      found.set(
        chatId,
        entry
          ? { ...foundEntry(entry, timeZone), names: [foldName(name ?? ''), foldName(entry.name ?? '')] }
          : foundChat(
              { chatId, name, kind: kindOfChatId(chatId) },
              'chat_search',
              [foldName(name ?? '')],
              '0',
              members === undefined ? undefined : `${members} members`,
            ),
      );
    }
    for (const user of hits.users) {
      for (const hit of personHitOf(user)) {
        // Oneself is no partner: the self chat has its own names.
        if (hit.guid === me) continue;
        const chatId = privateChatId(me, hit.guid);
        if (this.base.isHidden(chatId)) continue;
        const names = [foldName(hit.name ?? ''), foldName(stringAt(user, 'nickname') ?? '')];
        const known = found.get(chatId);
        found.set(
          chatId,
          known ? { ...known, via: 'user_search', names: [...known.names, ...names] } : { ...foundPerson(hit, me, ownById.get(chatId)), names },
        );
      }
    }
    return this.choose([...found.values()], wanted, hits.failure, call);
  }

  private async choose(all: readonly Found[], wanted: string, searchFailure: Error | undefined, call: Call): Promise<ChatResolution> {
    const exact = all.filter((each) => each.names.includes(wanted));
    const pool = exact.length > 0 ? exact : all;
    if (pool.length > 1) return ambiguous([...pool].sort((a, b) => (a.activity < b.activity ? 1 : a.activity > b.activity ? -1 : 0)));
    const only = pool[0];
    if (!only) {
      // Without the server's search "not found" would be a guess.
      if (searchFailure !== undefined) throw searchFailure;
      return nameNotFound();
    }
    if (!only.hasChat && !(await this.exists(only.chat_id, call))) {
      return {
        status: 'chat_not_found',
        reason: 'person_without_chat',
        candidates: [candidateOf(only)],
        next_step: 'The person was found, but there is no chat with them yet. Ask the person you work for to write to them first in Messenger.',
      };
    }
    return this.found({ chatId: only.chat_id, name: only.name, kind: only.kind, via: only.via });
  }

  private async exists(chatId: string, call: Call): Promise<boolean> {
    try {
      await this.chats.entry(chatId, call);
      return true;
    } catch (error) {
      if (isEntityNotFound(error)) return false;
      throw error;
    }
  }

  private async searchNames(query: string, call: Call) {
    try {
      const { found } = await this.search.run({ query, entities: ['chats', 'users'], startLimit: SEARCH_START }, call);
      return { chats: found.chats ?? [], users: found.users ?? [], failure: undefined };
    } catch (error) {
      if (!isServerRefusal(error)) throw error;
      return { chats: [], users: [], failure: error };
    }
  }
}
