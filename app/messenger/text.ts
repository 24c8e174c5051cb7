/**
 * What a text hides from the eye (design §4): texts go out byte for byte, and this names the characters that do not show
 * or that change the reading direction. Also how two names are compared.
 */

interface FlagRule {
  readonly flag: string;
  readonly pattern: RegExp;
}

/** One row per kind of character, with what it can be used for. */
const RULES: readonly FlagRule[] = [
  // Embedding, override and isolate marks: make "gpj.exe" read "exe.jpg".
  { flag: 'bidi_control', pattern: /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u },
  // Zero-width space, joiners, word joiner, BOM, invisible operators: hide words from a reader or from a filter.
  { flag: 'zero_width', pattern: /[\u180E\u200B-\u200D\u2060-\u2064\u206A-\u206F\uFEFF]/u },
  // Tag characters spell ASCII that no font shows; the classic carrier of hidden orders.
  { flag: 'tag_characters', pattern: /[\u{E0000}-\u{E007F}]/u },
  // Variation selectors can carry bytes; the ordinary emoji selectors FE0E/FE0F are left out.
  { flag: 'variation_selectors', pattern: /[\uFE00-\uFE0D\u{E0100}-\u{E01EF}]/u },
  // C0 and C1 controls but tab, line feed and carriage return.
  { flag: 'control', pattern: /(?![\t\n\r])\p{Cc}/u },
  { flag: 'line_separator', pattern: /[\u2028\u2029]/u },
  { flag: 'soft_hyphen', pattern: /[\u00AD]/u },
  // Letters that render as nothing: Hangul fillers, combining grapheme joiner, Khmer inherent vowels.
  { flag: 'blank_letters', pattern: /\u034F|\u115F|\u1160|\u17B4|\u17B5|\u2800|\u3164|\uFFA0/u },
  { flag: 'unusual_space', pattern: /[\u1680\u2000-\u200A\u202F\u205F\u3000]/u },
  { flag: 'lone_surrogate', pattern: /[\uD800-\uDFFF]/u },
];

/** A joiner between two pictographs is part of an emoji (👩‍💻), not a hidden character. */
const EMOJI_JOINER = /(?<=\p{Extended_Pictographic}|\uFE0F|\p{Emoji_Modifier})\u200D(?=\p{Extended_Pictographic})/gu;
/** Flags of England, Scotland and Wales are a black flag, tags, and a cancel tag. */
const EMOJI_TAG_SEQUENCE = /\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}/gu;

/** Kinds of invisible or direction-changing characters in a text, in a fixed order; empty for a plain one. */
export function textFlags(text: string): string[] {
  const visible = text.replace(EMOJI_JOINER, '').replace(EMOJI_TAG_SEQUENCE, '');
  return RULES.filter((rule) => rule.pattern.test(visible)).map((rule) => rule.flag);
}

/** Replaces every character that {@link textFlags} would name; for file names. */
export function withoutHiddenCharacters(text: string, replacement: string): string {
  return RULES.filter((rule) => rule.flag !== 'unusual_space').reduce((result, rule) => result.replace(new RegExp(rule.pattern, 'gu'), replacement), text);
}

/** A name as names are compared: case and ё/е folded, compatibility forms and runs of spaces evened out. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLocaleLowerCase('ru').replaceAll('ё', 'е').replace(/\s+/gu, ' ').trim();
}
