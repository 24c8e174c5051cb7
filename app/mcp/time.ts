import { DateTime } from 'luxon';

/**
 * A moment as ISO 8601 with the offset of the person's zone.
 * @param atMs milliseconds since the epoch
 */
export function isoTime(atMs: number, timeZone: string): string {
  const inZone = DateTime.fromMillis(atMs, { zone: timeZone });
  return (inZone.isValid ? inZone : DateTime.fromMillis(atMs)).toISO() ?? new Date(atMs).toISOString();
}
