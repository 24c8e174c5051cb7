import type { Body, Chat, SimMessage } from './chat.ts';
import { threadId } from './ids.ts';
import type { Person, World } from './world.ts';

/** The server's JSON for what the world holds, as `viewer` sees it (protocol §4). */

/** How many actors the truncated siblings carry: 3 of 10 were seen live (protocol §4). */
export const SIBLING_ACTORS = 3;

export interface MessageFilter {
  DropPayload?: boolean;
  OnlyTimestamps?: boolean;
  DropThreadParentMessage?: boolean;
}

export function userInfo(person: Person): Body {
  return { Guid: person.guid, DisplayName: person.displayName, AvatarId: person.avatarId ?? '', Version: 1, Nickname: person.nickname };
}

function reactionSiblings(message: SimMessage): Body {
  if (message.reactions.length === 0) return {};
  const counts = new Map<number, number>();
  for (const reaction of message.reactions) counts.set(reaction.type, (counts.get(reaction.type) ?? 0) + 1);
  const recent = [...message.reactions].sort((a, b) => b.ts - a.ts).slice(0, SIBLING_ACTORS);
  return {
    Reactions: [...counts].map(([Type, Count]) => ({ Type, Count })),
    RecentUserReactions: recent.map((reaction) => ({ Type: reaction.type, Timestamp: reaction.ts, UserInfo: userInfo(reaction.person) })),
  };
}

function readSiblings(message: SimMessage, viewer: Person): Body {
  const { chat } = message;
  if (!chat.trackReads) return {};
  const partner = chat.kind === 'private' ? chat.partnerOf(viewer) : undefined;
  if (partner) return { SeenByPartnerMcs: chat.members.get(partner.guid)?.seenTs ?? 0 };
  const reads = readsOf(message);
  return { ReadsCount: reads.length, ReadsVersion: reads.length + 1, ShowReadsCount: true, RecentUserReads: reads.slice(0, SIBLING_ACTORS) };
}

/** Everybody who has read a message, latest first. */
export function readsOf(message: SimMessage): { Timestamp: number; UserInfo: Body }[] {
  return [...message.reads]
    .sort((a, b) => b[1] - a[1])
    .flatMap(([guid, ts]) => {
      const person = message.chat.world.personByGuid(guid);
      return person ? [{ Timestamp: ts, UserInfo: userInfo(person) }] : [];
    });
}

function forwardedSiblings(message: SimMessage, world: World): Body {
  const refs = message.body['ForwardedMessageRefs'] as { ChatId: string; Timestamp: number }[] | undefined;
  if (!refs?.length || message.deleted) return {};
  const forwarded = refs.flatMap((ref) => {
    const source = world.chat(ref.ChatId)?.at(ref.Timestamp);
    if (!source || source.deleted) return [];
    return [{ Payload: { ChatId: source.chat.id, PayloadId: source.payloadId, ...source.body }, ServerMessageInfo: serverMessageInfo(source) }];
  });
  return forwarded.length ? { ForwardedMessages: forwarded } : {};
}

function mentionSiblings(message: SimMessage, world: World): Body {
  const guids = message.body['MentionedUserIds'] as string[] | undefined;
  const people = (guids ?? []).flatMap((guid) => world.personByGuid(guid) ?? []).filter((person) => person.isNamed);
  return people.length ? { MentionedUsers: people.map(userInfo) } : {};
}

export function serverMessageInfo(message: SimMessage): Body {
  const { chat } = message;
  const previous = chat.messages[message.seqNo - 2];
  const childId = threadId(chat.id, message.ts);
  const child = childId ? chat.world.chat(childId) : undefined;
  return {
    Timestamp: message.ts,
    PrevTimestamp: previous?.ts ?? 0,
    SeqNo: message.seqNo,
    Version: message.version,
    From: userInfo(message.from),
    ...(message.editedTs > 0 ? { LastEditTimestamp: message.editedTs } : {}),
    ...(message.deleted ? { Deleted: true } : {}),
    ...(child?.last ? { ThreadState: { LastSeqNo: child.last.seqNo, LastTsMcs: child.last.ts, ChatId: child.id } } : {}),
    ...(chat.kind === 'channel' ? { Views: message.reads.size + 1, ForwardCount: 0 } : {}),
    ...message.info,
  };
}

