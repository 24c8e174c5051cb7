import { z } from 'zod';
import type { Body, Chat, SimMessage } from './chat.ts';
import { chatInfo, readsOf, userInfo, wireChat, wireMessage, type MessageFilter } from './render.ts';
import type { SimState } from './state.ts';
import type { Person } from './world.ts';

/** The reading methods of the socket (protocol §4). */

/** Layer 1 answers this request. */
export class ProxyFailure extends Error {
  constructor(
    readonly errorCode: number,
    message = 'proxy',
  ) {
    super(message);
  }
}
/** Layer 2 answers this read. */
export class ReadFailure extends Error {
  constructor(
    readonly status: number,
    readonly details: string,
  ) {
    super(details);
  }
}

const ENTITY_NOT_FOUND = 4;
const BACKEND_CALL_ERROR = 2;
const ts = z.number().int().nonnegative();
const count = z.number().int().nonnegative();

/** Checks the types of a request: a wrong or missing field is BACKEND_CALL_ERROR(2) (protocol §3). */
export function check<T>(schema: z.ZodType<T>, params: unknown): T {
  const result = schema.safeParse(params);
  if (!result.success) {
    throw new ProxyFailure(BACKEND_CALL_ERROR, result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  }
  return result.data;
}

const historySchema = z.looseObject({
  ChatId: z.string().optional(),
  ChatIds: z.array(z.string()).optional(),
  Limit: count.optional(),
  Offset: count.optional(),
  MinTimestamp: ts.optional(),
  MaxTimestamp: ts.optional(),
  InviteHash: z.string().optional(),
  DropPersonalFields: z.boolean().optional(),
  HasMeeting: z.boolean().optional(),
  Threads: z.boolean().optional(),
  ChatDataFilter: z.looseObject({}).optional(),
  MessageDataFilter: z
    .looseObject({ DropPayload: z.boolean().optional(), OnlyTimestamps: z.boolean().optional(), DropThreadParentMessage: z.boolean().optional() })
    .optional(),
});
type HistoryParams = z.infer<typeof historySchema>;

function visibleChat(state: SimState, viewer: Person, id: string, inviteHash?: string): Chat {
  const chat = state.world.chat(id);
  // An empty, never used thread is not there either (protocol §4).
  if (!chat || !(chat.isVisibleTo(viewer) || (inviteHash !== undefined && chat.inviteHash === inviteHash))) {
    throw new ReadFailure(ENTITY_NOT_FOUND, `chat ${id} is not found`);
  }
  return chat;
}

function window(state: SimState, chat: Chat, params: HistoryParams): SimMessage[] {
  const limit = params.Limit ?? 50;
  if (limit === 0) return [];
  const { minTimestamp, limitedWindowEnd } = state.settings;
  const low = params.MinTimestamp;
  const high = params.MaxTimestamp;
  let found = chat.messages;
  if (low !== undefined) found = found.filter((message) => (minTimestamp === 'exclusive' ? message.ts > low : message.ts >= low));
  // Around an anchor the web client asks {MaxTimestamp, Offset, Limit}: `Offset` messages newer than the bound come along (I).
  if (high !== undefined && params.Offset) {
    const newer = found.filter((message) => message.ts >= high).slice(0, params.Offset);
    const older = found.filter((message) => message.ts < high);
    const wanted = Math.max(0, limit - params.Offset);
    return [...(wanted === 0 ? [] : older.slice(-wanted)), ...newer].slice(-limit);
  }
  if (high !== undefined) found = found.filter((message) => message.ts < high);
  if (params.Offset) found = found.slice(0, Math.max(0, found.length - params.Offset));
  return low !== undefined && limitedWindowEnd === 'oldest' ? found.slice(0, limit) : found.slice(-limit);
}

function history(state: SimState, viewer: Person, raw: Body): Body {
  const params = check(historySchema, raw);
  const filter = (params.MessageDataFilter ?? {}) as MessageFilter;
  let chats: Chat[];
  if (params.ChatId !== undefined) chats = [visibleChat(state, viewer, params.ChatId, params.InviteHash)];
  else if (params.InviteHash !== undefined && !params.ChatIds) {
    const chat = [...state.world.chats.values()].find((each) => each.inviteHash === params.InviteHash);
    if (!chat) throw new ReadFailure(ENTITY_NOT_FOUND, 'invite hash is not found');
    chats = [chat];
  } else if (params.ChatIds && params.Threads) {
    const wanted = new Set(params.ChatIds);
    chats = [...state.world.chats.values()].filter(
      (chat) => chat.parent && (wanted.has(chat.parent.chat.id) || wanted.has(chat.id)) && chat.isVisibleTo(viewer) && chat.last,
    );
  } else if (params.ChatIds) {
    return {
      Chats: params.ChatIds.map((id) => {
        try {
          return entry(visibleChat(state, viewer, id));
        } catch (error) {
          if (error instanceof ReadFailure) return { ChatId: id, Status: error.status };
          throw error;
        }
      }),
    };
  } else {
    chats = state.world.chatsOf(viewer, true).filter((chat) => (params.Threads ? chat.kind === 'thread' && chat.last : chat.kind !== 'thread'));
    if (filter.OnlyTimestamps) {
      chats = state.world.chatsOf(viewer, params.Threads).filter((chat) => Math.max(chat.last?.ts ?? 0, chat.lastEditTs) > (params.MinTimestamp ?? 0));
    }
  }
  return { Chats: chats.map(entry) };

  function entry(chat: Chat): Body {
    const messages = window(state, chat, params).map((message) => wireMessage(message, viewer, filter));
    return { ...wireChat(chat, viewer, filter), ...(params.Limit === 0 ? {} : { Messages: messages }) };
  }
}

function target(state: SimState, viewer: Person, params: { ChatId: string; Timestamp: number; InviteHash?: string | undefined }): SimMessage {
  const message = visibleChat(state, viewer, params.ChatId, params.InviteHash).at(params.Timestamp);
  if (!message) throw new ReadFailure(ENTITY_NOT_FOUND, 'message is not found');
  return message;
}

function messageInfo(state: SimState, viewer: Person, raw: Body): Body {
  const params = check(z.looseObject({ ChatId: z.string(), Timestamp: ts, InviteHash: z.string().optional() }), raw);
  const chat = visibleChat(state, viewer, params.ChatId, params.InviteHash);
  const message = chat.at(params.Timestamp);
  const ChatInfo = chat.isPrivate ? { ChatId: chat.id, ...(chat.pinnedTs ? { PinnedMessageInfo: { Timestamp: chat.pinnedTs } } : {}) } : chatInfo(chat);
  if (!message) return { ErrorInfo: { Code: ENTITY_NOT_FOUND, Text: 'message not found' }, ChatInfo };
  const mine = message.reactions.filter((reaction) => reaction.person === viewer).map((reaction) => reaction.type);
  return { Message: wireMessage(message, viewer), ...(mine.length ? { MyReactions: mine } : {}), ErrorInfo: {}, ChatInfo };
}

function listReactions(state: SimState, viewer: Person, raw: Body): Body {
  const params = check(
    z.looseObject({
      ChatId: z.string(),
      Timestamp: ts,
      Limit: z.number().int().positive(),
      Mode: z.number().int().optional(),
      InviteHash: z.string().optional(),
      MaxTimestamp: ts.optional(),
    }),
    raw,
  );
  const message = target(state, viewer, params);
  const before = params.MaxTimestamp ?? Infinity;
  if (params.Mode === 1) {
    const reads = readsOf(message);
    return { UserReads: reads.filter((read) => read.Timestamp < before).slice(0, params.Limit), ReadsCount: reads.length };
  }
  const reactions = [...message.reactions].sort((a, b) => b.ts - a.ts).filter((reaction) => reaction.ts < before);
  return {
    UserReactions: reactions.slice(0, params.Limit).map((reaction) => ({ Type: reaction.type, Timestamp: reaction.ts, UserInfo: userInfo(reaction.person) })),
  };
}

function pollInfo(state: SimState, viewer: Person, raw: Body): Body {
  const params = check(z.looseObject({ ChatId: z.string(), Timestamp: ts, Limit: z.number().int().positive(), ReturnResults: z.boolean().optional() }), raw);
  const message = target(state, viewer, params);
  const poll = message.body['Poll'] as { Answers: string[]; IsAnonymous?: boolean } | undefined;
  if (!poll) throw new ReadFailure(ENTITY_NOT_FOUND, 'the message is not a poll');
  if (message.votes.size === 0) return { Results: {} };
  const votes = [...message.votes].map(([guid, vote]) => ({ person: state.world.personByGuid(guid) as Person, ...vote })).sort((a, b) => b.ts - a.ts);
  const mine = message.votes.get(viewer.guid);
  const voted = votes.filter((vote) => vote.choices.length > 0);
  return {
    Results: {
      Version: message.votes.size,
      VotedCount: voted.length,
      Answers: poll.Answers.map((_, index) => voted.filter((vote) => vote.choices.includes(index)).length),
      ...(poll.IsAnonymous ? {} : { RecentVoters: voted.slice(0, 3).map((vote) => userInfo(vote.person)) }),
    },
    ...(mine ? { MyChoices: mine.choices } : {}),
    ...(poll.IsAnonymous || !params.ReturnResults
      ? {}
      : {
          AnswerVotes: poll.Answers.flatMap((_, index) => {
            const forAnswer = voted.filter((vote) => vote.choices.includes(index));
            if (forAnswer.length === 0) return [];
            return [
              {
                ...(index === 0 ? {} : { AnswerId: index }),
                TotalCount: forAnswer.length,
                Votes: forAnswer.slice(0, params.Limit).map((vote) => ({ Timestamp: vote.ts, UserInfo: userInfo(vote.person) })),
              },
            ];
          }),
        }),
  };
}

function editHistory(state: SimState, viewer: Person, raw: Body): Body {
  const params = check(z.looseObject({ ChatId: z.string(), MinTimestamp: ts, Limit: z.number().int().positive() }), raw);
  const chat = visibleChat(state, viewer, params.ChatId);
  const edited = chat.messages.filter((message) => message.editedTs > params.MinTimestamp || (message.deleted && message.ts > params.MinTimestamp));
  return { Messages: edited.slice(0, params.Limit).map((message) => wireMessage(message, viewer)) };
}

function whoami(_state: SimState, viewer: Person): Body {
  return { UserInfo: { ...userInfo(viewer), Uid: viewer.uid }, UserStatusInfo: {}, CurrentTime: Date.now() * 1000 };
}

function subscribe(state: SimState, viewer: Person, raw: Body): Body {
  const params = check(
    z.looseObject({
      ChatId: z.string(),
      TtlMcs: ts,
      MessageBodyType: z.number().int().optional(),
      ClientSupportedFeatures: z.number().int().optional(),
      ClientTransportId: z.looseObject({ XivaSubscriptionId: z.string() }),
      UserAgent: z.string(),
    }),
    raw,
  );
  visibleChat(state, viewer, params.ChatId);
  return { Status: 0 };
}

/** method → handler; a method that is not here answers BACKEND_NOT_FOUND. */
export const READS: Readonly<Record<string, (state: SimState, viewer: Person, params: Body) => Body>> = {
  whoami,
  history,
  message_info: messageInfo,
  list_reactions: listReactions,
  poll_info: pollInfo,
  edit_history: editHistory,
  subscribe,
};
