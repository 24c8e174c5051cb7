import { z } from 'zod';
import type { Call } from '../api.ts';
import { deletion } from './client-messages.ts';
import type { DoubtWords } from './outcomes.ts';
import type { Look, Pusher } from './push-once.ts';
import { MESSAGE_BUDGET_MS } from './send-message.ts';
import { targetPreview } from './target-preview.ts';
import { viewOf } from './target.ts';
import { describeDraftChat, requireSameTarget, targetForDraft, verifyWithin } from './verify.ts';
import type { Operation, PreparedDraft, WritingDeps, WritingDraft } from './types.ts';

const WORDS: DoubtWords = { what: 'The deletion', look: 'Read the message again with get_message: a deleted one says so.' };

const payloadSchema = z.object({ messageId: z.string(), targetHash: z.string() });

/** Reads what would be deleted. Changes nothing. @throws WritingRefusal, WireErrors */
export async function prepareDeletion(deps: WritingDeps, target: { chatId: string; messageId: string }, call: Call): Promise<PreparedDraft> {
  const view = await targetForDraft(deps, target.chatId, target.messageId, call);
  return {
    chat: await describeDraftChat(deps, target.chatId, call),
    payload: { messageId: target.messageId, targetHash: view.contentHash } satisfies z.infer<typeof payloadSchema>,
    preview: { target: await targetPreview(deps, view, call) },
  };
}

/** Deletes one message (protocol §6, L). The server does not deduplicate deletions; a draft is pushed once anyway. */
export function deleteOperation(deps: WritingDeps, pusher: Pusher): Operation {
  const parse = (draft: WritingDraft) => payloadSchema.parse(draft.payload);
  return {
    tool: 'delete_message',
    budgetMs: MESSAGE_BUDGET_MS,
    verify: (draft, context) =>
      verifyWithin(deps, context, async (call) => {
        const { messageId, targetHash } = parse(draft);
        await requireSameTarget(deps, draft.chat.id, messageId, targetHash, call);
      }),
    commit(draft, context) {
      const { messageId, targetHash } = parse(draft);
      const variant = async (signal: AbortSignal) => {
        await requireSameTarget(deps, draft.chat.id, messageId, targetHash, { signal });
        return deletion(draft.chat.id, messageId);
      };
      return pusher.commit({ variant, words: WORDS, look: look(deps, draft.chat.id, messageId) }, context);
    },
    reconcile: (draft, context) => pusher.reconcile({ words: WORDS, look: look(deps, draft.chat.id, parse(draft).messageId) }, context),
  };
}

/** The deletion is there when the server shows the message as deleted, or not at all (protocol §4: absent, I). */
function look(deps: WritingDeps, chatId: string, messageId: string): Look {
  return async (signal) => {
    const raw = await deps.directory.readMessage(chatId, messageId, { signal });
    return !raw || viewOf(raw).isDeleted ? { timestamp_mcs: messageId } : undefined;
  };
}
