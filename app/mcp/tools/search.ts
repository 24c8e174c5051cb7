import { z } from 'zod';
import type { JsonObject } from '../../messenger/api.ts';
import { kindOfChatId, privateChatId } from '../../messenger/ids.ts';
import { SELF_CHAT_NAME } from '../../messenger/reading/chat-entry.ts';
import type { Message } from '../../messenger/model.ts';
import { numberAt, stringAt } from '../../messenger/normalise/fields.ts';
import { chatIdOf, serverMessageOf } from '../../messenger/normalise/message.ts';
import { personHitOf } from '../../messenger/reading/people.ts';
import { SEARCH_CEILING, SEARCH_ENTITIES, type SearchEntity } from '../../messenger/reading/search.ts';
import { estimateTokens, largestThatFits, PAGE_TOKENS, TRUNCATED_BY_SIZE } from '../budget.ts';
import { chatKindKeys, chatKindOutput } from '../chat-kind.ts';
import { COMPACT_AS_IN_HISTORY } from '../compact.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { detailArgument, linkTemplate, messageOutput, pageFacts, pageKeys, pageTokens, renderAll, type Detail } from '../messages.ts';
import { chatArgument, defineTool, resultOf, type ToolContext, type ToolResult } from '../tool.ts';

const LIMIT: Bounds = { min: 1, max: SEARCH_CEILING, default: 50 };

/** How much of a page chats and people may take even where there are messages enough to fill it, in tokens. */
const CHATS_TOKENS = 1500;
const USERS_TOKENS = 2500;
/** No more than these ever fit, so that no more need to be measured. */
const MESSAGES_THAT_FILL_A_PAGE = 200;

export const search = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Finds messages, people (users) and chats. The server has no paging, so the limit is raised until everything is found; escalation tells how. ' +
    'truncated with truncation_reason "ceiling" means that there is more than 1000; with "size", pass next_cursor for the rest. ' +
    "A person's chat_id is built from the two guids and may not exist yet (chat_id_via). In compact, links has the link template of each message's chat. " +
    COMPACT_AS_IN_HISTORY,
  effect: 'read',
  input: z.strictObject({
    query: z.string().trim().min(1, 'must not be empty').max(1000).describe('What to look for'),
    entities: z
      .array(z.enum(SEARCH_ENTITIES, { error: 'must be one of messages, users, chats ("contacts" cannot be searched)' }))
      .min(1, 'must name at least one of messages, users, chats')
      .max(3)
      .default([...SEARCH_ENTITIES])
      .describe('What to search: messages, users, chats; default all three'),
    limit: boundedArgument(LIMIT, 'The limit to start with'),
    chat: chatArgument.optional().describe('Only messages of this chat'),
    cursor: z
      .string()
      .regex(/^m\d{1,4}u\d{1,4}c\d{1,4}$/, 'must be a next_cursor of an earlier answer')
      .optional()
      .describe('next_cursor of an answer that was cut for size, with otherwise unchanged arguments'),
    detail: detailArgument,
  }),
  output: resultOf({
    messages: z.array(messageOutput).describe("In the server's order, each with its chat_id"),
    users: z.array(
      z.looseObject({
        guid: z.string(),
        name: z.string().optional(),
        uid: z.string().optional(),
        chat_id: z.string().optional().describe('The private chat with this person, built from the guids'),
        chat_id_via: z.literal('user_search').optional(),
      }),
    ),
    chats: z.array(z.looseObject({ chat_id: z.string(), name: z.string().optional(), ...chatKindOutput, members_count: z.number().optional() })),
    totals: z.looseObject({}).describe('How many were found of each, before any cut'),
    escalation: z.looseObject({ start_limit: z.number(), final_limit: z.number(), requests: z.number() }),
    next_cursor: z.string(),
    links: z.record(z.string(), z.string()).describe('compact: chat_id → link template of its messages'),
    ...pageKeys,
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll({ limit: args.limit }, { limit: LIMIT });
    const { messenger } = context.services;
    const { guid: me } = await messenger.directory.me(context);
    const within = args.chat === undefined ? undefined : await context.chat(args.chat);
    const entities = [...new Set(within ? args.entities.filter((entity) => entity === 'messages') : args.entities)];
    const answer = await messenger.search.run(
      { query: args.query, entities: entities.length > 0 ? entities : ['messages'], startLimit: used.limit, ...(within && { chatId: within.chatId }) },
      context,
    );
    const messages = answer.found.messages && messagesOf(answer.found.messages, me, context);
    const users = answer.found.users?.flatMap((user) => userHit(user, me, context));
    const chats = answer.found.chats?.flatMap((chat) => chatHit(chat, context));
    const start = cursorOf(args.cursor);
    const page = cutToSize({ messages, users, chats }, start, args.detail, context);
    const next = { m: start.m + page.messages.length, u: start.u + page.users.length, c: start.c + page.chats.length };
    const isCut = next.m < (messages?.length ?? 0) || next.u < (users?.length ?? 0) || next.c < (chats?.length ?? 0);
    const reasons = [...(isCut ? [TRUNCATED_BY_SIZE] : []), ...(answer.saturated.length > 0 ? [ceilingReason(answer.saturated)] : [])];
    return {
      status: 'ok',
      ...(messages && { messages: renderAll(page.messages, undefined, args.detail) }),
      ...(users && { users: page.users }),
      ...(chats && { chats: page.chats }),
      totals: { ...(messages && { messages: messages.length }), ...(users && { users: users.length }), ...(chats && { chats: chats.length }) },
      escalation: answer.escalation,
      ...(isCut && { next_cursor: `m${next.m}u${next.u}c${next.c}` }),
      ...(reasons.length > 0 && { truncated: true, truncation_reason: reasons.join('; ') }),
      ...pageFacts(page.messages, undefined, args.detail, context),
      ...(args.detail === 'compact' && page.messages.length > 0 && { links: linksOf(page.messages, context) }),
      ...note,
    };
  },
});

