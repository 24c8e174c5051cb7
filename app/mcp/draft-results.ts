import type { ChatAccess, Draft } from '../approvals/types.ts';
import { isoTime } from './time.ts';
import { ToolError, type ToolResult } from './tool.ts';

/** How the states of a draft are told to the agent (design §3). */

const ASK_THE_PERSON =
  "Nothing has been sent. Tell the person that a draft waits in Vestnik's window, then call again with confirm:true, this confirm_token and the same arguments. Do not change the arguments.";
const AGENT_MAY =
  'Nothing has been sent. The person lets agents confirm in this chat: call again with confirm:true, this confirm_token and the same arguments to carry it out.';

/** The answer to a draft call. */
export function draftResult(draft: Draft, echo: ToolResult, access: ChatAccess, timeZone: string): ToolResult {
  return {
    status: 'draft',
    confirm_token: draft.token,
    draft_id: draft.id,
    expires_at: isoTime(draft.expiresAt, timeZone),
    chat_id: draft.chat.id,
    chat_name: draft.chat.name ?? null,
    ...echo,
    next_step: access === 'agent_confirms' ? AGENT_MAY : ASK_THE_PERSON,
  };
}

/**
 * The answer to a confirm call. `sent`, `rejected`, `expired`, `unknown` and `pending_approval` are results;
 * @throws ToolError for `failed`.
 */
export function describeOutcome(draft: Draft, timeZone: string): ToolResult {
  const base = { draft_id: draft.id, chat_id: draft.chat.id, chat_name: draft.chat.name ?? null };
  const edited = draft.editedText === undefined ? {} : { text: draft.editedText, edited_by_person: true };
  switch (draft.status) {
    case 'pending':
      return {
        status: 'pending_approval',
        ...base,
        confirm_token: draft.token,
        expires_at: isoTime(draft.expiresAt, timeZone),
        message: 'Nothing has been sent: the draft still waits for the person.',
        next_step: "Ask the person to decide in Vestnik's window; do not call in a loop. Call again with the same token and arguments once they say they have.",
      };
    case 'committing':
      return {
        status: 'unknown',
        ...base,
        confirm_token: draft.token,
        message: 'The person confirmed and it is being carried out right now; it may or may not have been applied yet.',
        next_step: 'Call again with the same token and arguments to learn the outcome. Do not make a new draft.',
      };
    case 'rejected':
      return {
        status: 'rejected',
        ...base,
        ...(draft.rejectReason && { reason: draft.rejectReason }),
        ...(draft.rejectedBy === 'agent'
          ? { message: 'An agent took the draft back. Nothing was sent.', next_step: 'Make a new draft if it is still wanted.' }
          : { message: 'The person rejected the draft. Nothing was sent.', next_step: 'Do not send it another way. Ask the person what they want instead.' }),
      };
    case 'expired':
      return {
        status: 'expired',
        ...base,
        message: 'The draft lapsed before anybody decided. Nothing was sent.',
        next_step: 'Make a new draft if it is still wanted.',
      };
    case 'sent':
      return { status: 'sent', ...base, ...outcomeData(draft), ...edited };
    case 'unknown':
      return {
        status: 'unknown',
        ...base,
        ...outcomeData(draft),
        ...edited,
        message: draft.outcome && draft.outcome.status !== 'sent' ? draft.outcome.message : 'It may or may not have been applied.',
        next_step: draft.outcome && draft.outcome.status !== 'sent' ? draft.outcome.nextStep : 'Look in the chat before trying again.',
      };
    case 'failed': {
      const outcome = draft.outcome;
      const failure =
        outcome?.status === 'failed'
          ? outcome
          : { code: 'server_error', message: 'It could not be carried out.', nextStep: 'Look in the chat, then make a new draft.' };
      throw new ToolError(failure.code, failure.message, failure.nextStep, { status: 'failed', ...base, ...outcomeData(draft) });
    }
  }
}

function outcomeData(draft: Draft): ToolResult {
  return draft.outcome?.data ?? {};
}
