import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { en } from '../../renderer/src/i18n/en.ts';
import type { MessageKey } from '../../renderer/src/i18n/en.ts';
import { createTranslator, resolveLanguage, resolveTimeZone } from '../../renderer/src/i18n/I18n.tsx';
import { ru } from '../../renderer/src/i18n/ru.ts';
import { reasonFor } from '../../renderer/src/lib/reasons.ts';
import { exactTime, fileSize, futureTime, initials, pastTime } from '../../renderer/src/lib/words.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) && !/^(ru|en)\.ts$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });
}

/** Names of the values in a message, and the plural cases it spells out. */
function shape(message: string, language: string): { values: string[]; cases: string[] } {
  const values = new Set<string>();
  const cases = new Set<string>();
  type Ast = ReturnType<IntlMessageFormat['getAst']>;
  const walk = (nodes: Ast) => {
    for (const node of nodes) {
      if ('value' in node && node.type !== 0) values.add(String(node.value));
      if ('options' in node && node.options) {
        for (const [name, option] of Object.entries(node.options)) {
          cases.add(name);
          walk(option.value);
        }
      }
    }
  };
  walk(new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst());
  return { values: [...values].sort(), cases: [...cases] };
}

describe('the two languages', () => {
  const keys = Object.keys(en) as MessageKey[];
  const code = sources(join(import.meta.dirname, '../../renderer/src')).join('\n');

  it('have the same messages', () => {
    expect(Object.keys(ru).sort()).toEqual([...keys].sort());
  });

  it('have no message that nobody shows', () => {
    expect(keys.filter((key) => !code.includes(`'${key}'`))).toEqual([]);
  });

  it.each(keys)('ask for the same values in %s', (key) => {
    const english = shape(en[key], 'en');
    const russian = shape(ru[key], 'ru');
    expect(russian.values).toEqual(english.values);
    if (russian.cases.length > 0) expect(russian.cases).toEqual(expect.arrayContaining(['one', 'few', 'many', 'other']));
  });

  it('count drafts by the rules of Russian', () => {
    const t = createTranslator('ru');
    expect([1, 2, 5, 11, 21, 104].map((count) => t('nav.pending', { count }))).toEqual([
      '1 черновик ждёт',
      '2 черновика ждут',
      '5 черновиков ждут',
      '11 черновиков ждут',
      '21 черновик ждёт',
      '104 черновика ждут',
    ]);
  });

  it('count drafts by the rules of English', () => {
    const t = createTranslator('en');
    expect([1, 2, 21].map((count) => t('nav.pending', { count }))).toEqual(['1 draft waits', '2 drafts wait', '21 drafts wait']);
  });

  it('follow the system where we speak its language', () => {
    expect(resolveLanguage('system', 'ru-RU')).toBe('ru');
    expect(resolveLanguage('system', 'de-DE')).toBe('en');
    expect(resolveLanguage('en', 'ru-RU')).toBe('en');
  });

  it('show no bare code, not even one without words of its own', () => {
    const reason = reasonFor('brand_new_code');
    expect(createTranslator('ru')(reason.key, reason.values)).toBe('что-то пошло не так');
  });
});

describe('times', () => {
  const now = Date.UTC(2026, 10, 30, 12, 0, 0);
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;

  it.each([
    [5_000, 'сейчас'],
    [2 * MINUTE, '2 минуты назад'],
    [HOUR, '1 час назад'],
    [23 * HOUR, '23 часа назад'],
    [25 * HOUR, '29 ноября в 14:00'],
  ])('of %i ms ago read "%s"', (age, words) => {
    expect(plain(pastTime(now - age, now, 'ru', 'Europe/Moscow'))).toBe(words);
  });

  it.each([
    [5 * MINUTE, 'через 5 минут'],
    [2 * HOUR, 'через 2 часа'],
    [10 * HOUR, 'завтра, 01:00'],
    [8 * HOUR, 'сегодня, 23:00'],
    [26 * HOUR, 'завтра, 17:00'],
  ])('in %i ms read "%s"', (left, words) => {
    expect(plain(futureTime(now + left, now, 'ru', 'Europe/Moscow'))).toBe(words);
  });

  it('follow the time zone of the settings', () => {
    expect(exactTime(now, 'en', 'Asia/Tokyo')).toContain('9:00:00');
    expect(exactTime(now, 'en', 'UTC')).toContain('12:00:00');
  });

  it('survive a time zone nobody knows', () => {
    expect(resolveTimeZone('Mars/Base', 'Europe/Moscow')).toBe('Europe/Moscow');
    expect(resolveTimeZone('system', 'nonsense')).toBe('UTC');
  });
});

describe('small words', () => {
  it('make initials of any name', () => {
    expect(['Мария Соколова', 'Проект «Север»', 'anna', '🚀', ''].map(initials)).toEqual(['МС', 'ПС', 'A', '?', '?']);
    expect(initials(null)).toBe('?');
  });

  it('measure files', () => {
    expect(plain(fileSize(421_888, 'ru'))).toBe('412 кБ');
    expect(plain(fileSize(512, 'en'))).toBe('512 byte');
    expect(plain(fileSize(1_572_864, 'en'))).toBe('1.5 MB');
  });
});
