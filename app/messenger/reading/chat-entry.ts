/** One element of `Chats[]` (protocol §4, L) in our words. */
import { ReadStatusError, type JsonObject } from '../../wire/index.ts';
import type { ChatKind } from '../api.ts';
import { kindOfChatId } from '../ids.ts';
import { arrayAt, booleanAt, isJsonObject, mcsAt, numberAt, objectAt, stringAt } from '../normalise/fields.ts';
import { serverMessageOf } from '../normalise/message.ts';

export const SELF_CHAT_NAME = 'Избранное';

export interface ChatEntry {
  readonly chatId: string;
  readonly name: string | undefined;
  readonly kind: ChatKind;
  readonly partnerGuid: string | undefined;
  /** Nickname or the like: what tells namesakes apart. */
  readonly partnerHint: string | undefined;
  readonly inviteHash: string | undefined;
  readonly description: string | undefined;
  readonly members: number | undefined;
  readonly pinnedMessageId: string | undefined;
  /** The server's number; its meaning is not documented. */
  readonly myRole: number | undefined;
  readonly muted: boolean;
  /** LastSeqNo − LastSeenByMeSeqNo (protocol §4, L). */
  readonly unreadCount: number;
  readonly lastSeenByMeSeqNo: number;
  readonly lastSeqNo: number;
  /** Time of the last message, microseconds; undefined for a chat without any. */
  readonly lastActivityMcs: string | undefined;
  readonly totalMessages: number | undefined;
  /** `ServerMessage` of each message in the answer. */
  readonly messages: readonly JsonObject[];
  readonly parentMessage: JsonObject | undefined;
  /** Layer-2 status of this entry alone; 0 is success. */
  readonly status: number;
}

export function chatEntryOf(chat: JsonObject): ChatEntry | undefined {
  const chatId = stringAt(chat, 'ChatId') ?? stringAt(objectAt(chat, 'ChatInfo'), 'ChatId');
  if (chatId === undefined) return undefined;
  const info = objectAt(chat, 'ChatInfo');
  const partner = objectAt(chat, 'PartnerInfo');
  const privateInfo = objectAt(chat, 'PrivateChatInfo');
  const byForm = kindOfChatId(chatId);
  const kind = byForm === 'unknown' && privateInfo ? 'private' : byForm;
  const lastSeqNo = numberAt(chat, 'LastSeqNo') ?? 0;
  const lastSeenByMeSeqNo = numberAt(chat, 'LastSeenByMeSeqNo') ?? 0;
  const parentMessage = objectAt(chat, 'ThreadParentMessage');
  const messages = arrayAt(chat, 'Messages').filter(isJsonObject).map(serverMessageOf);
  const newest = messages[messages.length - 1];
  return {
    chatId,
    name: kind === 'self' ? SELF_CHAT_NAME : (stringAt(partner, 'DisplayName') ?? stringAt(info, 'Name')),
    kind,
    partnerGuid: stringAt(partner, 'Guid'),
    partnerHint: stringAt(partner, 'Position') ?? stringAt(partner, 'Nickname'),
    inviteHash: stringAt(info, 'InviteHash'),
    description: stringAt(info, 'Description'),
    members: numberAt(info, 'MemberCount') ?? numberAt(info, 'MembersCount'),
    pinnedMessageId: mcsAt(objectAt(info ?? privateInfo, 'PinnedMessageInfo') ?? objectAt(chat, 'PinnedMessageInfo'), 'Timestamp'),
    myRole: numberAt(chat, 'MyRole'),
    muted: booleanAt(chat, 'Muted') ?? false,
    unreadCount: Math.max(0, lastSeqNo - lastSeenByMeSeqNo),
    lastSeenByMeSeqNo,
    lastSeqNo,
    lastActivityMcs: mcsAt(chat, 'LastTsMcs') ?? (newest && mcsAt(objectAt(newest, 'ServerMessageInfo'), 'Timestamp')),
    totalMessages: numberAt(objectAt(chat, 'Counters'), 'TotalMessageCount'),
    messages,
    parentMessage: parentMessage && serverMessageOf(parentMessage),
    status: numberAt(chat, 'Status') ?? 0,
  };
}

/** All entries of a `history` answer that are chats. */
export function chatEntriesOf(answer: JsonObject): ChatEntry[] {
  return arrayAt(answer, 'Chats').flatMap((chat) => (isJsonObject(chat) ? (chatEntryOf(chat) ?? []) : []));
}

/**
 * The entry of one chat, found by its id and not by position (protocol §4).
 * @throws ReadStatusError when the entry carries its own status, or when the answer does not have the chat: status 4, no such chat
 */
export function entryOf(answer: JsonObject, chatId: string): ChatEntry {
  const entry = chatEntriesOf(answer).find((each) => each.chatId === chatId);
  if (!entry) throw new ReadStatusError(4, 'ENTITY_NOT_FOUND', 'history');
  if (entry.status !== 0) throw new ReadStatusError(entry.status, entry.status === 4 ? 'ENTITY_NOT_FOUND' : String(entry.status), 'history');
  return entry;
}

/**
 * Like {@link entryOf}, but an answer of success without any chat is a chat without messages in the asked window: a chat that does not
 * exist is told by status 4 (protocol §4, L).
 */
export function entryOrEmpty(answer: JsonObject, chatId: string): ChatEntry {
  const isWithoutChats = chatEntriesOf(answer).length === 0;
  return isWithoutChats ? chatEntryOf({ ChatId: chatId })! : entryOf(answer, chatId);
}
