import type { DraftClient } from '../approvals/index.ts';
import { CancelledError, TimeoutError } from '../messenger/errors.ts';
import { domainResultOf, failureOf } from './failures.ts';
import { DomainResult, invalidArgument, ToolError, type Services, type Tool, type ToolContext, type ToolResult } from './tool.ts';

/** One budget for all requests of a call (design §5). */
export const CALL_BUDGET_MS = 45_000;

export interface CallFrame {
  readonly services: Services;
  readonly client: DraftClient;
  /** Aborted when the client cancels or goes away. */
  readonly clientSignal: AbortSignal;
  readonly onProgress?: (done: number, total: number | undefined) => void;
  readonly budgetMs?: number;
}

export interface CallRecord {
  readonly result: ToolResult;
  readonly isError: boolean;
  /** Status or code, for the activity journal. */
  readonly outcome: string;
  readonly chatId: string | null;
  /** The error behind a failure nobody foresaw, for the log's event name only. */
  readonly cause?: unknown;
}

/**
 * Runs one tool call inside its frame: the person's policy, arguments checked against the schema, one budget shared with the client's
 * cancellation, and every error in words. Never rejects.
 */
export async function runTool(tool: Tool, rawArgs: unknown, frame: CallFrame): Promise<CallRecord> {
  const abort = new AbortController();
  const onClientAbort = () => abort.abort(new CancelledError());
  if (frame.clientSignal.aborted) onClientAbort();
  frame.clientSignal.addEventListener('abort', onClientAbort, { once: true });
  const timer = setTimeout(() => abort.abort(new TimeoutError()), frame.budgetMs ?? CALL_BUDGET_MS);
  let chatId: string | null = null;
  const context: ToolContext = {
    services: frame.services,
    client: frame.client,
    signal: abort.signal,
    ...(frame.onProgress && { onProgress: frame.onProgress }),
    async chat(query, purpose) {
      const resolution = await frame.services.messenger.directory.resolveChat(query, context);
      if (resolution.status !== 'resolved') throw new DomainResult({ ...resolution });
      const isRead = purpose === 'read' || tool.effect === 'read';
      if (!isRead || chatId === null) chatId = resolution.chat.chatId;
      if (!isRead) requireWritable(frame.services, resolution.chat.chatId);
      return resolution.chat;
    },
  };
  try {
    requireMode(tool, frame.services);
    const result = await tool.run(parseArguments(tool, rawArgs), context);
    return { result, isError: false, outcome: typeof result['status'] === 'string' ? result['status'] : 'ok', chatId };
  } catch (error) {
    // Whatever broke because the budget ended or the client went away is told as that.
    const told = abort.signal.aborted && !(error instanceof ToolError) && !(error instanceof DomainResult) ? withSent(abort.signal.reason, error) : error;
    // "No such chat" is an outcome where a chat was named; elsewhere the server only failed.
    const domain = told instanceof DomainResult || chatId !== null ? domainResultOf(told) : undefined;
    if (domain) return { result: domain.body, isError: false, outcome: domain.body.status, chatId };
    const failure = failureOf(told, tool.effect !== 'read' && tool.effect !== 'status');
    const extra = error instanceof ToolError ? error.extra : {};
    return { result: { ...extra, ...failure }, isError: true, outcome: failure.code, chatId, cause: told };
  } finally {
    clearTimeout(timer);
    frame.clientSignal.removeEventListener('abort', onClientAbort);
  }
}

/** The modes of design §4, in the one place every call passes. */
function requireMode(tool: Tool, { policy }: Services): void {
  if (tool.effect === 'status') return;
  if (policy.mode === 'paused')
    throw new ToolError(
      'paused',
      'The person has paused all agents in Vestnik.',
      'Wait until the person resumes agents in the Vestnik window; do not call in a loop.',
    );
  if (policy.mode === 'read_only' && (tool.effect === 'reversible' || tool.effect === 'draft'))
    throw new ToolError(
      'read_only_mode',
      'The person allows reading only.',
      'Ask the person to allow writing in Vestnik (Settings), or tell them what you would have written.',
    );
}

function requireWritable({ policy }: Services, chatId: string): void {
  if (policy.accessOf(chatId) === 'read_only')
    throw new ToolError(
      'chat_read_only',
      'The person made this chat read-only for agents.',
      'Tell the person what you would have written; they can change the access of the chat in Vestnik.',
    );
}

function parseArguments(tool: Tool, rawArgs: unknown): unknown {
  const parsed = tool.input.safeParse(rawArgs ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = issue?.path.join('.') || (issue && 'keys' in issue ? issue.keys.join(', ') : '') || 'arguments';
  const problem = issue?.code === 'unrecognized_keys' ? 'is not an argument of this tool' : inWords(issue?.message ?? 'is not valid');
  throw invalidArgument(
    name,
    `${problem}.`,
    `Correct \`${name}\` and call ${tool.name} again; its arguments are: ${Object.keys(tool.input.shape).join(', ')}.`,
  );
}

function withSent(reason: unknown, error: unknown): unknown {
  const wasSent = error instanceof Error && 'wasSent' in error && error.wasSent === true;
  if (!wasSent) return reason;
  return reason instanceof TimeoutError ? new TimeoutError(true) : new CancelledError(true);
}

/** A schema's message as the rest of a sentence: "Too big: expected …" becomes "is too big: expected …". */
function inWords(message: string): string {
  if (message.endsWith('received undefined')) return 'is missing';
  const lower = message.charAt(0).toLowerCase() + message.slice(1);
  return /^(too|invalid) /.test(lower) ? `is ${lower}` : lower;
}
