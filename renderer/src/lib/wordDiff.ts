import { diffArrays } from 'diff';
import { segmentMentions } from './mentions.ts';
import type { MentionedPerson } from './mentions.ts';

export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Beyond this a word diff is slow to make and slow to read: both texts are shown whole instead. Characters, both together. */
export const DIFF_MAX_CHARACTERS = 20_000;
/** Edits after which two texts have little in common. */
const DIFF_MAX_EDITS = 2_000;

// The library's own words are Latin only and would take Russian letter by letter.
const WORDS = /\p{N}+(?:[:.,]\p{N}+)+|[\p{L}\p{M}\p{N}_]+|[^\S\n]+|\n|./gsu;

function tokens(text: string, people: readonly MentionedPerson[]): string[] {
  return segmentMentions(text, people).flatMap((segment) => (segment.kind === 'mention' ? [segment.text] : (segment.text.match(WORDS) ?? [])));
}

/**
 * Was → will, word by word; a mention is one word. The `same` and `added` parts joined are `after`, exactly.
 * @returns undefined where the texts are too long or too different; show both whole.
 */
export function wordDiff(before: string, after: string, people: readonly MentionedPerson[]): DiffPart[] | undefined {
  if (before.length + after.length > DIFF_MAX_CHARACTERS) return undefined;
  const changes = diffArrays(tokens(before, people), tokens(after, people), { maxEditLength: DIFF_MAX_EDITS });
  return (
    changes && joinNeighbours(changes.map((change) => ({ kind: change.added ? 'added' : change.removed ? 'removed' : 'same', text: change.value.join('') })))
  );
}

/** A comma or a space left standing between two replaced words makes neither readable: the words are replaced as one. */
const IS_BRIDGE = /^[^\p{L}\p{M}\p{N}\n@]{1,3}$/u;

function joinNeighbours(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed !== '') joined.push({ kind: 'removed', text: removed });
    if (added !== '') joined.push({ kind: 'added', text: added });
    removed = '';
    added = '';
  };
  parts.forEach((part, index) => {
    if (part.kind === 'removed') removed += part.text;
    else if (part.kind === 'added') added += part.text;
    else if (IS_BRIDGE.test(part.text) && removed !== '' && added !== '' && parts[index + 1]?.kind === 'removed' && parts[index + 2]?.kind === 'added') {
      removed += part.text;
      added += part.text;
    } else {
      flush();
      joined.push(part);
    }
  });
  flush();
  return joined;
}
