import { randomBytes } from 'node:crypto';

function hexGroups(lengths: readonly number[]): string {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const hex = randomBytes(Math.ceil(total / 2)).toString('hex');
  let offset = 0;
  return lengths.map((length) => hex.slice(offset, (offset += length))).join('-');
}

/** A `RequestId`: random hex in groups 8-4-4-8, 27 characters, not a uuid (protocol §1, B). */
export function newRequestId(): string {
  return hexGroups([8, 4, 4, 8]);
}

/** The `session` of a socket's query: random hex in groups 4-4-4-4 (protocol §3, L). */
export function newSocketSessionId(): string {
  return hexGroups([4, 4, 4, 4]);
}
