import { describe, expect, it } from 'vitest';
import { cutQuote, isBlank, MAX_TEXT_LENGTH, requireText } from '../../app/messenger/writing/text.ts';

const refusal = (text: string) => {
  try {
    requireText(text, 'text');
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a text that cannot be sent', () => {
  it.each(['', ' \n\t', '\u200b\u2060', '\u3164', '\u00ad'])('nothing to see in %j', (text) => {
    expect(isBlank(text)).toBe(true);
    expect(refusal(text)).toBe('invalid_argument');
  });
  it.each(['.', '👍', '  a ', 'а\u0301'])('something to see in %j', (text) => expect(refusal(text)).toBeUndefined());
  it('is too long, or broken', () => {
    expect(refusal('я'.repeat(MAX_TEXT_LENGTH))).toBeUndefined();
    expect(refusal('я'.repeat(MAX_TEXT_LENGTH + 1))).toBe('invalid_argument');
    expect(refusal('я'.repeat(100_000))).toBe('invalid_argument');
    expect(refusal('a\ud83d')).toBe('invalid_argument');
  });
});

describe('the quote of a reply', () => {
  it('is left alone up to 200 characters', () => {
    expect(cutQuote('я'.repeat(200))).toEqual({ quote: 'я'.repeat(200), truncated: false });
    expect(cutQuote('👍'.repeat(200))).toEqual({ quote: '👍'.repeat(200), truncated: false });
    expect(cutQuote('')).toEqual({ quote: '', truncated: false });
  });
  it('is cut at 200 characters', () => {
    expect(cutQuote('я'.repeat(201))).toEqual({ quote: 'я'.repeat(200), truncated: true });
    expect(cutQuote('👍'.repeat(201))).toEqual({ quote: '👍'.repeat(200), truncated: true });
  });
  it('never ends inside what a reader sees as one character', () => {
    const family = '👨‍👩‍👧‍👦';
    const { quote, truncated } = cutQuote(`${'a'.repeat(198)}${family}${'b'.repeat(50)}`);
    expect(quote).toBe('a'.repeat(198));
    expect(truncated).toBe(true);
    expect(cutQuote(`a${'\u0301'.repeat(300)}`).quote).toHaveLength(200);
  });
});
