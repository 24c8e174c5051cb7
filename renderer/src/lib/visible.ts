/**
 * What a person cannot see must be drawn (design §4). Splits text into what may be shown as it is and single code points
 * that are invisible, change direction or imitate a space; nothing is dropped: the pieces joined give the text back.
 */

export type VisiblePiece = { readonly kind: 'plain'; readonly text: string } | { readonly kind: 'odd'; readonly text: string; readonly code: string };

/**
 * Emoji are matched first and only as sequences Unicode itself recommends, so that a joiner or a variation selector
 * passes inside a real emoji and nowhere else.
 */
const EMOJI = String.raw`\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0E`;

/**
 * Controls, formats, lone surrogates, private and unassigned code points (C), every separator but the plain space (Z),
 * whatever Unicode lets a font ignore (fillers, joiners, selectors, tags), the blank Braille cell, the object placeholder, a null note head.
 */
const ODD = String.raw`[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{1D159}]--[ \n\t]]`;
const ODD_IN_LINE = String.raw`[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{1D159}]--[ ]]`;

// Built from strings: the `v` flag in a literal is newer than the compiler's target, not than the runtimes.
const inText = new RegExp(`(?:${EMOJI})|(${ODD})`, 'gv');
const inLine = new RegExp(`(?:${EMOJI})|(${ODD_IN_LINE})`, 'gv');

/** `U+200B`, at least four hexadecimal digits. */
export function codePointLabel(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * @param text untrusted text, any length.
 * @param isSingleLine for names and paths: line breaks and tabs are odd there too.
 */
export function visiblePieces(text: string, isSingleLine = false): VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  let start = 0;
  for (const match of text.matchAll(isSingleLine ? inLine : inText)) {
    const odd = match[1];
    if (odd === undefined) continue;
    if (match.index > start) pieces.push({ kind: 'plain', text: text.slice(start, match.index) });
    pieces.push({ kind: 'odd', text: odd, code: codePointLabel(odd) });
    start = match.index + odd.length;
  }
  if (start < text.length) pieces.push({ kind: 'plain', text: text.slice(start) });
  return pieces;
}

/** The same as one string, for accessible labels and tooltips where no badge can be drawn: `a[U+200B]b`. */
export function visibleString(text: string): string {
  return visiblePieces(text, true)
    .map((piece) => (piece.kind === 'odd' ? `[${piece.code}]` : piece.text))
    .join('');
}
