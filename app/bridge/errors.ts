/** Why a bridge operation ended. Stable: the shim puts them into words, the app logs them. */
export type BridgeErrorCode =
  /** Nothing listens: no endpoint file, or its socket is dead. */
  | 'absent'
  /** Something listens but did not answer in time, or its queue is full. */
  | 'no_answer'
  | 'already_running'
  | 'folder_unsafe'
  | 'file_unsafe'
  | 'file_malformed'
  /** The other side does not know the secret. */
  | 'proof_wrong'
  | 'handshake_malformed'
  | 'version_mismatch'
  | 'too_many_clients'
  | 'address_unavailable'
  | 'closed'
  | 'line_too_long';

/** The one error class of the bridge. `message` is one English sentence for a person; it never holds the secret. */
export class BridgeError extends Error {
  constructor(
    readonly code: BridgeErrorCode,
    message: string,
    /** What the reader can do about it, one sentence. */
    readonly nextStep?: string,
  ) {
    super(message);
    this.name = 'BridgeError';
  }
}

/** The `code` of a Node system error (`ENOENT`, …), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
