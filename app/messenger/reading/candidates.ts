/** Chats that a name may mean, and how they are told. */
import type { ChatCandidate, ChatKind, ChatResolution, PersonHit, ResolvedChat } from '../api.ts';
import { privateChatId } from '../ids.ts';
import { foldName } from '../text.ts';
import { isoFromMcs } from '../time.ts';
import type { ChatEntry } from './chat-entry.ts';

const MAX_CANDIDATES = 20;

export interface Found extends ChatCandidate {
  /** Folded names the query may equal. */
  readonly names: readonly string[];
  /** False for a person no chat is known with. */
  readonly hasChat: boolean;
  readonly activity: string;
}

export function foundChat(
  chat: { chatId: string; name: string | undefined; kind: ChatKind },
  via: ResolvedChat['via'],
  names: readonly string[],
  activity: string,
  hint: string | undefined,
): Found {
  return {
    chat_id: chat.chatId,
    ...(chat.name !== undefined && { name: chat.name }),
    kind: chat.kind,
    via,
    ...(hint && { hint }),
    names,
    hasChat: true,
    activity,
  };
}

export function foundPerson(hit: PersonHit, me: string, entry: ChatEntry | undefined): Found {
  const hint = [hit.hint, entry ? undefined : 'no chat with them yet'].filter((part) => part !== undefined).join(', ');
  return {
    chat_id: privateChatId(me, hit.guid),
    ...(hit.name !== undefined && { name: hit.name }),
    kind: 'private',
    via: 'user_search',
    ...(hint !== '' && { hint }),
    names: [],
    hasChat: entry !== undefined,
    activity: entry?.lastActivityMcs ?? '0',
  };
}

export function candidateOf({ chat_id, name, kind, via, hint }: Found): ChatCandidate {
  return { chat_id, ...(name !== undefined && { name }), kind, via, ...(hint !== undefined && { hint }) };
}

export function ambiguous(found: readonly Found[]): ChatResolution {
  return { status: 'ambiguous_chat', candidates: found.slice(0, MAX_CANDIDATES).map(candidateOf) };
}

export function nameNotFound(): ChatResolution {
  return {
    status: 'chat_not_found',
    reason: 'name_not_found',
    candidates: [],
    next_step: 'No chat and no person has this name. Check the spelling, look in list_chats, or pass a chat_id or a link.',
  };
}

/** One of the person's own chats, with what tells it from another of its name. */
export function foundEntry(entry: ChatEntry, timeZone: string): Found {
  const active = entry.lastActivityMcs === undefined ? undefined : `last message ${isoFromMcs(entry.lastActivityMcs, timeZone).slice(0, 10)}`;
  const hint = [entry.partnerHint, entry.members === undefined ? undefined : `${entry.members} members`, active]
    .filter((part) => part !== undefined)
    .join(', ');
  return foundChat(entry, 'chat_search', [foldName(entry.name ?? '')], entry.lastActivityMcs ?? '0', hint);
}
