import { backoffDelayMs } from '../app/wire/backoff.ts';
import type { Clock } from '../app/wire/ports.ts';
import type { Core } from '../app/core.ts';

const BACKOFF = { firstMs: 2_000, maxMs: 60_000 };

/**
 * Keeps trying to get online while somebody is signed in: the wire reconnects a connection it had, but at a start without network there was none.
 * @param isWanted whether a session is expected; false once a person has signed out
 * @returns an undo
 */
export function keepConnected(core: Core, clock: Clock, isWanted: () => boolean): () => void {
  let failures = 0;
  let cancel: (() => void) | undefined;
  let isTrying = false;
  const stop = (): void => {
    cancel?.();
    cancel = undefined;
  };
  const look = (): void => {
    if (core.wire.state !== 'offline' || !isWanted()) {
      if (core.wire.state === 'online') failures = 0;
      stop();
      return;
    }
    if (cancel || isTrying) return;
    cancel = clock.after(backoffDelayMs(failures++, { ...BACKOFF, random: Math.random }), () => {
      cancel = undefined;
      isTrying = true;
      void core.start().finally(() => {
        isTrying = false;
        look();
      });
    });
  };
  const undo = core.onSessionState(look);
  look();
  return () => {
    undo();
    stop();
  };
}
