import { WritingRefusal } from './types.ts';

/**
 * Longest text that is taken, in UTF-16 units. The server's own limit is not known; this one stays far below the largest frame
 * and above anything a person writes by hand.
 */
export const MAX_TEXT_LENGTH = 20_000;
/** Longest quote of a reply, in characters (protocol §6, I: derived from the web client, no longer one was seen live). */
export const MAX_QUOTE_CHARACTERS = 200;

/**
 * Refuses a text that cannot be sent.
 * @param argument the argument's name, for the message.
 * @throws WritingRefusal `invalid_argument`
 */
export function requireText(text: string, argument: string): void {
  if (isBlank(text)) {
    throw new WritingRefusal('invalid_argument', `\`${argument}\` is empty: there is nothing to send.`, `Give \`${argument}\` a visible text.`);
  }
  if (text.length > MAX_TEXT_LENGTH) {
    throw new WritingRefusal(
      'invalid_argument',
      `\`${argument}\` has ${text.length} characters (mentions as @<guid> counted); the most is ${MAX_TEXT_LENGTH}.`,
      'Shorten it, split it into several messages, or send it as a file.',
    );
  }
  requireWholeCharacters(text, argument);
}

/** Refuses half of a character, which UTF-8 cannot carry. @throws WritingRefusal `invalid_argument` */
export function requireWholeCharacters(text: string, argument: string): void {
  if (!/\p{Cs}/u.test(text)) return;
  throw new WritingRefusal('invalid_argument', `\`${argument}\` holds half of a character (a lone surrogate).`, `Repair \`${argument}\` and call again.`);
}

/** True for a text in which nothing can be seen: spaces, line ends, invisible characters. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u.test(text);
}

/** Cuts a quote at 200 code points, never inside a character as a reader sees it. */
export function cutQuote(text: string): { quote: string; truncated: boolean } {
  if ([...text].length <= MAX_QUOTE_CHARACTERS) return { quote: text, truncated: false };
  let quote = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    const size = [...segment].length;
    if (used + size > MAX_QUOTE_CHARACTERS) break;
    quote += segment;
    used += size;
  }
  // One "character" longer than the whole quote (hundreds of combining marks) is cut inside.
  return { quote: quote || [...text].slice(0, MAX_QUOTE_CHARACTERS).join(''), truncated: true };
}
