import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { BRIDGE_PROTOCOL } from './endpoint.ts';
import { BridgeError } from './errors.ts';

/*
 * The handshake, one JSON line per step. The server says nothing first, so a stranger who only connects learns nothing.
 *
 *   shim  hello      {hello, protocol, role, shimVersion, clientNonce}
 *   app   challenge  {protocol, appVersion, serverNonce, serverProof}      proof that the app knows the secret
 *   shim  proof      {clientProof}                                         proof that the shim knows it
 *   app   verdict    {ok:true} | {error, …}
 *
 * A proof is an HMAC over both nonces and the name of the side that gives it: an old proof fails because the other side's
 * nonce is new, and a proof sent back to its maker fails because the side is wrong.
 */

const HELLO = 'vestnik-bridge';
const NONCE_BYTES = 32;
const NONCE_PATTERN = /^[A-Za-z0-9_-]{43}$/; // 32 bytes as base64url
const VERSION_PATTERN = /^[0-9A-Za-z.+-]{1,64}$/;

/** Longest line that either side takes before both have proved themselves. */
export const HANDSHAKE_LINE_BYTES = 4 * 1024;
/** Longest JSON-RPC line afterwards; a page of full messages or a long text is far below. */
export const MESSAGE_LINE_BYTES = 16 * 1024 * 1024;
/** Both sides need milliseconds; a sleeping disk may need a second. */
export const HANDSHAKE_TIMEOUT_MS = 5_000;

/** What a handshake needs of a connection. */
export interface LineDialogue {
  nextLine(): Promise<Buffer>;
  write(line: string): unknown;
}

export type Side = 'shim' | 'app';

export interface Versions {
  readonly shimVersion: string;
  readonly shimProtocol: number;
  readonly appVersion: string;
  readonly appProtocol: number;
}

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}

/** The proof that `side` knows the secret, for this pair of nonces only. */
export function proofOf(secret: Buffer, side: Side, clientNonce: string, serverNonce: string): string {
  return createHmac('sha256', secret).update(`${HELLO} ${side}\n${clientNonce}\n${serverNonce}`).digest('base64url');
}

/** Compares in constant time. Anything but a string of the right length is simply wrong. */
export function isProof(claimed: unknown, secret: Buffer, side: Side, clientNonce: string, serverNonce: string): boolean {
  if (typeof claimed !== 'string') return false;
  const expected = Buffer.from(proofOf(secret, side, clientNonce, serverNonce));
  const given = Buffer.from(claimed);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Says which side is the old one and what to do about it. */
export function versionMismatch({ shimVersion, shimProtocol, appVersion, appProtocol }: Versions): BridgeError {
  return shimProtocol < appProtocol
    ? new BridgeError(
        'version_mismatch',
        `This vestnik-mcp (${shimVersion}) is older than Vestnik (${appVersion}).`,
        'Restart the MCP client (Claude Desktop, Claude Code, …), so that it starts the new vestnik-mcp; if that does not help, connect the client again in Vestnik.',
      )
    : new BridgeError(
        'version_mismatch',
        `The running Vestnik (${appVersion}) is older than this vestnik-mcp (${shimVersion}).`,
        'Quit Vestnik and start it again; if that does not help, update Vestnik.',
      );
}

function parse(line: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // falls through: the line's own text is never repeated
  }
  throw new BridgeError('handshake_malformed', 'The other side does not speak the bridge protocol.');
}

/**
 * The app's half. Resolves when the shim has proved itself, and before it is told so: {@link admit} or {@link refuse} follows.
 * @throws BridgeError `handshake_malformed`, `proof_wrong`, `version_mismatch` (told to the shim), or what closed the channel
 */
export async function challengeShim(dialogue: LineDialogue, secret: Buffer, appVersion: string): Promise<{ shimVersion: string }> {
  const { hello, protocol, role, shimVersion, clientNonce } = parse(await dialogue.nextLine());
  const isHello = hello === HELLO && typeof protocol === 'number' && typeof shimVersion === 'string' && VERSION_PATTERN.test(shimVersion);
  if (!isHello) throw new BridgeError('handshake_malformed', 'The first line is no hello.');
  if (protocol !== BRIDGE_PROTOCOL) {
    const mismatch = versionMismatch({ shimVersion, shimProtocol: protocol, appVersion, appProtocol: BRIDGE_PROTOCOL });
    refuse(dialogue, mismatch, appVersion);
    throw mismatch;
  }
  if (role !== 'mcp' || typeof clientNonce !== 'string' || !NONCE_PATTERN.test(clientNonce)) {
    throw new BridgeError('handshake_malformed', 'The first line is no hello.');
  }
  const serverNonce = newNonce();
  const serverProof = proofOf(secret, 'app', clientNonce, serverNonce);
  dialogue.write(JSON.stringify({ protocol: BRIDGE_PROTOCOL, appVersion, serverNonce, serverProof }));
  const { clientProof } = parse(await dialogue.nextLine());
  if (!isProof(clientProof, secret, 'shim', clientNonce, serverNonce)) throw new BridgeError('proof_wrong', 'The shim does not know the secret.');
  return { shimVersion };
}

export function admit(dialogue: LineDialogue): void {
  dialogue.write(JSON.stringify({ ok: true }));
}

export function refuse(dialogue: LineDialogue, error: BridgeError, appVersion: string): void {
  dialogue.write(JSON.stringify({ error: error.code, protocol: BRIDGE_PROTOCOL, appVersion }));
}

/**
 * The shim's half. Resolves when both have proved themselves.
 * @throws BridgeError `proof_wrong` if this is not the app that wrote the endpoint file, `version_mismatch` with what to
 * do, `too_many_clients`, `handshake_malformed`, or what closed the channel
 */
export async function greetApp(dialogue: LineDialogue, secret: Buffer, shimVersion: string): Promise<{ appVersion: string }> {
  const clientNonce = newNonce();
  dialogue.write(JSON.stringify({ hello: HELLO, protocol: BRIDGE_PROTOCOL, role: 'mcp', shimVersion, clientNonce }));
  const challenge = parse(await dialogue.nextLine());
  const appVersion = typeof challenge.appVersion === 'string' && VERSION_PATTERN.test(challenge.appVersion) ? challenge.appVersion : 'unknown';
  if (typeof challenge.protocol !== 'number') throw new BridgeError('handshake_malformed', 'The other side does not speak the bridge protocol.');
  if (challenge.protocol !== BRIDGE_PROTOCOL) {
    throw versionMismatch({ shimVersion, shimProtocol: BRIDGE_PROTOCOL, appVersion, appProtocol: challenge.protocol });
  }
  const { serverNonce, serverProof } = challenge;
  const isProved = typeof serverNonce === 'string' && NONCE_PATTERN.test(serverNonce) && isProof(serverProof, secret, 'app', clientNonce, serverNonce);
  if (!isProved) throw new BridgeError('proof_wrong', 'Another program answers in the place of Vestnik.', 'Quit Vestnik and start it again.');
  dialogue.write(JSON.stringify({ clientProof: proofOf(secret, 'shim', clientNonce, serverNonce) }));
  const verdict = parse(await dialogue.nextLine());
  if (verdict.ok === true) return { appVersion };
  if (verdict.error === 'too_many_clients') {
    throw new BridgeError('too_many_clients', 'Too many programs are connected to Vestnik.', 'Close some of the MCP clients.');
  }
  throw new BridgeError('handshake_malformed', 'Vestnik refused the connection.');
}
