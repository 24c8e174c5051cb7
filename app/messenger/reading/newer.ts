/**
 * Reading forward. The protocol leaves open whether `MinTimestamp` is exclusive and which end of a limited window the answer holds
 * (protocol §4), so an answer counts only where it proves itself: the window was not full, or the first message names the
 * lower bound (or something older) as its predecessor.
 */
import { mcsToJson, type JsonObject } from '../../wire/index.ts';
import { compareMessageIds, shiftMessageId } from '../ids.ts';
import { messageIdOf, prevIdOf, seqNoOf } from '../normalise/message.ts';

/** One raw window, oldest first. */
export type ReadWindow = (params: JsonObject) => Promise<JsonObject[]>;

/** Largest window asked for while closing in; the seed's own page bound. */
const WINDOW_LIMIT = 200;

/** The `count` messages right after `pivotMcs`, oldest first; fewer where the chat ends. */
export async function readNewer(read: ReadWindow, pivotMcs: string, count: number): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  let lower = pivotMcs;
  /** Exclusive bound of the next window; undefined: up to the end of the chat. */
  let upper: string | undefined;
  /** Oldest message seen beyond what is proven: a window up to it cannot miss anything newer. */
  let beyond: string | undefined;
  let isHalving = false;
  while (found.length < count) {
    const wanted = count - found.length;
    const limit = Math.min(WINDOW_LIMIT, upper === undefined ? wanted + 2 : Math.max(wanted + 2, 50));
    const window = await readAbove(read, lower, upper, limit);
    if (!window.isProven) {
      // The newest end of too wide a window. Its oldest message bounds the search from above.
      const first = window.servers[0]!;
      beyond = messageIdOf(first)!;
      upper = between(lower, first, wanted, isHalving);
      isHalving = !isHalving;
      continue;
    }
    found.push(...window.servers.slice(0, wanted));
    if (window.isComplete && upper === undefined) break;
    const last = window.servers[window.servers.length - 1];
    // A complete window reaches up to its bound; a proven but limited one up to its last message.
    lower = window.isComplete ? shiftMessageId(upper!, -1) : messageIdOf(last!)!;
    upper = beyond !== undefined && compareMessageIds(beyond, lower) > 0 ? shiftMessageId(beyond, 1) : undefined;
  }
  return found;
}

interface Window {
  readonly servers: JsonObject[];
  readonly isProven: boolean;
  /** Everything in (lower, upper) is here. */
  readonly isComplete: boolean;
}

/** Messages with lower < ts < upper. The bound itself may come along and is dropped, so one more is asked for. */
async function readAbove(read: ReadWindow, lower: string, upper: string | undefined, limit: number): Promise<Window> {
  const raw = await read({ Limit: limit, MinTimestamp: mcsToJson(lower), ...(upper !== undefined && { MaxTimestamp: mcsToJson(upper) }) });
  const servers = raw.filter((server) => {
    const id = messageIdOf(server)!;
    return compareMessageIds(id, lower) > 0 && (upper === undefined || compareMessageIds(id, upper) < 0);
  });
  const isComplete = raw.length < limit;
  const first = servers[0];
  const prev = first && prevIdOf(first);
  const isAdjacent =
    prev === undefined ? first !== undefined && !isComplete && (await isNothingBetween(read, lower, messageIdOf(first)!)) : compareMessageIds(prev, lower) <= 0;
  // A full window that holds the bound itself shows the oldest end as well.
  const holdsBound = raw.some((server) => messageIdOf(server) === lower) && servers.length > 0;
  return { servers, isProven: isComplete || isAdjacent || holdsBound || servers.length === 0, isComplete: isComplete || servers.length === 0 };
}

/** For a message that does not name its predecessor: asks whether anything stands before it. */
async function isNothingBetween(read: ReadWindow, lower: string, upper: string): Promise<boolean> {
  const raw = await read({ Limit: 2, MinTimestamp: mcsToJson(lower), MaxTimestamp: mcsToJson(upper) });
  return raw.every((server) => messageIdOf(server) === lower);
}

/** A moment between the bound and the first known message after it, guessed by message numbers, or the middle every other time. */
function between(lower: string, first: JsonObject, wanted: number, halve: boolean): string {
  const [low, high] = [BigInt(lower), BigInt(messageIdOf(first)!)];
  const span = high - low;
  const seqNo = seqNoOf(first);
  // Twice as many messages as are wanted, if they were spread evenly.
  const share = halve || seqNo === undefined || seqNo <= wanted * 2 ? 0.5 : Math.min(0.5, (wanted * 2) / seqNo);
  const step = BigInt(Math.max(2, Math.floor(Number(span) * share)));
  return (low + (step < span ? step : span - 1n > 1n ? span - 1n : 2n)).toString();
}
