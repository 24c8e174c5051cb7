import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Call } from '../api.ts';
import { newMessage } from './client-messages.ts';
import { findByPayloadId } from './look-back.ts';
import { withNames, type MentionedText } from './mention-resolver.ts';
import { stillMentioned } from './mentions.ts';
import type { DoubtWords } from './outcomes.ts';
import type { Look, Pusher } from './push-once.ts';
import { cutQuote, requireText } from './text.ts';
import { describeDraftChat, requireChat, requireChatForDraft, requireTarget, targetForDraft, verifyWithin } from './verify.ts';
import { WritingRefusal, type Operation, type PreparedDraft, type WritingDeps, type WritingDraft } from './types.ts';
import type { TargetView } from './target.ts';

/** New messages that consist of text: plain, with mentions, as an answer, or with a forwarded message. */

/** A burst of confirmations is paced by the server's wait, so the last one may be a while in coming. */
export const MESSAGE_BUDGET_MS = 5 * 60_000;

export const NEW_MESSAGE_WORDS: DoubtWords = {
  what: 'The message',
  look: 'Read the newest messages of the chat with get_history and look for it.',
};

const payloadSchema = z.object({
  payloadId: z.string(),
  /** Canonical: mentions as tokens. Empty only with a forward. */
  text: z.string(),
  mentions: z.array(z.string()),
  replyTo: z.string().optional(),
  forward: z.object({ chatId: z.string(), messageId: z.string() }).optional(),
});
type Payload = z.infer<typeof payloadSchema>;

export interface NewTextMessage extends MentionedText {
  readonly chatId: string;
  /** The argument the text came in, for messages about it. */
  readonly textArgument: string;
  readonly replyTo?: string | undefined;
  readonly forward?: { readonly chatId: string; readonly chatName?: string | undefined; readonly messageId: string } | undefined;
}

/** Reads what the card shows (quote, forwarded message) and fixes the PayloadId. Sends nothing. @throws WritingRefusal, WireErrors */
export async function prepareMessage(deps: WritingDeps, message: NewTextMessage, call: Call): Promise<PreparedDraft> {
  const { chatId, text, replyTo, forward } = message;
  if (text !== '' || !forward) requireText(text, message.textArgument);
  if (replyTo !== undefined && forward) {
    throw new WritingRefusal(
      'invalid_argument',
      'A message cannot be a reply and a forward at once.',
      'Leave out either `reply_to_message_id` or `forward_from`.',
    );
  }
  await requireChatForDraft(deps, chatId, call);
  const people = await withNames(deps, message.people, call);
  const quoted = replyTo === undefined ? undefined : await targetForDraft(deps, chatId, replyTo, call);
  const source = forward && (await targetForDraft(deps, forward.chatId, forward.messageId, call));
  const payload: Payload = {
    payloadId: randomUUID(),
    text,
    mentions: people.map(({ guid }) => guid),
    ...(replyTo !== undefined && { replyTo }),
    ...(forward && { forward: { chatId: forward.chatId, messageId: forward.messageId } }),
  };
  return {
    chat: await describeDraftChat(deps, chatId, call),
    payload,
    payloadId: payload.payloadId,
    preview: {
      ...(text !== '' && { text }),
      mentions: people,
      ...(quoted && { reply: { messageId: quoted.messageId, ...author(quoted), ...cutQuote(quoteOf(quoted)) } }),
      ...(forward && source && { forward: forwardPreview(forward, source) }),
    },
  };
}

/** @param tool its name; `send_message` and `forward_message` share everything else. */
export function messageOperation(deps: WritingDeps, pusher: Pusher, tool: 'send_message' | 'forward_message'): Operation {
  const formStatus = (payload: Payload) => (payload.forward ? { form_status: 'documented' } : {});
  return {
    tool,
    budgetMs: MESSAGE_BUDGET_MS,
    applyEdit(rawPayload, preview, text) {
      requireText(text, 'text');
      const payload = payloadSchema.parse(rawPayload);
      const mentions = stillMentioned(text, payload.mentions, (guid) => guid);
      return {
        payload: { ...payload, text, mentions },
        preview: { ...preview, text, mentions: (preview.mentions ?? []).filter(({ guid }) => mentions.includes(guid)) },
      };
    },
    verify: (draft, context) =>
      verifyWithin(deps, context, async (call) => {
        const { text, replyTo, forward } = payloadSchema.parse(draft.payload);
        if (text !== '' || !forward) requireText(text, 'text');
        await requireChat(deps, draft.chat.id, call);
        if (replyTo !== undefined) await requireTarget(deps, draft.chat.id, replyTo, call);
        if (forward) {
          requireVisible(deps, forward.chatId);
          await requireTarget(deps, forward.chatId, forward.messageId, call);
        }
      }),
    commit(draft, context) {
      const payload = payloadSchema.parse(draft.payload);
      const variant = async (signal: AbortSignal) => {
        // The quote is the server's text of this moment, never the caller's and not the draft's.
        const quoted = payload.replyTo === undefined ? undefined : await requireTarget(deps, draft.chat.id, payload.replyTo, { signal });
        return newMessage({
          chatId: draft.chat.id,
          payloadId: payload.payloadId,
          text: payload.text,
          mentionedGuids: payload.mentions,
          ...(quoted && { reply: { chatId: draft.chat.id, messageId: quoted.messageId, quote: cutQuote(quoteOf(quoted)).quote } }),
          ...(payload.forward && { forward: payload.forward }),
        });
      };
      return pusher.commit({ variant, words: NEW_MESSAGE_WORDS, look: lookForMessage(deps, draft, payload.payloadId), extra: formStatus(payload) }, context);
    },
    reconcile(draft, context) {
      const payload = payloadSchema.parse(draft.payload);
      return pusher.reconcile({ words: NEW_MESSAGE_WORDS, look: lookForMessage(deps, draft, payload.payloadId), extra: formStatus(payload) }, context);
    },
  };
}

/** Looks for a new message by its PayloadId, back to when it was drafted. */
export function lookForMessage(deps: WritingDeps, draft: WritingDraft, payloadId: string): Look {
  return (signal) => findByPayloadId(deps, draft.chat.id, payloadId, draft.createdAt, signal);
}

/** What a reply quotes of a message without text of its own: the names of what it holds. */
function quoteOf(view: TargetView): string {
  return view.text || view.attachments.join(', ');
}

function author(view: TargetView): { author?: string } {
  return view.authorName === undefined ? {} : { author: view.authorName };
}

function forwardPreview(forward: NonNullable<NewTextMessage['forward']>, source: TargetView) {
  return {
    chatId: forward.chatId,
    ...(forward.chatName !== undefined && { chatName: forward.chatName }),
    messageId: source.messageId,
    ...author(source),
    ...(source.text !== '' && { text: source.text }),
    attachments: source.attachments,
  };
}

/** A chat that was hidden after the draft was made is no source any more. */
function requireVisible(deps: WritingDeps, chatId: string): void {
  if (!deps.ports.visibility.isHidden(chatId)) return;
  throw new WritingRefusal('target_changed', 'The message to forward is in a chat that is hidden from agents now. Nothing was sent.', 'Ask the person.');
}
