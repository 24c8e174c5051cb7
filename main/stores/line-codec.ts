import type { LineCodec } from '../../app/approvals/index.ts';
import type { SecretBox, StoredRecord } from './secrets.ts';

/** Prefix of a line on disk → how it is sealed. */
const PREFIXES: Readonly<Record<string, StoredRecord['enc']>> = { 's:': 'safe', 'l:': 'local' };

/** One journal line on disk: sealed as drafts are. A line that lies open (put there by hand, an import) is read as it is. */
export function lineCodec(box: SecretBox): LineCodec {
  return {
    encode(line) {
      const record = box.seal(line);
      return `${record.enc === 'safe' ? 's:' : 'l:'}${record.data}`;
    },
    decode(line) {
      const enc = PREFIXES[line.slice(0, 2)];
      return enc ? box.open({ enc, data: line.slice(2) }) : line;
    },
  };
}
