import { describe, expect, it } from 'vitest';
import { guidOf, hasMention, readableText, stillMentioned, substituteMentions } from '../../app/messenger/writing/mentions.ts';

const ANNA = '0a1b2c3d-0000-4000-8000-00000000000a';
const IVAN = '12345678-0000-4000-8000-00000000000b';
const at = (guid: string) => `@${guid}`;
const sub = (text: string, ...named: [string, string][]) =>
  substituteMentions(
    text,
    named.map(([query, guid]) => ({ query, guid })),
  );

describe('only the named strings become mentions', () => {
  it.each<[why: string, text: string, named: [string, string][], expected: string]>([
    ['a name in the middle', 'привет @Иван, ты где', [['@Иван', IVAN]], `привет ${at(IVAN)}, ты где`],
    ['every occurrence', '@Иван @Иван', [['@Иван', IVAN]], `${at(IVAN)} ${at(IVAN)}`],
    ['a longer word stays', '@Иван и @Иванов', [['@Иван', IVAN]], `${at(IVAN)} и @Иванов`],
    ['an address stays', '@Иван пишет с petr@Иван', [['@Иван', IVAN]], `${at(IVAN)} пишет с petr@Иван`],
    ['left border in Cyrillic', '@Иван, а пётр@Иван', [['@Иван', IVAN]], `${at(IVAN)}, а пётр@Иван`],
    ['left border behind a combining mark', 'и\u0306@Иван @Иван', [['@Иван', IVAN]], `и\u0306@Иван ${at(IVAN)}`],
    ['right border before a combining mark', '@Андреи\u0306 @Андреи', [['@Андреи', IVAN]], `@Андреи\u0306 ${at(IVAN)}`],
    ['digits and underscores continue a word', '@Иван2 @Иван_ @Иван', [['@Иван', IVAN]], `@Иван2 @Иван_ ${at(IVAN)}`],
    [
      'Georgian, Arabic, Chinese',
      '@ნინო @ნინოს @علي @علياء @王 @王芳',
      [
        ['@ნინო', ANNA],
        ['@علي', IVAN],
        ['@王', ANNA],
      ],
      `${at(ANNA)} @ნინოს ${at(IVAN)} @علياء ${at(ANNA)} @王芳`,
    ],
    [
      'longest first',
      '@Иван Петров и @Иван',
      [
        ['@Иван', ANNA],
        ['@Иван Петров', IVAN],
      ],
      `${at(IVAN)} и ${at(ANNA)}`,
    ],
    [
      'the order of naming does not matter',
      '@Анна и @Иван',
      [
        ['@Иван', IVAN],
        ['@Анна', ANNA],
      ],
      `${at(ANNA)} и ${at(IVAN)}`,
    ],
    ['punctuation and line ends are borders', '(@Иван)\n@Иван!@Иван', [['@Иван', IVAN]], `(${at(IVAN)})\n${at(IVAN)}!${at(IVAN)}`],
    ['a particle after a hyphen', '@Иван-то', [['@Иван', IVAN]], `${at(IVAN)}-то`],
    ['a double name is another name', '@Анна-Мария и @Анна', [['@Анна', ANNA]], `@Анна-Мария и ${at(ANNA)}`],
    ['not named, not touched', '@Анна и @Иван', [['@Иван', IVAN]], `@Анна и ${at(IVAN)}`],
    ['a name without its @', 'Иван и @Иван', [['Иван', IVAN]], `Иван и ${at(IVAN)}`],
    ['a name that is a pattern', '@a.b(c) @aXb(c)', [['@a.b(c)', IVAN]], `${at(IVAN)} @aXb(c)`],
    ['a token stays what it is', `${at(IVAN)}!`, [[at(IVAN), IVAN]], `${at(IVAN)}!`],
    ['a guid in capitals', `@${ANNA.toUpperCase()}!`, [[`@${ANNA.toUpperCase()}`, ANNA]], `${at(ANNA)}!`],
    ['a bare guid', `см. ${IVAN}`, [[IVAN, IVAN]], `см. ${at(IVAN)}`],
    ['a bare guid beside its token', `${at(IVAN)}`, [[IVAN, IVAN]], at(IVAN)],
    [
      'no name matches inside a token',
      `${at(IVAN)} @12345678`,
      [
        ['@12345678', ANNA],
        [at(IVAN), IVAN],
      ],
      `${at(IVAN)} ${at(ANNA)}`,
    ],
    ['dollar signs in the text', 'цена $& для @Иван', [['@Иван', IVAN]], `цена $& для ${at(IVAN)}`],
  ])('%s', (_why, text, named, expected) => {
    const result = sub(text, ...named);
    expect(result.text).toBe(expected);
    expect(result.missing).toEqual([]);
  });

  it('says which mention does not stand in the text', () => {
    expect(sub('@Иванов', ['@Иван', IVAN]).missing).toEqual([{ query: '@Иван', guid: IVAN }]);
  });

  it('gives the same for the original and for its echo', () => {
    const first = sub('@Иван Петров, @Анна', ['@Иван Петров', IVAN], ['@Анна', ANNA]);
    expect(sub(first.text, [at(IVAN), IVAN], [at(ANNA), ANNA]).text).toBe(first.text);
    expect(sub(first.text, [IVAN, IVAN], [ANNA, ANNA])).toEqual(first);
    expect(sub(first.text, ['@Иван Петров', IVAN], ['@Анна', ANNA])).toEqual(first);
  });
});

it('shows names in place of guids, and unknown ones as they are', () => {
  expect(readableText(`${at(IVAN)} и ${at(ANNA)}`, [{ guid: IVAN, name: 'Иван' }, { guid: ANNA }])).toBe(`@Иван и ${at(ANNA)}`);
});

it('finds out whom a changed text still mentions', () => {
  expect(hasMention(`a${at(IVAN)}`, IVAN)).toBe(false);
  expect(stillMentioned(`${at(ANNA)}`, [IVAN, ANNA], (guid) => guid)).toEqual([ANNA]);
});

it('takes a guid with and without @, and nothing else for one', () => {
  expect([guidOf(IVAN), guidOf(` @${IVAN} `), guidOf('@Иван'), guidOf(`${IVAN}0`)]).toEqual([IVAN, IVAN, undefined, undefined]);
});
