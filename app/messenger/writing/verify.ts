import type { Call } from '../api.ts';
import { isEntityNotFound } from '../errors.ts';
import { parseThreadId } from '../ids.ts';
import { ReadStatusError, type JsonObject } from '../../wire/index.ts';
import { within } from './deadline.ts';
import { numberAt } from '../normalise/fields.ts';
import { chatIn } from './look-back.ts';
import { viewOf, type TargetView } from './target.ts';
import { WritingRefusal, type DraftChat, type OperationContext, type WritingDeps } from './types.ts';

/** Checks that stand between a click and a push: read again, from scratch (design §3). */

/** How long the checks before a push may take in all, in milliseconds. */
export const VERIFY_MS = 30_000;
const ENTITY_NOT_FOUND = 4;
const ACCESS_DENIED = 2;

/** Runs the checks of a commit within their own time. */
export function verifyWithin(deps: WritingDeps, context: OperationContext, checks: (call: Call) => Promise<void>): Promise<void> {
  return within(deps.ports.clock, VERIFY_MS, context.signal, (signal) => checks({ signal }));
}

/**
 * The chat still exists and is readable. A thread that nobody has written in exists when its parent message does.
 * @throws WritingRefusal `chat_missing`, WireErrors
 */
export async function requireChat(deps: WritingDeps, chatId: string, call: Call): Promise<void> {
  if (await canReadChat(deps, chatId, call)) return;
  const thread = parseThreadId(chatId);
  if (thread) {
    const parent = await readOrNothing(() => deps.directory.readMessage(thread.parentChatId, thread.parentMessageId, call));
    if (parent) return;
  }
  throw new WritingRefusal(
    'chat_missing',
    'The chat no longer exists or the person is no longer in it. Nothing was sent.',
    'Find the chat again with list_chats or search.',
  );
}

/**
 * The same for a draft: an unknown chat is told as such before a card is shown.
 * @throws ReadStatusError ENTITY_NOT_FOUND or ACCESS_DENIED, WritingRefusal `message_not_found` for a thread under no message
 */
export async function requireChatForDraft(deps: WritingDeps, chatId: string, call: Call): Promise<void> {
  const thread = parseThreadId(chatId);
  try {
    await deps.ports.wire.read('history', { ChatId: chatId, Limit: 1 }, call);
  } catch (error) {
    if (!thread || !isEntityNotFound(error)) throw error;
    await targetForDraft(deps, thread.parentChatId, thread.parentMessageId, call);
  }
}

async function canReadChat(deps: WritingDeps, chatId: string, call: Call): Promise<boolean> {
  const answer: JsonObject | undefined = await readOrNothing(() => deps.ports.wire.read('history', { ChatId: chatId, Limit: 1 }, call));
  if (answer === undefined) return false;
  const chat = chatIn(answer, chatId);
  // An entry may carry its own Status (protocol §4); an answer without the entry says nothing against the chat.
  return chat === undefined || (numberAt(chat, 'Status') ?? 0) === 0;
}

/** Resolves undefined where the server says "no such thing" or "not for you" (layer 2, statuses 4 and 2). */
async function readOrNothing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ReadStatusError && (error.status === ENTITY_NOT_FOUND || error.status === ACCESS_DENIED)) return undefined;
    throw error;
  }
}

/** The message an edit, a deletion, a vote, an answer or a forward is about; undefined when it is gone or deleted. @throws WireErrors */
export async function readTarget(deps: WritingDeps, chatId: string, messageId: string, call: Call): Promise<TargetView | undefined> {
  const raw = await readOrNothing(() => deps.directory.readMessage(chatId, messageId, call));
  if (!raw) return undefined;
  const view = viewOf(raw);
  return view.isDeleted ? undefined : view;
}

/** The same for a draft. @throws WritingRefusal `message_not_found`, ReadStatusError for an unknown chat */
export async function targetForDraft(deps: WritingDeps, chatId: string, messageId: string, call: Call): Promise<TargetView> {
  const raw = await deps.directory.readMessage(chatId, messageId, call);
  const view = raw && viewOf(raw);
  if (view && !view.isDeleted) return view;
  throw new WritingRefusal(
    'message_not_found',
    'There is no such message in this chat, or it has been deleted.',
    'Check message_id with get_history or search.',
    {
      chat_id: chatId,
      message_id: messageId,
    },
  );
}

/** The target as it was when the draft was made. @throws WritingRefusal `target_changed` */
export async function requireSameTarget(deps: WritingDeps, chatId: string, messageId: string, contentHash: string, call: Call): Promise<TargetView> {
  const view = await requireTarget(deps, chatId, messageId, call);
  if (view.contentHash !== contentHash) {
    throw new WritingRefusal(
      'target_changed',
      'The message has changed since the draft was made. Nothing was sent.',
      'Read the message again and make a new draft if it is still wanted.',
    );
  }
  return view;
}

/** The target, still there. @throws WritingRefusal `target_changed` */
export async function requireTarget(deps: WritingDeps, chatId: string, messageId: string, call: Call): Promise<TargetView> {
  const view = await readTarget(deps, chatId, messageId, call);
  if (view) return view;
  throw new WritingRefusal(
    'target_changed',
    'The message this refers to is gone. Nothing was sent.',
    'Read the chat again and make a new draft if it is still wanted.',
  );
}

/** Where a draft goes, in words that cannot be confused. */
export async function describeDraftChat(deps: WritingDeps, chatId: string, call: Call): Promise<DraftChat> {
  const { name, kind, members, hint, isNameShared } = await deps.directory.describeChat(chatId, call);
  return { id: chatId, name, kind, ...(members !== undefined && { members }), ...(hint !== undefined && { hint }), ...(isNameShared && { isNameShared }) };
}

/** Whether I wrote it; null when the author is not known. */
export async function isFromMe(deps: WritingDeps, view: TargetView, call: Call): Promise<boolean | null> {
  return view.authorGuid === undefined ? null : view.authorGuid === (await deps.directory.me(call)).guid;
}
