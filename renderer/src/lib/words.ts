/** Small texts made from values: initials, sizes, times. All take the language; nothing here reads the clock. */

/** One or two letters for an avatar: of the first and the last word, else the first letter; "?" for nothing. */
export function initials(name: string | null): string {
  const words = (name ?? '').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  const first = words[0];
  if (first === undefined) return '?';
  const last = words.length > 1 ? words[words.length - 1] : undefined;
  return [first, last].map((word) => (word === undefined ? '' : ([...word][0] ?? '').toLocaleUpperCase())).join('');
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Size in steps of 1024, short unit of the language: "412 КБ". */
export function fileSize(bytes: number, locale: string): string {
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < UNITS.length - 1) {
    value /= 1024;
    step += 1;
  }
  const unit = UNITS[step] ?? 'byte';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 }).format(value);
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Date and time to the second, for tooltips. */
export function exactTime(at: number, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone }).format(at);
}

/** Calendar day in the zone, as a number of days that can be subtracted. */
function calendarDay(at: number, timeZone: string): number {
  return Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)) / DAY_MS;
}

function dayAndTime(at: number, now: number, locale: string, timeZone: string): string {
  const date = new Date(at);
  const isThisYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
    // 24 hours are written with two digits, 12 with one.
    hour: locale === 'ru' ? '2-digit' : 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(at);
}

/** Past: relative up to a day ("2 минуты назад"), then the date. */
export function pastTime(at: number, now: number, locale: string, timeZone: string): string {
  const age = Math.max(0, now - at);
  if (age >= DAY_MS) return dayAndTime(at, now, locale, timeZone);
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (age < MINUTE_MS) return words.format(0, 'second');
  if (age < HOUR_MS) return words.format(-Math.floor(age / MINUTE_MS), 'minute');
  return words.format(-Math.floor(age / HOUR_MS), 'hour');
}

/** Future: relative within six hours ("через 5 минут"), "завтра, 14:20" for the next day, then the date. */
export function futureTime(at: number, now: number, locale: string, timeZone: string): string {
  const left = at - now;
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (left <= MINUTE_MS) return words.format(Math.max(1, Math.ceil(left / SECOND_MS)), 'second');
  if (left < HOUR_MS) return words.format(Math.floor(left / MINUTE_MS), 'minute');
  if (left < 6 * HOUR_MS) return words.format(Math.floor(left / HOUR_MS), 'hour');
  const days = calendarDay(at, timeZone) - calendarDay(now, timeZone);
  if (days > 1) return dayAndTime(at, now, locale, timeZone);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(at);
  return `${words.format(days, 'day')}, ${time}`;
}

/** "1,2 с", "340 мс". */
export function duration(ms: number, locale: string): string {
  const isLong = ms >= SECOND_MS;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: isLong ? 'second' : 'millisecond',
    unitDisplay: 'short',
    maximumFractionDigits: isLong ? 1 : 0,
  }).format(isLong ? ms / SECOND_MS : ms);
}