/** Messages of visible chats. One whose chat is not told cannot be checked against the hidden ones and is left out. */
function messagesOf(items: readonly JsonObject[], me: string, { services }: ToolContext): Message[] {
  const { base } = services.messenger;
  return items.flatMap((item) => {
    const server = serverMessageOf(item);
    const chatId = chatIdOf(server) ?? stringAt(item, 'ChatId') ?? stringAt(item, 'chat_id');
    return chatId === undefined || base.isHidden(chatId) ? [] : (base.normaliseOne(server, chatId, me) ?? []);
  });
}

function userHit(user: JsonObject, me: string, { services }: ToolContext): ToolResult[] {
  return personHitOf(user).map(({ guid, name, uid, hint }) => {
    const chatId = privateChatId(me, guid);
    return {
      guid,
      ...(name !== undefined && { name }),
      ...(uid !== undefined && { uid }),
      ...(hint !== undefined && { hint }),
      ...(!services.messenger.base.isHidden(chatId) && { chat_id: chatId, chat_id_via: 'user_search' }),
      ...(guid === me && { chat_name: SELF_CHAT_NAME }),
    };
  });
}

function chatHit(chat: JsonObject, { services }: ToolContext): ToolResult[] {
  const chatId = stringAt(chat, 'chat_id');
  if (chatId === undefined || services.messenger.base.isHidden(chatId)) return [];
  const [name, members] = [stringAt(chat, 'name'), numberAt(chat, 'members_count')];
  return [
    { chat_id: chatId, ...(name !== undefined && { name }), ...chatKindKeys(kindOfChatId(chatId)), ...(members !== undefined && { members_count: members }) },
  ];
}

interface Buckets {
  readonly messages: readonly Message[] | undefined;
  readonly users: readonly ToolResult[] | undefined;
  readonly chats: readonly ToolResult[] | undefined;
}

/** People and chats first, because they are short; messages take what is left. Something is always told, so that a cursor moves on. */
function cutToSize(found: Buckets, start: { m: number; u: number; c: number }, detail: Detail, context: ToolContext) {
  const take = <T>(items: readonly T[] | undefined, from: number, tokensOf: (taken: readonly T[]) => number, budget: number): readonly T[] => {
    const rest = (items ?? []).slice(from);
    return rest.slice(
      0,
      largestThatFits(rest.length, (count) => tokensOf(rest.slice(0, count)), budget),
    );
  };
  const tokensOf = (messages: readonly Message[]) => pageTokens(messages, undefined, detail, context) + estimateTokens(linksOf(messages, context));
  // Each has its share, and what the others leave of theirs.
  const messagesNeed = Math.min(PAGE_TOKENS, tokensOf((found.messages ?? []).slice(start.m, start.m + MESSAGES_THAT_FILL_A_PAGE)));
  const usersNeed = Math.min(PAGE_TOKENS, estimateTokens((found.users ?? []).slice(start.u)));
  const chats = take(found.chats, start.c, estimateTokens, Math.max(CHATS_TOKENS, PAGE_TOKENS - messagesNeed - usersNeed));
  const chatsTake = estimateTokens(chats);
  const users = take(found.users, start.u, estimateTokens, Math.max(USERS_TOKENS, PAGE_TOKENS - messagesNeed - chatsTake));
  const left = PAGE_TOKENS - chatsTake - estimateTokens(users);
  return { chats, users, messages: take(found.messages, start.m, tokensOf, left) };
}

function cursorOf(cursor: string | undefined): { m: number; u: number; c: number } {
  const match = /^m(\d+)u(\d+)c(\d+)$/.exec(cursor ?? 'm0u0c0')!;
  return { m: Number(match[1]), u: Number(match[2]), c: Number(match[3]) };
}

function ceilingReason(saturated: readonly SearchEntity[]): string {
  return `ceiling: there are more than ${SEARCH_CEILING} ${saturated.join(' and ')}; narrow the query`;
}

function linksOf(messages: readonly Message[], context: ToolContext): Record<string, string> {
  const chatIds = new Set(messages.flatMap((message) => message.chat_id ?? []));
  return Object.fromEntries([...chatIds].map((chatId) => [chatId, linkTemplate(chatId, context)]));
}
