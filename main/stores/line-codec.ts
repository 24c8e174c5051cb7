import type { LineCodec } from '../../app/approvals/index.ts';
import type { SecretBox, StoredRecord } from './secrets.ts';

/** One journal line on disk: sealed as drafts are. A line that lies open (written before the keyring was there) stays readable. */
export function lineCodec(box: SecretBox): LineCodec {
  return {
    encode(line) {
      const record = box.seal(line);
      return record.enc === 'plain' ? line : `s:${record.data}`;
    },
    decode(line) {
      if (!line.startsWith('s:')) return line;
      const record: StoredRecord = { enc: 'safe', data: line.slice(2) };
      return box.open(record);
    },
  };
}
