import { describe, expect, it } from 'vitest';
import { editableText } from '../../renderer/src/lib/editing.ts';
import { FOLD_CHARACTERS, foldText } from '../../renderer/src/lib/folding.ts';
import { mentionLabel, mentionsWithoutToken, segmentMentions } from '../../renderer/src/lib/mentions.ts';
import { wordDiff } from '../../renderer/src/lib/wordDiff.ts';

const ivan = { guid: '0b7c-11', name: 'Иван Петров' };
const otherIvan = { guid: '0b7c-112', name: 'Иван Петров' };
const nameless = { guid: 'aa-bb', name: null };

describe('mentions in a text', () => {
  it('become chips with the text around them untouched', () => {
    expect(segmentMentions('Эй, @0b7c-11, глянь', [ivan])).toEqual([
      { kind: 'text', text: 'Эй, ' },
      { kind: 'mention', text: '@0b7c-11', person: ivan },
      { kind: 'text', text: ', глянь' },
    ]);
  });

  it('take the longer guid where one begins with another', () => {
    expect(segmentMentions('@0b7c-112', [ivan, otherIvan])).toEqual([{ kind: 'mention', text: '@0b7c-112', person: otherIvan }]);
  });

  it('take no notice of what looks like a pattern in a guid', () => {
    expect(segmentMentions('@a.c @abc', [{ guid: 'a.c', name: 'A' }]).map((segment) => segment.kind)).toEqual(['mention', 'text']);
  });

  it('tell two people of one name apart', () => {
    expect(mentionLabel(ivan, [ivan, otherIvan])).not.toBe(mentionLabel(otherIvan, [ivan, otherIvan]));
    expect(mentionLabel(ivan, [ivan])).toBe('@Иван Петров');
    expect(mentionLabel(nameless, [nameless])).toBe('@aa-bb');
  });

  it('are named apart when no token stands for them', () => {
    expect(mentionsWithoutToken('Эй, @0b7c-11', [ivan, nameless])).toEqual([nameless]);
  });
});

describe('editing a text with mentions', () => {
  const text = 'Привет, @0b7c-11 и @aa-bb!\nДо завтра';

  it('shows names and gives the very tokens back', () => {
    const editable = editableText(text, [ivan, nameless]);
    expect(editable.shown).toBe('Привет, @[Иван Петров] и @aa-bb!\nДо завтра');
    expect(editable.toCanonical(editable.shown)).toBe(text);
    expect(editable.toCanonical('@[Иван Петров], ура, @[Иван Петров]x')).toBe('@0b7c-11, ура, @0b7c-11x');
  });

  it('keeps two people of one name apart', () => {
    const both = '@0b7c-11 @0b7c-112';
    const editable = editableText(both, [ivan, otherIvan]);
    expect(editable.shown).not.toContain('@0b7c');
    expect(editable.toCanonical(editable.shown)).toBe(both);
  });

  it('never turns typed text that only looks like a mention into one', () => {
    const editable = editableText('@0b7c-11', [ivan]);
    expect(editable.toCanonical('@[Кто-то] @Иван Петров')).toBe('@[Кто-то] @Иван Петров');
  });

  it('leaves the token where the text already holds the same brackets', () => {
    const tricky = '@0b7c-11 и @[Иван Петров]';
    const editable = editableText(tricky, [ivan]);
    expect(editable.shown).toBe(tricky);
    expect(editable.toCanonical(editable.shown)).toBe(tricky);
  });

  it.each(['Имя]', 'Имя [x', 'a@b', 'Имя\u200b', '  '])('leaves the token for the unfit name "%s"', (name) => {
    const editable = editableText('x @g-1 y', [{ guid: 'g-1', name }]);
    expect(editable.shown).toBe('x @g-1 y');
    expect(editable.toCanonical(editable.shown)).toBe('x @g-1 y');
  });

  it('treats line breaks as a text field does', () => {
    expect(editableText('a\r\nb\rc', []).shown).toBe('a\nb\nc');
  });
});

describe('an edit as a difference of words', () => {
  const rebuilt = (before: string, after: string) => {
    const parts = wordDiff(before, after, [ivan]) ?? [];
    return {
      before: parts.flatMap((part) => (part.kind === 'added' ? [] : [part.text])).join(''),
      after: parts.flatMap((part) => (part.kind === 'removed' ? [] : [part.text])).join(''),
    };
  };

  it('takes Russian word by word and a replaced phrase as one', () => {
    expect(wordDiff('Созвон в среду, 11:00, ссылка та же.', 'Созвон в четверг, 15:30, ссылка та же.', [])).toEqual([
      { kind: 'same', text: 'Созвон в ' },
      { kind: 'removed', text: 'среду, 11:00' },
      { kind: 'added', text: 'четверг, 15:30' },
      { kind: 'same', text: ', ссылка та же.' },
    ]);
  });

  it.each([
    ['', 'новое'],
    ['старое', ''],
    ['a\nb  c\u200b', 'a\n\nb c @0b7c-11'],
    ['👨‍👩‍👧 да', '👩‍🚀 нет'],
    ['Слово слово, слово', 'слово, Слово слово'],
  ])('gives both texts back exactly: %j → %j', (before, after) => {
    expect(rebuilt(before, after)).toEqual({ before, after });
  });

  it('never cuts a mention in two', () => {
    const parts = wordDiff('зову @0b7c-11', 'зову @0b7c-112', [ivan, otherIvan]);
    expect(parts?.filter((part) => part.kind !== 'same').map((part) => part.text)).toEqual(['@0b7c-11', '@0b7c-112']);
  });

  it('gives way to both whole texts when they are very long', () => {
    expect(wordDiff('a '.repeat(50_000), 'b '.repeat(50_000), [])).toBeUndefined();
    expect(wordDiff('a b '.repeat(2_400), 'c d '.repeat(2_400), [])).toBeUndefined();
  });
});

describe('folding a long text', () => {
  it('leaves a short one alone', () => {
    expect(foldText('коротко\nи ясно')).toEqual({ head: 'коротко\nи ясно', hiddenCharacters: 0, totalCharacters: 14 });
  });

  it('counts what is not shown of 100,000 characters', () => {
    const folded = foldText('я'.repeat(100_000));
    expect(folded.head).toHaveLength(FOLD_CHARACTERS);
    expect(folded.hiddenCharacters).toBe(100_000 - FOLD_CHARACTERS);
  });

  it('folds what blank lines would push out of sight', () => {
    const folded = foldText(`Привет${'\n'.repeat(40)}и ещё кое-что`);
    expect(folded.hiddenCharacters).toBeGreaterThan(13);
    expect(folded.head).not.toContain('ещё');
  });

  it('does not cut an emoji in two', () => {
    expect(foldText('ab😀cd', 3)).toEqual({ head: 'ab', hiddenCharacters: 4, totalCharacters: 6 });
  });
});