/** ClientMessage of a stored message: a deleted one has lost its body. */
export function clientMessage(message: SimMessage): Body {
  if (message.envelope === 'none') return {};
  if (message.envelope === 'SystemMessage') return { SystemMessage: { ChatId: message.chat.id, PayloadId: message.payloadId, ...message.body } };
  return { [message.envelope]: { ChatId: message.chat.id, PayloadId: message.payloadId, ...message.body } };
}

/** One element of `Messages[]`. */
export function wireMessage(message: SimMessage, viewer: Person, filter: MessageFilter = {}): Body {
  const info = serverMessageInfo(message);
  if (filter.OnlyTimestamps) {
    const { Timestamp, PrevTimestamp, LastEditTimestamp } = info;
    return { ServerMessage: { ServerMessageInfo: { Timestamp, PrevTimestamp, ...(LastEditTimestamp ? { LastEditTimestamp } : {}) } } };
  }
  if (filter.DropPayload) {
    delete info['From'];
    return { ServerMessage: { ClientMessage: {}, ServerMessageInfo: info }, Meta: { Origin: 27 } };
  }
  const { world } = message.chat;
  return {
    ServerMessage: {
      ClientMessage: clientMessage(message),
      ServerMessageInfo: info,
      ...reactionSiblings(message),
      ...readSiblings(message, viewer),
      ...forwardedSiblings(message, world),
      ...mentionSiblings(message, world),
      ...message.siblings,
    },
    Meta: { Origin: 27 },
  };
}

/** The body of a PUSH frame: flat, without the ServerMessage wrapper (protocol §7). */
export function wireEvent(message: SimMessage): Body {
  return { ClientMessage: clientMessage(message), ServerMessageInfo: serverMessageInfo(message), Users: [userInfo(message.from)] };
}

/** `ChatInfo` of groups, channels, business chats and threads. */
export function chatInfo(chat: Chat): Body {
  return {
    ChatId: chat.id,
    Name: chat.name,
    Version: 1,
    MemberCount: chat.members.size,
    ...(chat.description ? { Description: chat.description } : {}),
    ...(chat.inviteHash ? { InviteHash: chat.inviteHash } : {}),
    ...(chat.alias ? { Alias: chat.alias } : {}),
    ...(chat.pinnedTs ? { PinnedMessageInfo: { Timestamp: chat.pinnedTs } } : {}),
  };
}

/** One element of `Chats[]`, without its messages. */
export function wireChat(chat: Chat, viewer: Person, filter: MessageFilter = {}): Body {
  const member = chat.members.get(viewer.guid);
  const partner = chat.partnerOf(viewer);
  const parentMessage = chat.parent?.chat.at(chat.parent.ts);
  return {
    ChatId: chat.id,
    ...(partner ? { PartnerInfo: userInfo(partner), PrivateChatInfo: { ...(chat.pinnedTs ? { PinnedMessageInfo: { Timestamp: chat.pinnedTs } } : {}) } } : {}),
    ...(chat.isPrivate ? {} : { ChatInfo: chatInfo(chat) }),
    Counters: { HiddenMessageCount: 0, TotalMessageCount: chat.messages.length },
    LastSeqNo: chat.last?.seqNo ?? 0,
    LastTsMcs: chat.last?.ts ?? 0,
    LastSeenByMeSeqNo: member?.seenSeq ?? 0,
    LastSeenByMeTsMcs: member?.seenTs ?? 0,
    LastSeenSeqNo: Math.max(0, ...[...chat.members.values()].filter((other) => other.person !== viewer).map((other) => other.seenSeq)),
    LastSeenTsMcs: Math.max(0, ...[...chat.members.values()].filter((other) => other.person !== viewer).map((other) => other.seenTs)),
    ...(chat.lastEditTs ? { LastEditTsMcs: chat.lastEditTs } : {}),
    ...(member?.muted ? { Muted: true } : {}),
    MyRole: member ? (member.isAdmin ? 2 : 1) : 0,
    ...(chat.kind === 'private' ? { ApprovedByMe: true } : {}),
    ApproximateOnlineUserCount: 1,
    ...(parentMessage && !filter.DropThreadParentMessage ? { ThreadParentMessage: wireMessage(parentMessage, viewer) } : {}),
  };
}
