import { z } from 'zod';
import { isVerificationError } from '../approvals/commit.ts';
import { ConfirmRefusedError, FINAL_STATUSES, type Draft, type DraftChat, type DraftPreview } from '../approvals/types.ts';
import { describeOutcome, draftResult } from './draft-results.ts';
import { defineTool, DomainResult, resultOf, ToolError, type Tool, type ToolContext, type ToolResult } from './tool.ts';

/** Longest a confirm call waits for the person's click (design §3), well inside the call's 45 s. */
export const CONFIRM_WAIT_MS = 25_000;

/** What the agent's arguments mean, computed afresh on the draft and on every confirm call. */
export interface Canonical {
  readonly chatId: string;
  /**
   * The canonical arguments in a fixed JSON shape. The original arguments and their echo from the draft
   * must give the same (design §3). No clock, no randomness, nothing the server may change in between.
   */
  readonly fields: ToolResult;
}

export interface Prepared {
  readonly chat: DraftChat;
  readonly payload: Draft['payload'];
  readonly payloadId?: string;
  readonly preview: DraftPreview;
  /** Keys of the draft result beside `status confirm_token expires_at chat_id chat_name next_step`: the seed's preview keys. */
  readonly echo: ToolResult;
}

export interface TwoStepDefinition<I extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Arguments without `confirm` and `confirm_token`, which are added here. */
  readonly input: I;
  readonly output: z.ZodRawShape;
  readonly destructive: boolean;
  canonicalise(args: z.output<I>, context: ToolContext): Promise<Canonical>;
  /** Reads what a card needs and builds the payload. Nothing leaves the machine; for files not a byte. */
  prepare(args: z.output<I>, canonical: Canonical, context: ToolContext): Promise<Prepared>;
}

const CONFIRM_ARGUMENTS = {
  confirm: z.boolean().optional().describe('true: ask for the draft to be carried out; otherwise a draft is made and nothing is sent'),
  confirm_token: z.string().max(200).optional().describe('confirm_token of the draft; required with confirm:true'),
};

const DRAFT_KEYS = {
  confirm_token: z.string().describe('Hand this back with confirm:true and unchanged arguments'),
  expires_at: z.string().describe('When the draft lapses, ISO 8601 with offset'),
  draft_id: z.string().describe('Id of the draft, for get_draft and cancel_draft'),
  chat_id: z.string(),
  chat_name: z.string().nullable(),
  commit_status: z.number().describe("The server's commit status: 1 or 8 is success"),
  commit_status_name: z.string(),
  duplicate: z.boolean().describe('The server had this message already; nothing new was sent'),
  message_info: z.looseObject({ timestamp_mcs: z.string() }),
  text: z.string(),
  reason: z.string().describe('Why the person rejected the draft, or why a chat was not found'),
  edited_by_person: z.boolean().describe('The person changed the text before confirming; `text` is what was sent'),
} satisfies z.ZodRawShape;

/**
 * Declares an irreversible tool: a first call makes a draft, a second with `confirm:true` asks for it to be carried out (design §3).
 * The person's policy decides whether that waits for a click.
 */
