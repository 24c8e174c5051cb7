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
  return changes?.map((change) => ({ kind: change.added ? 'added' : change.removed ? 'removed' : 'same', text: change.value.join('') }));
}
