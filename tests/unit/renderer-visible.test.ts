import { describe, expect, it } from 'vitest';
import { visiblePieces, visibleString } from '../../renderer/src/lib/visible.ts';

const joined = (text: string) =>
  visiblePieces(text)
    .map((piece) => piece.text)
    .join('');

describe('characters a person cannot see', () => {
  it.each([
    ['zero-width space', '\u200b', 'U+200B'],
    ['zero-width joiner outside an emoji', '\u200d', 'U+200D'],
    ['zero-width non-joiner', '\u200c', 'U+200C'],
    ['word joiner', '\u2060', 'U+2060'],
    ['invisible plus', '\u2064', 'U+2064'],
    ['byte-order mark', '\ufeff', 'U+FEFF'],
    ['soft hyphen', '\u00ad', 'U+00AD'],
    ['right-to-left override', '\u202e', 'U+202E'],
    ['left-to-right mark', '\u200e', 'U+200E'],
    ['Arabic letter mark', '\u061c', 'U+061C'],
    ['first strong isolate', '\u2068', 'U+2068'],
    ['pop directional isolate', '\u2069', 'U+2069'],
    ['no-break space', '\u00a0', 'U+00A0'],
    ['narrow no-break space', '\u202f', 'U+202F'],
    ['en quad', '\u2000', 'U+2000'],
    ['ideographic space', '\u3000', 'U+3000'],
    ['line separator', '\u2028', 'U+2028'],
    ['carriage return', '\r', 'U+000D'],
    ['null', '\0', 'U+0000'],
    ['escape', '\u001b', 'U+001B'],
    ['next line', '\u0085', 'U+0085'],
    ['combining grapheme joiner', '\u034f', 'U+034F'],
    ['Hangul filler', '\u3164', 'U+3164'],
    ['halfwidth Hangul filler', '\uffa0', 'U+FFA0'],
    ['Hangul choseong filler', '\u115f', 'U+115F'],
    ['Mongolian vowel separator', '\u180e', 'U+180E'],
    ['Khmer inherent vowel', '\u17b4', 'U+17B4'],
    ['blank Braille cell', '\u2800', 'U+2800'],
    ['variation selector on a letter', '\ufe0f', 'U+FE0F'],
    ['variation selector 17', '\u{e0100}', 'U+E0100'],
    ['language tag', '\u{e0001}', 'U+E0001'],
    ['tag letter', '\u{e0041}', 'U+E0041'],
    ['interlinear anchor', '\ufff9', 'U+FFF9'],
    ['lone surrogate', '\ud83d', 'U+D83D'],
    ['private use', '\ue000', 'U+E000'],
    ['noncharacter', '\uffff', 'U+FFFF'],
    ['object replacement', '\ufffc', 'U+FFFC'],
  ])('draws a %s as a badge', (_name, character, code) => {
    expect(visiblePieces(`a${character}b`)).toEqual([
      { kind: 'plain', text: 'a' },
      { kind: 'odd', text: character, code },
      { kind: 'plain', text: 'b' },
    ]);
  });

  it.each(['👨‍👩‍👧‍👦', '👩🏽‍🚀', '🏳️‍🌈', '❤️', '1️⃣', '🇷🇺', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '☎\ufe0e'])('leaves the emoji %s whole', (emoji) => {
    expect(visibleString(`до ${emoji} после`)).toBe(`до ${emoji} после`);
  });

  it('shows a joiner that only follows an emoji', () => {
    expect(visibleString('👨\u200dx')).toBe('👨[U+200D]x');
  });

  it('shows tag letters that hide behind an emoji flag', () => {
    expect(visibleString('🏴\u{e0068}\u{e0069}\u{e007f}')).toBe('🏴[U+E0068][U+E0069][U+E007F]');
  });

  it('shows a second selector after an emoji that already has one', () => {
    expect(visibleString('❤️\ufe0f')).toBe('❤️[U+FE0F]');
  });

  it('leaves ordinary text, line breaks, tabs and other scripts alone', () => {
    const text = 'Привет, world!\n\t**жирно** مرحبا שלום 日本語 é e\u0301 — «»…';
    expect(visiblePieces(text)).toEqual([{ kind: 'plain', text }]);
  });

  it('shows a line break inside a name', () => {
    expect(visibleString('Анна\nКотова')).toBe('Анна[U+000A]Котова');
  });

  it('loses nothing of a text of every code unit', () => {
    let text = '';
    for (let unit = 0; unit <= 0xffff; unit += 7) text += String.fromCharCode(unit);
    expect(joined(text)).toBe(text);
  });
});
