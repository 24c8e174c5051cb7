import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Cipher } from './secrets.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12; // AES-GCM's own
const TAG_BYTES = 16;

/**
 * Encryption (AES-256-GCM) with a key of our own that lies beside the data, for systems without a keyring. It keeps texts out of searches,
 * indexes and copies of single files. It does not keep them from whoever can read the whole folder, and the window says so.
 */
export function localCipher(folder: string): Cipher {
  let key: Buffer | undefined;
  const getKey = () => (key ??= readOrMakeKey(path.join(folder, 'local.key')));
  return {
    encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', getKey(), nonce);
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(bytes) {
      const decipher = createDecipheriv('aes-256-gcm', getKey(), bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}

/** A key that has the wrong length opens nothing any more, so a new one takes its place. */
function readOrMakeKey(file: string): Buffer {
  if (fs.existsSync(file)) {
    const key = fs.readFileSync(file);
    if (key.length === KEY_BYTES) return key;
  }
  const key = randomBytes(KEY_BYTES);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, key, { mode: 0o600 });
  return key;
}
