import { z } from 'zod';
import { DraftNotFoundError, type Draft } from '../../approvals/index.ts';
import { readableText } from '../../messenger/writing/index.ts';
import { isoTime } from '../time.ts';
import type { Services, ToolResult } from '../tool.ts';

/** How drafts are shown to an agent: never with a token, and never those of chats that are hidden from it. */

/** Longest text of a draft in a list, in characters; get_draft gives the whole. */
const LISTED_TEXT_CHARACTERS = 200;

export const draftIdArgument = z.string().min(1).max(100).describe('draft_id as the draft call or list_drafts gave it');

export const draftOutput = {
  draft_id: z.string(),
  tool: z.string().describe('The tool that made it'),
  chat_id: z.string(),
  chat_name: z.string().nullable(),
  client: z.string().describe('The client that made it, as it named itself'),
  created_at: z.string(),
  expires_at: z.string(),
} satisfies z.ZodRawShape;

/** One draft that the agent may know of. @throws DraftNotFoundError also for one in a hidden chat */
export function visibleDraft({ approvals, policy }: Services, id: string): Draft {
  const draft = approvals.get(id);
  if (isHidden(policy, draft)) throw new DraftNotFoundError('There is no such draft.');
  return draft;
}

/** Also by the chat it forwards from: its card holds that chat's words. */
function isHidden(policy: Services['policy'], { chat, preview }: Draft): boolean {
  return policy.isHidden(chat.id) || (preview.forward !== undefined && policy.isHidden(preview.forward.chatId));
}

/** Drafts the agent may know of, newest first. */
export function visibleDrafts({ approvals, policy }: Services): Draft[] {
  return approvals
    .list()
    .filter((draft) => !isHidden(policy, draft))
    .reverse();
}

/** A draft as a line of a list. */
export function draftLine(draft: Draft, timeZone: string): ToolResult {
  const text = draft.editedText ?? draft.preview.text;
  const characters = text === undefined ? [] : [...text];
  const isCut = characters.length > LISTED_TEXT_CHARACTERS;
  return {
    draft_id: draft.id,
    status: draft.status,
    tool: draft.tool,
    chat_id: draft.chat.id,
    chat_name: draft.chat.name ?? null,
    client: draft.client.name,
    created_at: isoTime(draft.createdAt, timeZone),
    expires_at: isoTime(draft.expiresAt, timeZone),
    ...(draft.finishedAt !== undefined && { finished_at: isoTime(draft.finishedAt, timeZone) }),
    ...(text !== undefined && { text: isCut ? characters.slice(0, LISTED_TEXT_CHARACTERS).join('') : text }),
    ...(isCut && { text_truncated: true }),
  };
}

/** Everything of a draft that the card shows, and its outcome. */
export function draftDetails(draft: Draft, timeZone: string): ToolResult {
  const { text_truncated: _cut, ...line } = draftLine(draft, timeZone);
  const text = draft.editedText ?? draft.preview.text;
  const { mentions = [], reply, forward, target, file, vote, poll } = draft.preview;
  const { outcome } = draft;
  return {
    ...line,
    ...(text !== undefined && { text, text_preview: readableText(text, mentions) }),
    ...(draft.editedText !== undefined && { edited_by_person: true }),
    ...(mentions.length > 0 && { mentions }),
    ...(reply && { reply_to_message_id: reply.messageId, reply_quote: reply.quote, quote_truncated: reply.truncated }),
    ...(forward && { forward: { chat_id: forward.chatId, message_id: forward.messageId, text: forward.text ?? null, attachments: forward.attachments } }),
    ...(target && { target: { message_id: target.messageId, author: target.author ?? null, text: target.text, attachments: target.attachments } }),
    ...(file && { file: { path: file.path, name: file.name, size: file.sizeBytes, mime: file.mime, kind: file.kind } }),
    ...(vote && { vote: { message_id: vote.messageId, question: vote.question, options: vote.options } }),
    ...(poll && { poll: { title: poll.title, answers: poll.answers, anonymous: poll.isAnonymous, multiple: poll.isMultiple } }),
    ...(draft.rejectedBy !== undefined && { rejected_by: draft.rejectedBy }),
    ...(draft.rejectReason !== undefined && { reject_reason: draft.rejectReason }),
    ...(outcome && {
      outcome:
        outcome.status === 'sent'
          ? { status: 'sent', ...outcome.data }
          : {
              status: outcome.status,
              ...(outcome.status === 'failed' && { code: outcome.code }),
              message: outcome.message,
              next_step: outcome.nextStep,
              ...outcome.data,
            },
    }),
  };
}
