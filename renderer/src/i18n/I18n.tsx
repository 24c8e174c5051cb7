import { IntlMessageFormat } from 'intl-messageformat';
import { createContext, use, useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { duration, exactTime, fileSize, futureTime, pastTime } from '../lib/words.ts';
import { en } from './en.ts';
import type { MessageKey } from './en.ts';
import { ru } from './ru.ts';

export type Language = 'ru' | 'en';
export type MessageValues = Readonly<Record<string, string | number>>;

export interface I18n {
  readonly language: Language;
  readonly timeZone: string;
  readonly t: (key: MessageKey, values?: MessageValues) => string;
  readonly past: (at: number, now: number) => string;
  readonly future: (at: number, now: number) => string;
  readonly exact: (at: number) => string;
  readonly size: (bytes: number) => string;
  readonly duration: (ms: number) => string;
  readonly number: (value: number) => string;
}

const MESSAGES = { ru, en };

/** Message with its values, plurals by the language's rules. */
export function createTranslator(language: Language): I18n['t'] {
  const formats = new Map<MessageKey, IntlMessageFormat>();
  return (key, values) => {
    let format = formats.get(key);
    if (!format) {
      // Messages hold no markup; without this a "<" in one would be taken for a tag.
      format = new IntlMessageFormat(MESSAGES[language][key], language, undefined, { ignoreTag: true });
      formats.set(key, format);
    }
    return String(format.format(values));
  };
}

export function createI18n(language: Language, timeZone: string): I18n {
  const numbers = new Intl.NumberFormat(language);
  return {
    language,
    timeZone,
    t: createTranslator(language),
    past: (at, now) => pastTime(at, now, language, timeZone),
    future: (at, now) => futureTime(at, now, language, timeZone),
    exact: (at) => exactTime(at, language, timeZone),
    size: (bytes) => fileSize(bytes, language),
    duration: (ms) => duration(ms, language),
    number: (value) => numbers.format(value),
  };
}

/** "system" → the system's language where we speak it, English otherwise. */
export function resolveLanguage(setting: 'system' | Language, systemLanguage: string): Language {
  if (setting !== 'system') return setting;
  return systemLanguage.toLowerCase().startsWith('ru') ? 'ru' : 'en';
}

/** A zone the runtime does not know would make every date throw. */
export function resolveTimeZone(setting: string, systemTimeZone: string): string {
  for (const zone of [setting === 'system' ? systemTimeZone : setting, systemTimeZone]) {
    if (isTimeZone(zone)) return zone;
  }
  return 'UTC';
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
}

const I18nContext = createContext<I18n | null>(null);

export function I18nProvider({ language, timeZone, children }: { language: Language; timeZone: string; children: ReactNode }) {
  const i18n = useMemo(() => createI18n(language, timeZone), [language, timeZone]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = i18n.t('app.name');
  }, [i18n, language]);
  return <I18nContext value={i18n}>{children}</I18nContext>;
}

export function useI18n(): I18n {
  const i18n = use(I18nContext);
  if (!i18n) throw new Error('no I18nProvider above');
  return i18n;
}
