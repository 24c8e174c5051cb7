import { mcsToJson, type JsonObject } from '../../wire/index.ts';
import { isEntityNotFound } from '../errors.ts';
import { compareMessageIds, parseThreadId } from '../ids.ts';
import { mcsAt, numberAt, objectAt, objectsAt, stringAt } from '../normalise/fields.ts';
import { messageIdOf, serverMessageOf } from '../normalise/message.ts';
import type { WritingDeps } from './types.ts';

/** Looking for a message of ours by its PayloadId, the client's own id that the server keeps (protocol §1, L). */

const PAGE_LIMIT = 100;
/** Bounds a look into a chat that has moved on: so many messages back at most. */
const MAX_PAGES = 20;
/** How far the server's clock may be behind ours. */
const CLOCK_SKEW_MS = 15 * 60_000;

/**
 * Pages back from the newest message to `sinceMs` and resolves with the message's `message_info` (design §8), or undefined when it is
 * not there now, which does not prove that it never will be. Reads only. @throws WireErrors
 */
export async function findByPayloadId(
  deps: WritingDeps,
  chatId: string,
  payloadId: string,
  sinceMs: number,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const since = String(Math.max(0, Math.floor(sinceMs) - CLOCK_SKEW_MS) * 1000);
  let before: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const messages = await readPage(deps, chatId, { limit: PAGE_LIMIT, before }, signal);
    const found = messages.find((message) => payloadIdOf(message) === payloadId);
    if (found) return messageInfoOf(found);
    const oldest = messages
      .map(messageIdOf)
      .filter((id) => id !== undefined)
      .sort(compareMessageIds)[0];
    if (oldest === undefined || compareMessageIds(oldest, since) < 0) return undefined;
    if (before !== undefined && compareMessageIds(oldest, before) >= 0) return undefined;
    before = oldest;
  }
  return undefined;
}

/** `ServerMessage`s of one page, oldest first; empty for a thread that nobody has written in yet. @throws WireErrors */
export async function readPage(
  deps: WritingDeps,
  chatId: string,
  page: { limit: number; before?: string | undefined },
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const window = page.before === undefined ? {} : { MaxTimestamp: mcsToJson(page.before) };
  const params = { ChatId: chatId, Limit: page.limit, ...window };
  let answer: JsonObject;
  try {
    answer = await deps.ports.wire.read('history', params, { signal });
  } catch (error) {
    // An empty, never used thread answers like a chat that does not exist (protocol §4).
    if (isEntityNotFound(error) && parseThreadId(chatId)) return [];
    throw error;
  }
  return objectsAt(chatIn(answer, chatId), 'Messages').map(serverMessageOf);
}

/** The chat of a history answer, found by its id and not by position (protocol §4, L). */
export function chatIn(answer: JsonObject, chatId: string): JsonObject | undefined {
  return objectsAt(answer, 'Chats').find((chat) => chat['ChatId'] === chatId);
}

function payloadIdOf(server: JsonObject): string | undefined {
  const message = objectAt(server, 'ClientMessage');
  return stringAt(objectAt(message, 'Plain') ?? objectAt(message, 'Ephemeral'), 'PayloadId');
}

/** `message_info` in the result's key names. */
export function messageInfoOf(server: JsonObject): Readonly<Record<string, unknown>> {
  const info = objectAt(server, 'ServerMessageInfo');
  const previous = mcsAt(info, 'PrevTimestamp');
  const [seqno, version] = [numberAt(info, 'SeqNo'), numberAt(info, 'Version')];
  return {
    timestamp_mcs: messageIdOf(server),
    ...(previous !== undefined && { prev_timestamp_mcs: previous }),
    ...(seqno !== undefined && { seqno }),
    ...(version !== undefined && { version }),
  };
}
