import { DateTime } from 'luxon';

/**
 * A microsecond timestamp as ISO 8601 with the offset of the person's zone, cut to milliseconds; the exact microseconds
 * always stand beside it. An unknown zone falls back to the system's.
 */
export function isoFromMcs(timestampMcs: string, timeZone: string): string {
  const milliseconds = Number(BigInt(timestampMcs) / 1000n);
  const inZone = DateTime.fromMillis(milliseconds, { zone: timeZone });
  const moment = inZone.isValid ? inZone : DateTime.fromMillis(milliseconds);
  return moment.toISO() ?? new Date(milliseconds).toISOString();
}
