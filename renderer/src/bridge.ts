import { useCallback, useEffect, useRef, useState } from 'react';
import type { ActionResult, EventChannel, EventPayload, InvokeArgs, InvokeChannel, InvokeResult, VestnikBridge } from '../../app/ipc/contract.ts';

/** The only door to the main process. The window keeps no truth: it asks, and asks again when told that something changed. */

declare global {
  interface Window {
    readonly vestnik: VestnikBridge;
  }
}

export function ask<C extends InvokeChannel>(channel: C, args: InvokeArgs<C>): Promise<InvokeResult<C>> {
  return window.vestnik.invoke(channel, args);
}

type ActionChannel = { [C in InvokeChannel]: InvokeResult<C> extends ActionResult ? C : never }[InvokeChannel];

/** An action's result; a refusal by the gate or a broken main process becomes a result with code `internal`. */
export async function act<C extends ActionChannel>(channel: C, args: InvokeArgs<C>): Promise<ActionResult> {
  try {
    return (await window.vestnik.invoke(channel, args)) as ActionResult;
  } catch {
    return { ok: false, code: 'internal', detail: '' };
  }
}

/** Calls the newest listener for as long as the component lives. */
export function useBridgeEvent<C extends EventChannel>(channel: C, listener: (payload: EventPayload<C>) => void): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => window.vestnik.on(channel, (payload) => latest.current(payload)), [channel]);
}

export interface Remote<T> {
  /** The last answer; undefined until the first. */
  readonly value: T | undefined;
  readonly hasFailed: boolean;
  readonly reload: () => void;
}

/**
 * What main says about something, asked again on each of the events. An answer that was overtaken by a later one is dropped.
 * @param args compared by content.
 */
export function useRemote<C extends InvokeChannel>(channel: C, args: InvokeArgs<C>, ...events: readonly EventChannel[]): Remote<InvokeResult<C>> {
  const [answer, setAnswer] = useState<{ value: InvokeResult<C> | undefined; hasFailed: boolean }>({ value: undefined, hasFailed: false });
  const turn = useRef(0);
  const key = JSON.stringify(args ?? null);
  const latestArgs = useRef(args);
  useEffect(() => {
    latestArgs.current = args;
  });
  const reload = useCallback(() => {
    const mine = (turn.current += 1);
    void ask(channel, latestArgs.current).then(
      (value) => {
        if (mine === turn.current) setAnswer({ value, hasFailed: false });
      },
      () => {
        if (mine === turn.current) setAnswer((previous) => ({ value: previous.value, hasFailed: true }));
      },
    );
  }, [channel]);
  useEffect(reload, [reload, key]);
  const eventKey = events.join(' ');
  useEffect(() => {
    const undo = eventKey === '' ? [] : eventKey.split(' ').map((event) => window.vestnik.on(event as EventChannel, reload));
    return () => {
      for (const stop of undo) stop();
      turn.current += 1;
    };
  }, [eventKey, reload]);
  return { ...answer, reload };
}
