import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { parseMoment } from '../../app/mcp/dates.ts';
import { isoFromMcs } from '../../app/messenger/time.ts';

const mcs = (iso: string) => `${DateTime.fromISO(iso, { setZone: true }).toMillis()}000`;

describe('dates', () => {
  it.each([
    ['2026-07-01', 'Europe/Moscow', '2026-07-01T00:00:00+03:00'],
    ['2026-07-01', 'Asia/Kolkata', '2026-07-01T00:00:00+05:30'],
    ['2026-07-01', 'Asia/Kathmandu', '2026-07-01T00:00:00+05:45'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-29T00:00:00+01:00'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-30T00:00:00+02:00'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-26T00:00:00+01:00'],
    // Midnight that does not exist: the day starts at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T01:00:00-02:00'],
    // Midnight that comes twice: the earlier one.
    ['2026-11-01', 'America/Havana', '2026-11-01T00:00:00-04:00'],
    // A clock put forward by half an hour.
    ['2026-10-05', 'Australia/Lord_Howe', '2026-10-05T00:00:00+11:00'],
    ['2026-07-01T09:30', 'Europe/Moscow', '2026-07-01T09:30:00+03:00'],
    ['2026-07-01 09:30:15', 'Europe/Moscow', '2026-07-01T09:30:15+03:00'],
    ['2026-07-01T09:30:00Z', 'Europe/Moscow', '2026-07-01T09:30:00+00:00'],
    ['2026-07-01T09:30:00-05:00', 'Europe/Moscow', '2026-07-01T09:30:00-05:00'],
    // A local time that comes twice: the earlier one.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
  ])('%s in %s is %s', (text, zone, expected) => expect(parseMoment('from_date', text, zone)).toBe(mcs(expected)));

  it('keeps microseconds and takes a message id as it is', () => {
    expect(parseMoment('after', '2026-07-01T00:00:00.000123+03:00', 'UTC')).toBe('1782853200000123');
    expect(parseMoment('after', '1782853200000123', 'UTC')).toBe('1782853200000123');
  });

  it.each(['yesterday', '', '2026-13-01', '2026-02-30', '12:00', '1500-01-01', '2026-07-01T25:00', '99999999999999999'])(
    '%s is refused by the name of its argument',
    (text) => {
      expect(() => parseMoment('to_date', text, 'Europe/Moscow')).toThrow(/`to_date`/);
    },
  );

  it('a time in a result carries the offset that held then', () => {
    expect(isoFromMcs(mcs('2026-01-01T12:00:00Z'), 'Europe/Berlin')).toBe('2026-01-01T13:00:00.000+01:00');
    expect(isoFromMcs(mcs('2026-07-01T12:00:00Z'), 'Europe/Berlin')).toBe('2026-07-01T14:00:00.000+02:00');
    expect(isoFromMcs(mcs('2026-07-01T12:00:00Z'), 'Asia/Kolkata')).toBe('2026-07-01T17:30:00.000+05:30');
  });
});
