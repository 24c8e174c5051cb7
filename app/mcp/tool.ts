import { z } from 'zod';
import type { Approvals } from '../approvals/approvals.ts';
import type { Policy } from '../approvals/policy.ts';
import type { DraftClient } from '../approvals/types.ts';
import type { Call, ResolvedChat } from '../messenger/api.ts';
import { isMessageId } from '../messenger/ids.ts';
import type { Messenger } from '../messenger/messenger.ts';

/**
 * What a tool is. Each file in `tools/` exports one definition; `server.ts` gives every call its frame
 * (policy, budget, error words, activity) so that no tool repeats or forgets it.
 */

/**
 * What a call can do, which decides how the modes of design §4 treat it:
 * `status` always answers; `read` and `local` (our own drafts) stop when paused; `reversible` and `draft` also when read-only.
 */
export type ToolEffect = 'status' | 'read' | 'local' | 'reversible' | 'draft';

/** What the tools work with; one set for the whole app. */
export interface Services {
  readonly messenger: Messenger;
  readonly approvals: Approvals;
  readonly policy: Policy;
  readonly appVersion: string;
  /** What `session_status` tells, in the words of design §2. */
  readonly sessionState: () => 'signed_out' | 'signing_in' | 'online' | 'reconnecting' | 'paused';
  /** IANA zone of the person, for times in results. */
  readonly timeZone: () => string;
}

export interface ToolContext extends Call {
  readonly services: Services;
  readonly client: DraftClient;
  /**
   * Finds the chat a call names. Every tool goes through here: hidden chats do not exist, and a tool that writes is refused
   * in a chat the person made read-only. Throws {@link DomainResult} (`ambiguous_chat`, `chat_not_found`, `thread_unsupported`) or {@link ToolError}.
   * `purpose: 'read'` lets a writing tool name a chat it only reads from (the source of a forward).
   */
  chat(query: string, purpose?: 'read'): Promise<ResolvedChat>;
}

/** Structured result of a call: a JSON object with the seed's key names. */
export type ToolResult = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly input: z.ZodObject;
  /**
   * Arguments that the listed schema requires although a call without them may do: where `chat` is the link of a message it names both,
   * but an agent that has no link must pass the id (the seed's contract).
   */
  readonly required?: readonly string[];
  readonly output: z.ZodObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  run(args: unknown, context: ToolContext): Promise<ToolResult>;
}

/** Declares a tool; `run` gets arguments already parsed by `input` (make it with `z.strictObject`). */
export function defineTool<I extends z.ZodObject>(
  definition: Omit<Tool, 'run' | 'input'> & { readonly input: I; run(args: z.output<I>, context: ToolContext): Promise<ToolResult> },
): Tool {
  return { ...definition, run: (args, context) => definition.run(args as z.output<I>, context) };
}

/** A domain outcome that ends a call early and is no failure: a result with its own `status`. */
export class DomainResult extends Error {
  constructor(readonly body: ToolResult & { readonly status: string }) {
    super(body.status);
  }
}

/** A refusal or failure the agent is told as `isError` with `{code, message, next_step}` (design §4, §5). */
export class ToolError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly nextStep: string,
    readonly extra: ToolResult = {},
  ) {
    super(message);
  }
}

/** An argument that cannot be used; names it and what to do. */
export function invalidArgument(argument: string, problem: string, nextStep = `Correct \`${argument}\` and call again.`): ToolError {
  return new ToolError('invalid_argument', `\`${argument}\` ${problem}`, nextStep);
}

/** Keys any result may carry instead of its own: domain outcomes and failures (design §5, §8). */
const COMMON_KEYS = {
  status: z.string().describe('Outcome of the call'),
  code: z.string().describe('Stable code of a failure'),
  message: z.string().describe('What happened, in one or two sentences'),
  next_step: z.string().describe('What to do now'),
  reason: z.string().describe('Why a chat was not found or a thread is not supported'),
  candidates: z.array(z.looseObject({ chat_id: z.string() })).describe('Chats the name may mean; pass one of these chat_id'),
} satisfies z.ZodRawShape;

/** Output schema of a tool: its own keys, all optional because a call may end in a domain outcome instead, and the common ones. */
export function resultOf(shape: z.ZodRawShape): z.ZodObject {
  return z.looseObject({ ...COMMON_KEYS, ...shape }).partial();
}

/** Arguments that many tools share, described once. */
export const chatArgument = z
  .string()
  .min(1)
  .max(2000)
  .describe(
    'Chat: a chat_id, a Messenger link, or a name to search for («Избранное»/"Saved" is your own notes chat). An ambiguous name is answered with candidates, never guessed.',
  );
export const messageIdArgument = z
  .string()
  .regex(/^\d{16}$/, 'must be the 16-digit timestamp of a message, as a string')
  .refine(isMessageId, 'must be the 16-digit timestamp of a message, as a string, below 9007199254740992')
  .describe('Message id: its timestamp in microseconds, 16 digits, as a string');
