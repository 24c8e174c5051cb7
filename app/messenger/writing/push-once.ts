import { WireError, type JsonObject, type PushResult } from '../../wire/index.ts';
import { pause, within } from './deadline.ts';
import { committedData, doubtOf, doubtOfStatus, failureOf, foundData, unknownOutcome, type DoubtWords } from './outcomes.ts';
import { SerialQueue } from './serial-queue.ts';
import type { CommitContext, OperationContext, Outcome, WritingDeps } from './types.ts';

/** How long one push waits for its answer; a longer silence is told as what it is. */
const ANSWER_MS = 20_000;
/** How long the last read before a push may take. */
const BUILD_MS = 20_000;
/** How long the looking after a lost answer may take in all, reconnecting included. */
const LOOK_MS = 20_000;
/** A message in flight shows up within moments; the pauses grow because a reconnect takes its time. */
const LOOK_AFTER_MS: readonly number[] = [200, 1000, 2500];

/** `message_info` where it was found, true where there is none to give, undefined where it is not there now. */
export type Look = (signal: AbortSignal) => Promise<Readonly<Record<string, unknown>> | true | undefined>;

export interface Push {
  /** Builds the ClientMessage variant when its turn has come; may read once more, and refuse. Nothing was sent then. */
  readonly variant: (signal: AbortSignal) => Promise<JsonObject> | JsonObject;
  readonly words: DoubtWords;
  /** Looks, by reading, whether the write is there. */
  readonly look: Look;
  /** Added to the data of a success. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Sends the writes that people let go: one at a time, each once, and finds out what became of it. */
export class Pusher {
  readonly #queue = new SerialQueue();

  constructor(private readonly deps: WritingDeps) {}

  /** Pushes once. Resolves with an outcome for whatever the server does; rejects only before anything was sent (journal, budget). */
  commit(push: Push, context: CommitContext): Promise<Outcome> {
    return this.#queue.run(async () => {
      context.signal.throwIfAborted();
      const variant = await within(this.deps.ports.clock, BUILD_MS, context.signal, async (signal) => push.variant(signal));
      context.aboutToPush();
      const result = await this.#send(variant, context.signal);
      return this.#tell(result, push, context);
    });
  }

  /** After a crash or a lost answer: `sent` when reading finds it, `unknown` when not, undefined when reading fails. Never pushes. */
  async reconcile(push: Omit<Push, 'variant'>, context: OperationContext): Promise<Outcome | undefined> {
    try {
      const found = await within(this.deps.ports.clock, LOOK_MS, context.signal, push.look);
      return found === undefined ? unknownOutcome(push.words, 'no certain answer came', true) : sentAsFound(found, push.extra);
    } catch (error) {
      if (error instanceof WireError) return undefined;
      throw error;
    }
  }

  /**
   * A push that certainly never left (the server's wait was longer than one try) is handed to the wire again while the budget lasts:
   * that is waiting, not repeating.
   */
  async #send(variant: JsonObject, signal: AbortSignal): Promise<PushResult> {
    const { wire, clock } = this.deps.ports;
    for (;;) {
      const result = await within(clock, ANSWER_MS, signal, (limited) => wire.push(variant, { signal: limited }));
      const mayWait = result.kind === 'not_sent' && result.reason === 'rate_limited' && !signal.aborted;
      if (!mayWait) return result;
      await pause(clock, result.retryAfterMs ?? 1000, signal).catch(() => undefined); // the budget's end is told by the next round
      if (signal.aborted) return result;
    }
  }

  async #tell(result: PushResult, push: Push, context: OperationContext): Promise<Outcome> {
    if (result.kind === 'committed') return { status: 'sent', data: { ...committedData(result), ...push.extra } };
    const doubt = result.kind === 'unknown' ? doubtOf(result) : doubtOfStatus(result);
    if (result.kind !== 'unknown' && doubt === undefined) return failureOf(result);
    const found = await this.#lookRepeatedly(push.look, context.signal);
    if (found !== undefined && found !== 'unreadable') return sentAsFound(found, push.extra);
    return unknownOutcome(push.words, doubt ?? 'no certain answer came', found !== 'unreadable');
  }

  async #lookRepeatedly(look: Look, signal: AbortSignal): Promise<Awaited<ReturnType<Look>> | 'unreadable'> {
    const { clock, log } = this.deps.ports;
    try {
      return await within(clock, LOOK_MS, signal, async (limited) => {
        for (const delayMs of this.deps.lookAfterMs ?? LOOK_AFTER_MS) {
          await pause(clock, delayMs, limited);
          const found = await look(limited);
          if (found !== undefined) return found;
        }
        return undefined;
      });
    } catch (error) {
      // Not readable now either: the draft stays `unknown` and is looked for again later.
      log.info('writing.look_failed', { code: error instanceof WireError ? error.code : 'other' });
      return 'unreadable';
    }
  }
}

function sentAsFound(found: Readonly<Record<string, unknown>> | true, extra: Push['extra']): Outcome {
  return { status: 'sent', data: { ...foundData(found === true ? undefined : found), ...extra } };
}
