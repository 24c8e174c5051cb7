/** What all tools that give messages share: the `detail` argument, the schema of a message, and pages cut to size. */
import { z } from 'zod';
import { chatLinkBase } from '../messenger/links.ts';
import { parentChatId } from '../messenger/ids.ts';
import { contextSchema, forwardedSchema, messageSchema, reactionSchema, readsSchema, threadSchema, type Message } from '../messenger/model.ts';
import { estimateTokens, largestThatFits, PAGE_TOKENS, TRUNCATED_BY_SIZE } from './budget.ts';
import { compactPage } from './compact.ts';
import type { ToolContext, ToolResult } from './tool.ts';

export const DETAILS = ['compact', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

export const detailArgument = z
  .enum(DETAILS)
  .default('compact')
  .describe('compact: without what is empty or repeats on the page; full: every key of every message');

/** A message in either detail: compact leaves keys out, inside as well. */
export const messageOutput = messageSchema
  .extend({
    reads: readsSchema.partial(),
    thread: threadSchema.partial(),
    context: contextSchema.partial(),
    reactions: z.array(reactionSchema.partial().required({ type: true })),
    forwarded: z.array(forwardedSchema.partial()),
  })
  .partial()
  .required({ id: true });

/** Keys that any page of messages may carry beside its messages. */
export const pageKeys = {
  link_template: z.string().describe('Web link of each message of this page, with {id} for its id'),
  people: z.record(z.string(), z.string()).describe('compact: guid → name of everybody on the page'),
  seen_by_partner_mcs: z.string().describe('compact: the partner has seen all messages up to this one'),
  truncated: z.boolean(),
  truncation_reason: z.string(),
} satisfies z.ZodRawShape;

export interface RenderedPage {
  /** Oldest first. */
  readonly messages: readonly ToolResult[];
  /** How many of the given messages were left out because of the size: the oldest ones. */
  readonly cut: number;
  /** Keys of the page beside `messages`. */
  readonly keys: ToolResult;
}

/** Renders messages of one chat, oldest first, cut from the oldest end to the size a page may have. At least one is told. */
export function renderPage(messages: readonly Message[], chatId: string, detail: Detail, context: ToolContext, budget = PAGE_TOKENS): RenderedPage {
  const newest = (count: number) => messages.slice(messages.length - count);
  const count = largestThatFits(messages.length, (each) => pageTokens(newest(each), chatId, detail, context), budget);
  const kept = newest(count);
  const cut = messages.length - kept.length;
  return {
    messages: renderAll(kept, chatId, detail),
    cut,
    keys: { ...pageFacts(kept, chatId, detail, context), ...(cut > 0 && { truncated: true, truncation_reason: TRUNCATED_BY_SIZE }) },
  };
}

/** Size of a page as it would be told. */
export function pageTokens(messages: readonly Message[], chatId: string | undefined, detail: Detail, context: ToolContext): number {
  return estimateTokens([renderAll(messages, chatId, detail), pageFacts(messages, chatId, detail, context)]);
}

/** Messages as a page would show them, uncut. */
export function renderAll(messages: readonly Message[], chatId: string | undefined, detail: Detail): readonly ToolResult[] {
  return detail === 'full' ? messages : compactPage(messages, chatId).messages;
}

/** What a compact page says once for all its messages. */
export function pageFacts(messages: readonly Message[], chatId: string | undefined, detail: Detail, context: ToolContext): ToolResult {
  if (detail === 'full') return {};
  const { people, seenByPartnerMcs } = compactPage(messages, chatId);
  return {
    ...(chatId !== undefined && messages.length > 0 && { link_template: linkTemplate(chatId, context) }),
    ...(Object.keys(people).length > 0 && { people }),
    ...(seenByPartnerMcs !== undefined && { seen_by_partner_mcs: seenByPartnerMcs }),
  };
}

/** One message of its own, with its link: nothing repeats, so compact leaves out only what is empty. */
export function renderOne(message: Message, detail: Detail): ToolResult {
  if (detail === 'full') return message;
  const { messages, people, seenByPartnerMcs } = compactPage([message], message.chat_id);
  const known = Object.entries(people);
  return {
    ...messages[0],
    ...(message.from && { from: message.from }),
    link: message.link,
    ...(seenByPartnerMcs !== undefined && { reads: { seen_by_partner_mcs: seenByPartnerMcs } }),
    ...(known.length > 0 && { people }),
  };
}

export function linkTemplate(chatId: string, { services }: ToolContext): string {
  const { base, ports } = services.messenger;
  return `${chatLinkBase(ports.settings().messengerPageUrl, chatId, base.inviteHashes.get(parentChatId(chatId)) ?? undefined)}{id}`;
}
