import { z } from 'zod';
import { inviteLink } from '../../messenger/links.ts';
import { isoFromMcs } from '../../messenger/time.ts';
import { countThatFits, estimateTokens } from '../budget.ts';
import { COMPACT_AS_IN_HISTORY } from '../compact.ts';
import { boundedArgument, clampAll, clampedKey, type Bounds } from '../limits.ts';
import { detailArgument, messageOutput, renderOne } from '../messages.ts';
import { chatArgument, defineTool, resultOf } from '../tool.ts';

const MEMBERS: Bounds = { min: 0, max: 500, default: 50 };
/** The rest of the page is for the pinned message and the chat's own keys. */
const MEMBERS_TOKENS = 5000;

export const getChatInfo = defineTool({
  name: 'get_chat_info',
  title: 'About a chat',
  description:
    "Name, kind, description, members where the server gives them, the pinned message, my role (the server's own number), unread count, and the invite link if the chat has one. " +
    'The list of members rests on a documented but unproven form (form_status). ' +
    COMPACT_AS_IN_HISTORY,
  effect: 'read',
  input: z.strictObject({ chat: chatArgument, members_limit: boundedArgument(MEMBERS, 'How many members to list'), detail: detailArgument }),
  output: resultOf({
    chat_id: z.string(),
    name: z.string(),
    kind: z.string(),
    description: z.string(),
    members: z.array(z.looseObject({ guid: z.string().optional(), name: z.string().optional(), role: z.string().optional() })),
    members_count: z.number(),
    members_truncated: z.boolean(),
    form_status: z.literal('documented').describe('Of the list of members'),
    pinned_message: messageOutput,
    my_role: z.number().describe("The server's number; its meaning is not documented"),
    invite_link: z.string().describe('Lets whoever has it join; do not pass it on unasked'),
    partner_guid: z.string().describe('Private chats: the other person'),
    muted: z.boolean(),
    unread_count: z.number(),
    total_messages: z.number(),
    last_activity: z.string(),
    last_activity_mcs: z.string(),
    ...clampedKey,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    const { used, note } = clampAll({ members_limit: args.members_limit }, { members_limit: MEMBERS });
    const chat = await context.chat(args.chat);
    const { details, ports } = context.services.messenger;
    const { entry, members, membersCount, pinned } = await details.read(chat.chatId, context, chat.inviteHash);
    const listed = members?.slice(0, used.members_limit) ?? [];
    const shown = listed.slice(0, countThatFits(listed, estimateTokens, MEMBERS_TOKENS));
    const name = entry.name ?? chat.name;
    return {
      status: 'ok',
      chat_id: chat.chatId,
      ...(name !== undefined && { name }),
      kind: entry.kind,
      ...(entry.description !== undefined && { description: entry.description }),
      ...(members && {
        members: shown,
        form_status: 'documented',
        ...(shown.length < members.length && { members_truncated: true }),
      }),
      ...(membersCount !== undefined && { members_count: membersCount }),
      ...(pinned && { pinned_message: renderOne(pinned, args.detail) }),
      ...(entry.myRole !== undefined && { my_role: entry.myRole }),
      ...(entry.inviteHash !== undefined && { invite_link: inviteLink(ports.settings().messengerPageUrl, entry.inviteHash) }),
      ...(entry.partnerGuid !== undefined && entry.kind === 'private' && { partner_guid: entry.partnerGuid }),
      muted: entry.muted,
      unread_count: entry.unreadCount,
      ...(entry.totalMessages !== undefined && { total_messages: entry.totalMessages }),
      ...(entry.lastActivityMcs !== undefined && {
        last_activity: isoFromMcs(entry.lastActivityMcs, context.services.timeZone()),
        last_activity_mcs: entry.lastActivityMcs,
      }),
      ...note,
    };
  },
});