export function defineTwoStepTool<I extends z.ZodObject>(definition: TwoStepDefinition<I>): Tool {
  return defineTool({
    name: definition.name,
    title: definition.title,
    description: `${definition.description} Two steps: without confirm it makes a draft and sends nothing; then call again with confirm:true, the confirm_token and the same arguments. The person decides in Vestnik's window.`,
    effect: 'draft',
    input: definition.input.extend(CONFIRM_ARGUMENTS).strict(),
    output: resultOf({ ...DRAFT_KEYS, ...definition.output }),
    annotations: { readOnlyHint: false, destructiveHint: definition.destructive, idempotentHint: false, openWorldHint: true },
    async run(rawArgs, context) {
      const { confirm, confirm_token: token, ...rest } = rawArgs as Record<string, unknown> & { confirm?: boolean; confirm_token?: string };
      const args = rest as z.output<I>;
      const { approvals, policy } = context.services;
      const argumentsHash = approvals.argumentsHash(definition.name, args);
      if (!confirm) {
        const canonical = await definition.canonicalise(args, context);
        const fingerprint = approvals.fingerprint(definition.name, canonical.chatId, canonical.fields);
        const prepared = await definition.prepare(args, canonical, context);
        const draft = approvals.create({ tool: definition.name, client: context.client, fingerprint, argumentsHash, ...prepared });
        return draftResult(draft, prepared.echo, policy.accessOf(draft.chat.id), context.services.timeZone());
      }
      const named = approvals.requireToken(token, definition.name);
      const isRepeated = named.argumentsHash === argumentsHash;
      if (isRepeated && FINAL_STATUSES.has(named.status)) await requireAccess(named, context);
      else {
        const canonical = await canonicaliseAgain(definition, args, named, isRepeated, context);
        const fingerprint = approvals.fingerprint(definition.name, canonical.chatId, canonical.fields);
        approvals.checkConfirm(token, { tool: definition.name, chatId: canonical.chatId, fingerprint });
      }
      const draft = approvals.get(named.id);
      const isAgents = policy.accessOf(draft.chat.id) === 'agent_confirms';
      if (isAgents && draft.status === 'pending') approvals.confirmInBackground(draft.id, 'agent');
      const settled = await settleOrRefuse(draft, context);
      return describeOutcome(settled, context.services.timeZone());
    },
  });
}

/** A finished draft replays its outcome to the very same arguments without looking anything up, but only where the agent may still look. */
async function requireAccess({ chat, preview }: Draft, context: ToolContext): Promise<void> {
  if (preview.forward) await context.chat(preview.forward.chatId, 'read');
  await context.chat(chat.id);
}

/** The confirm call's arguments, looked up afresh. What cannot be resolved differs from the draft, which could be: it is told as that. */
async function canonicaliseAgain<I extends z.ZodObject>(
  definition: TwoStepDefinition<I>,
  args: z.output<I>,
  draft: Draft,
  isRepeated: boolean,
  context: ToolContext,
): Promise<Canonical> {
  const sameChat: ToolContext = {
    ...context,
    async chat(query, purpose) {
      const chat = await context.chat(query, purpose);
      if (purpose !== 'read' && chat.chatId !== draft.chat.id) throw new ConfirmRefusedError('chat_mismatch', 'The chat is not the one of the draft.');
      return chat;
    },
  };
  try {
    return await definition.canonicalise(args, sameChat);
  } catch (error) {
    if (isRepeated || !(error instanceof DomainResult) || !error.body.status.startsWith('mention_')) throw error;
    throw new ConfirmRefusedError('args_changed', 'The arguments are not those of the draft.');
  }
}

/**
 * Waits for the person while the draft is checked against the world as it is now: one that cannot be carried out any more
 * is refused at once, and so is a call while nobody is signed in. The click checks again. @throws ToolError with the check's code, WireErrors
 */
async function settleOrRefuse(draft: Draft, context: ToolContext): Promise<Draft> {
  const { approvals } = context.services;
  const abort = new AbortController();
  const { signal } = abort;
  const stop = () => abort.abort(context.signal.reason); // not AbortSignal.any, which Node 20 can lose to its garbage collector
  if (context.signal.aborted) stop();
  context.signal.addEventListener('abort', stop);
  const settled = approvals.settle(draft.id, { waitMs: CONFIRM_WAIT_MS, signal, ...(context.onProgress && { onWaiting: context.onProgress }) });
  const isDecided = approvals.get(draft.id).status !== 'pending';
  const checked = (isDecided ? Promise.resolve() : approvals.check(draft.id, signal)).then(
    () => settled,
    (error: unknown) => {
      if (isVerificationError(error)) throw new ToolError(error.code, error.message, error.nextStep);
      if (isSignedOut(error)) throw error; // no call waits for a sign-in (design §2)
      return settled; // it could not be checked now; the click will
    },
  );
  try {
    return await Promise.race([settled, checked]);
  } finally {
    context.signal.removeEventListener('abort', stop);
    abort.abort();
  }
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'not_signed_in' || error.code === 'cookie_rejected');
}
