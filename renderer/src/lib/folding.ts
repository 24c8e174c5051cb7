/** Long texts are folded on a card; what is folded is counted, and a folded text cannot be confirmed. */

/** A screenful: what one sees at a glance. */
export const FOLD_CHARACTERS = 2_000;
/** Blank lines would push the end out of sight as well as words do. */
export const FOLD_LINES = 24;

export interface Folded {
  readonly head: string;
  /** UTF-16 units left out; 0 when all is shown. */
  readonly hiddenCharacters: number;
  readonly totalCharacters: number;
}

/** Cuts after so many characters or lines, whichever comes first; never between the halves of a surrogate pair. */
export function foldText(text: string, maxCharacters = FOLD_CHARACTERS, maxLines = FOLD_LINES): Folded {
  let end = Math.min(text.length, maxCharacters);
  let position = -1;
  for (let line = 0; line < maxLines; line += 1) {
    position = text.indexOf('\n', position + 1);
    if (position === -1 || position >= end) break;
    if (line === maxLines - 1) end = position;
  }
  if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
  return { head: text.slice(0, end), hiddenCharacters: text.length - end, totalCharacters: text.length };
}
