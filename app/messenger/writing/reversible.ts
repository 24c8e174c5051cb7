import type { Call } from '../api.ts';
import { WireError, type JsonObject, type PushResult } from '../../wire/index.ts';
import { knownReaction } from '../reactions.ts';
import { pin, reaction, seenMarker } from './client-messages.ts';
import { within } from './deadline.ts';
import { messageIdOf, seqNoOf } from '../normalise/message.ts';
import { readPage } from './look-back.ts';
import { committedData, doubtOf, doubtOfStatus, failureOf } from './outcomes.ts';
import { viewOf } from './target.ts';
import { targetForDraft } from './verify.ts';
import { WritingRefusal, type WritingDeps } from './types.ts';

/** Writes that one call can take back: each is a single push or registry call (protocol §6), never repeated here. */

export type Applied =
  /** `data`: commit status and what was done, in the result's key names. */
  | { readonly status: 'ok'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly status: 'unknown'; readonly message: string; readonly nextStep: string };

/** Time for the answer of one push; the call's own budget is longer. */
const ANSWER_MS = 25_000;
/** Push status (protocol §3, layer 3). */
const NO_SUCH_CHAT = 4;
/** A repeat of any of these leads to the same state, so repeating is a way out of a doubt, too. */
const REPEAT = 'Calling again with the same arguments is safe: it leads to the same state.';
/** How to find out what became of a write in doubt. */
const LOOK = {
  reaction: 'Look with list_reactions or get_message (my_reactions).',
  read: 'Look at unread_count in list_chats.',
  pin: 'Look at what is pinned with get_chat_info.',
  membership: 'Look with list_threads.',
} as const;

/** Refuses a type that is not in the table; everybody in the chat would see a broken picture (protocol §6, L). @throws WritingRefusal `invalid_type` */
export function requireKnownReaction(type: number): { type: number; name: string; emoji: string } {
  const known = knownReaction(type);
  if (known) return known;
  throw new WritingRefusal(
    'invalid_type',
    `${type} is not a known reaction type. Nothing was sent.`,
    'Pass the integer `type` of a reaction that list_reactions or a message shows, for example 100109 (not an emoji).',
  );
}

/** Sets or removes one reaction (L). @throws WritingRefusal, WireErrors */
export async function setReaction(
  deps: WritingDeps,
  input: { chatId: string; messageId: string; type: number; isRemoval: boolean },
  call: Call,
): Promise<Applied> {
  requireKnownReaction(input.type);
  return apply(deps, reaction(input.chatId, input.messageId, input.type, input.isRemoval), LOOK.reaction, call);
}

/**
 * Marks a chat read up to a message, or up to its newest (L). `seqNo` travels along where it is known.
 * @throws WritingRefusal `message_not_found`, WireErrors
 */
export async function markRead(
  deps: WritingDeps,
  input: { chatId: string; messageId: string | undefined; seqNo: number | undefined },
  call: Call,
): Promise<{ applied: Applied; messageId: string | undefined }> {
  const { chatId, messageId } = input;
  const upTo =
    messageId === undefined ? await newest(deps, chatId, call) : { messageId, seqNo: input.seqNo ?? (await targetSeqNo(deps, chatId, messageId, call)) };
  if (!upTo) return { applied: { status: 'ok', data: {} }, messageId: undefined };
  return { applied: await apply(deps, seenMarker(chatId, upTo.messageId, upTo.seqNo), LOOK.read, call), messageId: upTo.messageId };
}

/** Pins a message, or unpins (L). @throws WireErrors */
export function pinMessage(deps: WritingDeps, input: { chatId: string; messageId: string | undefined }, call: Call): Promise<Applied> {
  return apply(deps, pin(input.chatId, input.messageId), LOOK.pin, call);
}

/** Joins or leaves a thread: a registry mutation (protocol §5, B). @throws WireErrors */
export async function changeThreadMembership(deps: WritingDeps, input: { threadId: string; isJoining: boolean }, call: Call): Promise<Applied> {
  try {
    await deps.ports.wire.registry(input.isJoining ? 'join_to_thread' : 'leave_thread', { thread_id: input.threadId }, { ...call, isMutation: true });
    return { status: 'ok', data: {} };
  } catch (error) {
    if (error instanceof WireError && 'wasSent' in error && error.wasSent === true) return doubtful('no answer came', LOOK.membership);
    throw error;
  }
}

/** One push; a certain failure is thrown as a refusal, a doubt is told. */
async function apply(deps: WritingDeps, variant: JsonObject, look: string, call: Call): Promise<Applied> {
  const result: PushResult = await within(deps.ports.clock, ANSWER_MS, call.signal, (signal) => deps.ports.wire.push(variant, { signal }));
  if (result.kind === 'committed') return { status: 'ok', data: committedData(result) };
  if (result.kind === 'unknown') return doubtful(doubtOf(result), look);
  const doubt = doubtOfStatus(result);
  if (doubt !== undefined) return doubtful(doubt, look);
  if (result.kind === 'refused' && result.status === NO_SUCH_CHAT) {
    throw new WritingRefusal('chat_not_found', 'There is no such chat.', 'Check the chat_id, or find the chat with list_chats or search.', {
      reason: 'entity_not_found',
      candidates: [],
    });
  }
  const { code, message, nextStep, data } = failureOf(result);
  throw new WritingRefusal(code, message, nextStep, data);
}

function doubtful(why: string, look: string): Applied {
  return { status: 'unknown', message: `It may or may not have been applied: ${why}.`, nextStep: `${look} ${REPEAT}` };
}

async function newest(deps: WritingDeps, chatId: string, call: Call): Promise<{ messageId: string; seqNo: number | undefined } | undefined> {
  const server = (await readPage(deps, chatId, { limit: 1 }, call.signal)).at(-1);
  const messageId = server && messageIdOf(server);
  return server === undefined || messageId === undefined ? undefined : { messageId, seqNo: seqNoOf(server) };
}

async function targetSeqNo(deps: WritingDeps, chatId: string, messageId: string, call: Call): Promise<number | undefined> {
  const raw = await deps.directory.readMessage(chatId, messageId, call);
  // A deleted message is as good a mark as any.
  return raw ? viewOf(raw).seqNo : (await targetForDraft(deps, chatId, messageId, call)).seqNo;
}
