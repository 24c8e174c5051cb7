/**
 * Encryption of what we store, by the system where it really has any. Pure of Electron: `keyring.ts` says what the system can.
 */
export interface Cipher {
  encrypt(text: string): Buffer;
  /** Throws for bytes that are not ours. */
  decrypt(bytes: Buffer): string;
}

/** How far the system protects what we store, for the notice in the window. */
export type Protection = 'encrypted' | 'no_keyring' | 'keyring_locked';

/** One stored record: `safe` needs the system's key, `local` the one that lies beside the data (and the window says so). */
export interface StoredRecord {
  readonly enc: 'safe' | 'local';
  readonly data: string;
}

export class RecordUnreadableError extends Error {
  readonly code = 'record_unreadable';
}

/** The record needs a key that is not at hand now; it is not broken. */
export class RecordLockedError extends Error {
  readonly code = 'record_locked';
}

export class SecretBox {
  /** @param system the system's encryption, where it really has any @param local what takes its place, see `local-key.ts` */
  constructor(
    private readonly system: Cipher | undefined,
    private readonly local: Cipher,
  ) {}

  seal(text: string): StoredRecord {
    const [enc, cipher] = this.system ? (['safe', this.system] as const) : (['local', this.local] as const);
    return { enc, data: cipher.encrypt(text).toString('base64') };
  }

  /** @throws RecordLockedError without the system's key, RecordUnreadableError for anything that is not a record of ours */
  open(record: unknown): string {
    const { enc, data } = (typeof record === 'object' && record !== null ? record : {}) as { enc?: unknown; data?: unknown };
    if (typeof data !== 'string') throw new RecordUnreadableError('not a record');
    if (enc !== 'safe' && enc !== 'local') throw new RecordUnreadableError('unknown protection');
    const cipher = enc === 'safe' ? this.system : this.local;
    if (!cipher) throw new RecordLockedError('the system key is not available');
    try {
      return cipher.decrypt(Buffer.from(data, 'base64'));
    } catch {
      throw new RecordUnreadableError('cannot be decrypted');
    }
  }

  /** Whether a record should be sealed anew: its key lies beside it although the system can encrypt now. */
  isWeak(record: unknown): boolean {
    return this.system !== undefined && (record as StoredRecord).enc === 'local';
  }
}
