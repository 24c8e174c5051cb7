import type { ConnectionState } from './api.ts';

export interface ConnectionFacts {
  readonly isClosed: boolean;
  readonly isSignedOut: boolean;
  /** A proof of the sign-in or a refresh is under way. */
  readonly isAsking: boolean;
  readonly isProven: boolean;
  readonly isOnline: boolean;
  readonly isConnecting: boolean;
  readonly hasBeenOnline: boolean;
}

/** What a person is told (design §2). Asking again while signed out stays `signed_out` until the proof is there, so that nothing flickers. */
export function connectionState(facts: ConnectionFacts): ConnectionState {
  if (facts.isClosed) return 'offline';
  if (facts.isSignedOut) return 'signed_out';
  if (facts.isOnline) return 'online';
  if (facts.isConnecting && facts.hasBeenOnline) return 'reconnecting';
  if (facts.isProven) return facts.isConnecting ? 'signing_in' : 'offline';
  return facts.isAsking ? 'signing_in' : 'offline';
}
