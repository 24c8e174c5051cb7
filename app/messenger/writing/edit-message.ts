import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Call } from '../api.ts';
import { editedMessage } from './client-messages.ts';
import { withNames } from './mention-resolver.ts';
import { stillMentioned } from './mentions.ts';
import type { DoubtWords } from './outcomes.ts';
import type { Look, Pusher } from './push-once.ts';
import { MESSAGE_BUDGET_MS } from './send-message.ts';
import { editableTextOf, isTextEditable, mentionedGuidsOf, type TargetView } from './target.ts';
import { targetPreview } from './target-preview.ts';
import { requireText } from './text.ts';
import { describeDraftChat, readTarget, requireSameTarget, targetForDraft, verifyWithin } from './verify.ts';
import { WritingRefusal, type DraftPerson, type Operation, type PreparedDraft, type WritingDeps, type WritingDraft } from './types.ts';

const WORDS: DoubtWords = { what: 'The edit', look: 'Read the message again with get_message and compare its text.' };

const payloadSchema = z.object({
  payloadId: z.string(),
  messageId: z.string(),
  text: z.string(),
  /** Guids to mention, or null to keep those the target has. */
  mentions: z.array(z.string()).nullable(),
  targetHash: z.string(),
});
type Payload = z.infer<typeof payloadSchema>;

export interface MessageEdit {
  readonly chatId: string;
  readonly messageId: string;
  readonly text: string;
  /** The new full set; undefined keeps the target's, an empty one clears it. */
  readonly people: readonly DraftPerson[] | undefined;
}

export interface PreparedEdit extends PreparedDraft {
  readonly wasText: string;
  readonly keptMentions: readonly DraftPerson[];
}

/** Reads the target and lays the old text beside the new one. Changes nothing. @throws WritingRefusal, WireErrors */
export async function prepareEdit(deps: WritingDeps, edit: MessageEdit, call: Call): Promise<PreparedEdit> {
  requireText(edit.text, 'new_text');
  const target = await targetForDraft(deps, edit.chatId, edit.messageId, call);
  requireEditable(target);
  const kept = mentionedGuidsOf(target).map((guid) => {
    const name = target.namesBeside.get(guid);
    return { guid, ...(name !== undefined && { name }) };
  });
  const people = await withNames(deps, edit.people ?? kept, call);
  const payload: Payload = {
    payloadId: randomUUID(),
    messageId: edit.messageId,
    text: edit.text,
    mentions: edit.people ? people.map(({ guid }) => guid) : null,
    targetHash: target.contentHash,
  };
  return {
    chat: await describeDraftChat(deps, edit.chatId, call),
    payload,
    payloadId: payload.payloadId,
    preview: { text: edit.text, mentions: people, target: await targetPreview(deps, target, call) },
    wasText: editableTextOf(target.body ?? {}),
    keptMentions: edit.people ? [] : people,
  };
}

/** Edits one message (protocol §6, L). The body is rebuilt from the target as it is at that moment. */
export function editOperation(deps: WritingDeps, pusher: Pusher): Operation {
  const parse = (draft: WritingDraft) => payloadSchema.parse(draft.payload);
  return {
    tool: 'edit_message',
    budgetMs: MESSAGE_BUDGET_MS,
    applyEdit(rawPayload, preview, text) {
      requireText(text, 'text');
      const people = stillMentioned(text, preview.mentions ?? [], ({ guid }) => guid);
      const payload = payloadSchema.parse(rawPayload);
      return { payload: { ...payload, text, mentions: people.map(({ guid }) => guid) }, preview: { ...preview, text, mentions: people } };
    },
    verify: (draft, context) =>
      verifyWithin(deps, context, async (call) => {
        const { messageId, text, targetHash } = parse(draft);
        requireText(text, 'text');
        requireEditable(await requireSameTarget(deps, draft.chat.id, messageId, targetHash, call));
      }),
    commit(draft, context) {
      const payload = parse(draft);
      const variant = async (signal: AbortSignal) => {
        const target = await requireSameTarget(deps, draft.chat.id, payload.messageId, payload.targetHash, { signal });
        return editedMessage({
          chatId: draft.chat.id,
          messageId: payload.messageId,
          payloadId: payload.payloadId,
          body: requireEditable(target),
          text: payload.text,
          mentionedGuids: payload.mentions ?? mentionedGuidsOf(target),
        });
      };
      return pusher.commit({ variant, words: WORDS, look: look(deps, draft, payload) }, context);
    },
    reconcile: (draft, context) => pusher.reconcile({ words: WORDS, look: look(deps, draft, parse(draft)) }, context),
  };
}

/** The edit is there when the message has the new text and is no longer what it was. */
function look(deps: WritingDeps, draft: WritingDraft, payload: Payload): Look {
  return async (signal) => {
    const target = await readTarget(deps, draft.chat.id, payload.messageId, { signal });
    if (!target?.body || editableTextOf(target.body) !== payload.text || target.contentHash === payload.targetHash) return undefined;
    return { timestamp_mcs: payload.messageId, ...(target.seqNo !== undefined && { seqno: target.seqNo }) };
  };
}

/** @throws WritingRefusal `not_editable` for a message whose text cannot be replaced (protocol §4: images and files carry none). */
function requireEditable(target: TargetView) {
  const { body } = target;
  if (isTextEditable(body)) return body;
  throw new WritingRefusal(
    'not_editable',
    'This message has no text of its own that could be edited.',
    'Only text messages and captions of galleries can be edited.',
    {
      message_id: target.messageId,
    },
  );
}
