import { z } from 'zod';
import { isMessageId } from '../../messenger/ids.ts';
import { MAX_TEXT_LENGTH, WritingRefusal, type Applied } from '../../messenger/writing/index.ts';
import { DomainResult, invalidArgument, ToolError, type Tool, type ToolContext, type ToolResult } from '../tool.ts';
import { defineTwoStepTool, type Canonical, type Prepared, type TwoStepDefinition } from '../two-step.ts';

/** What the writing tools share: arguments, and how the messenger's refusals are told. */

/** Refusals that are outcomes an agent goes on from, not failures (design §5). */
const OUTCOMES: ReadonlySet<string> = new Set([
  'chat_not_found',
  'mention_ambiguous',
  'mention_not_found',
  'mention_not_in_chat',
  'mention_not_in_text',
  'message_not_found',
  'not_a_poll',
]);

/** Runs work of the messenger and puts its refusals into the form of a result. */
export async function told<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WritingRefusal)) throw error;
    const { code, message, nextStep, details } = error;
    if (OUTCOMES.has(code)) throw new DomainResult({ status: code, ...details, message, next_step: nextStep });
    throw new ToolError(code, message, nextStep, details);
  }
}

/** A two-step tool whose `prepare` gets what its `canonicalise` found out beside the canonical fields. */
export function defineProposal<I extends z.ZodObject, C extends Canonical>(
  definition: Omit<TwoStepDefinition<I>, 'canonicalise' | 'prepare' | 'destructive'> & {
    canonicalise(args: z.output<I>, context: ToolContext): Promise<C>;
    prepare(args: z.output<I>, canonical: C, context: ToolContext): Promise<Prepared>;
  },
): Tool {
  return defineTwoStepTool({
    ...definition,
    destructive: true, // it sends, changes or deletes, and cannot be taken back
    canonicalise: (args, context) => told(() => definition.canonicalise(args, context)),
    prepare: (args, canonical, context) => told(() => definition.prepare(args, canonical as C, context)),
  });
}

/** A message id that also fits the wire's integers. @throws ToolError `invalid_argument` */
export function requireMessageId(argument: string, value: string): string {
  if (isMessageId(value)) return value;
  throw invalidArgument(argument, 'is not the timestamp of a message.', `Pass the id of a message as get_history gives it in \`${argument}\`.`);
}

/** A text to send. Longer ones are refused before anything is drafted; the caller keeps what it wrote. */
export const textArgument = () =>
  z.string().max(MAX_TEXT_LENGTH, {
    error: ({ input }) =>
      `has ${String(input).length} characters; the most is ${MAX_TEXT_LENGTH}. Nothing was drafted: shorten it, split it into several messages, or send it as a file`,
  });

export const mentionsArgument = z
  .array(z.union([z.string().min(1).max(200), z.strictObject({ guid: z.string().min(1).max(100), name: z.string().max(500).optional() })]))
  .max(100)
  .describe(
    'People to mention: `@Name`, `@<guid>` or a guid, each exactly as it stands in the text; there it is replaced by the token `@<guid>`. When confirming, the mentions of the draft in the same order.',
  );

export const mentionsOutput = z.array(z.looseObject({ guid: z.string(), name: z.string().optional() })).describe('Resolved mentions, in the order given');
/** Candidates may be chats or, for a mention, people. */
export const candidatesOutput = z
  .array(z.looseObject({ chat_id: z.string().optional(), guid: z.string().optional(), name: z.string().optional() }))
  .describe('Chats or people the name may mean');
export const formStatusOutput = z
  .enum(['verified', 'documented'])
  .describe('verified: the form of this request was seen to work live; documented: read from the web client, not seen live');

/** Annotations of a write that one call can take back; calling twice leads to the same state. */
export const REVERSIBLE = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true } as const;

export const appliedOutput = {
  chat_id: z.string(),
  commit_status: z.number().describe("The server's commit status: 1 or 8 is success"),
  commit_status_name: z.string(),
  duplicate: z.boolean().describe('It was so already; nothing changed'),
  message_info: z.looseObject({ timestamp_mcs: z.string() }),
} satisfies z.ZodRawShape;

/** How a one-call write is told; `base` names what it was about, `done` is added when it was applied. */
export function appliedResult(applied: Applied, base: ToolResult, done: ToolResult): ToolResult {
  if (applied.status === 'ok') return { status: 'ok', ...base, ...applied.data, ...done };
  return { status: 'unknown', ...base, message: applied.message, next_step: applied.nextStep };
}
