import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import {
  eventContract,
  type EventChannel,
  type EventPayload,
  type InvokeArgs,
  type InvokeChannel,
  invokeContract,
  type InvokeResult,
} from '../app/ipc/contract.ts';
import type { Log } from '../app/wire/ports.ts';
import { APP_ORIGIN } from './app-scheme.ts';

/** One handler per channel of the contract; a missing one does not compile. */
export type Handlers = { readonly [C in InvokeChannel]: (args: InvokeArgs<C>) => Promise<InvokeResult<C>> | InvokeResult<C> };

/** What crosses to the preload: a value, or a stable code. An exception's own text stays here. */
export type GateAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly code: GateRefusal };
export type GateRefusal = 'foreign_sender' | 'bad_arguments' | 'bad_result' | 'failed';

/** The part of a sender that the gate judges; Electron's event fits as it is. */
export type GateEvent = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>;

export interface GateDeps {
  readonly handlers: Handlers;
  /** Our window's contents now, or undefined while there is none. */
  readonly ourContents: () => WebContents | undefined;
  readonly log: Log;
}

/** True only for the main frame of our own window showing our own page. */
export function isOurFrame(event: GateEvent, ours: WebContents | undefined): boolean {
  const frame = event.senderFrame;
  if (!ours || !frame || event.sender !== ours) return false;
  if (frame !== ours.mainFrame) return false;
  return frame.url === APP_ORIGIN || frame.url.startsWith(`${APP_ORIGIN}/`);
}

/**
 * Puts the one gate in front of every handler (design §7): the sender is our window's main frame, the arguments match the contract, the result
 * matches it, too. Nothing else in main may call `ipcMain.handle`.
 * @returns an undo
 */
export function openGate({ handlers, ourContents, log }: GateDeps): () => void {
  const channels = Object.keys(invokeContract) as InvokeChannel[];
  const answer = async <C extends InvokeChannel>(channel: C, event: GateEvent, rawArgs: unknown): Promise<GateAnswer> => {
    if (!isOurFrame(event, ourContents())) {
      log.warn('ipc_refused', { channel, code: 'foreign_sender' });
      return { ok: false, code: 'foreign_sender' };
    }
    const contract = invokeContract[channel];
    const args = contract.args.safeParse(rawArgs);
    if (!args.success) {
      log.warn('ipc_refused', { channel, code: 'bad_arguments' });
      return { ok: false, code: 'bad_arguments' };
    }
    try {
      const value: unknown = await handlers[channel](args.data as InvokeArgs<C>);
      const result = contract.result.safeParse(value);
      if (!result.success) {
        log.error('ipc_refused', { channel, code: 'bad_result', path: result.error.issues[0]?.path.join('.') });
        return { ok: false, code: 'bad_result' };
      }
      return { ok: true, value: result.data };
    } catch (error) {
      log.error('ipc_failed', { channel, error: error instanceof Error ? error.name : 'unknown' });
      return { ok: false, code: 'failed' };
    }
  };
  for (const channel of channels) ipcMain.handle(channel, (event, args: unknown) => answer(channel, event, args));
  return () => {
    for (const channel of channels) ipcMain.removeHandler(channel);
  };
}

/** Sends one event of the contract to our window, if it is there. */
export function sendEvent<C extends EventChannel>(contents: WebContents | undefined, channel: C, payload: EventPayload<C>): void {
  if (!contents || contents.isDestroyed()) return;
  contents.send(channel, eventContract[channel].parse(payload));
}

/** Shuts a channel that a library opened past the gate. */
export function closeForeignChannel(channel: string): void {
  ipcMain.removeAllListeners(channel);
}
