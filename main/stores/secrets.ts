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

/** One stored record: `safe` needs the system's key, `plain` lies open in a 0600 file (and the window says so). */
export interface StoredRecord {
  readonly enc: 'safe' | 'plain';
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
  constructor(private readonly cipher: Cipher | undefined) {}

  seal(text: string): StoredRecord {
    return this.cipher ? { enc: 'safe', data: this.cipher.encrypt(text).toString('base64') } : { enc: 'plain', data: text };
  }

  /** @throws RecordLockedError without the system's key, RecordUnreadableError for anything that is not a record of ours */
  open(record: unknown): string {
    const { enc, data } = (typeof record === 'object' && record !== null ? record : {}) as { enc?: unknown; data?: unknown };
    if (typeof data !== 'string') throw new RecordUnreadableError('not a record');
    if (enc === 'plain') return data;
    if (enc !== 'safe') throw new RecordUnreadableError('unknown protection');
    if (!this.cipher) throw new RecordLockedError('the system key is not available');
    try {
      return this.cipher.decrypt(Buffer.from(data, 'base64'));
    } catch {
      throw new RecordUnreadableError('cannot be decrypted');
    }
  }

  /** Whether a record should be sealed anew: it lies open although the system can encrypt now. */
  isWeak(record: unknown): boolean {
    return this.cipher !== undefined && (record as StoredRecord).enc === 'plain';
  }
}
