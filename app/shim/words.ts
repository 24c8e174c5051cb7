import type { BridgeError } from '../bridge/errors.ts';
import type { Failure } from './json-rpc.ts';

/** The shim's failures in words, for an agent. One sentence of what happened, one of what to do. */

/** The connection went away after a request had been sent: nobody knows whether it was carried out. */
export const CONNECTION_LOST: Failure = {
  message: 'The connection to Vestnik was lost; the call may or may not have been applied.',
  nextStep: 'Look in the chat or at the draft before repeating it; a draft keeps its confirm_token.',
};

export const NOT_RUNNING: Failure = {
  message: 'Vestnik is not running.',
  nextStep: 'Call a tool to start it, then try again.',
};

export const TOO_MANY_WAITING: Failure = {
  message: 'Too many calls are waiting for Vestnik to start.',
  nextStep: 'Wait for the earlier calls to end, then try again.',
};

export const CLIENT_LEAVING: Failure = {
  message: 'The client closed the connection before the call ended.',
  nextStep: 'Look before repeating it: it may or may not have been applied.',
};

/** The wait for the app is over. */
export function notReady(waitMs: number, reason: BridgeError | undefined): Failure {
  const isSilent = reason?.code === 'no_answer' || reason?.code === 'closed';
  const what = reason?.code === 'proof_wrong' || isSilent ? ` ${reason.message}` : '';
  return {
    message: `Vestnik was not ready within ${Math.round(waitMs / 1000)} s; nothing was done.${what}`,
    nextStep: reason?.nextStep ?? 'Ask the person to open Vestnik, then try again.',
  };
}

export function inWords(error: BridgeError): Failure {
  return { message: `${error.message} Nothing was done.`, nextStep: error.nextStep ?? 'Ask the person to open Vestnik, then try again.' };
}
