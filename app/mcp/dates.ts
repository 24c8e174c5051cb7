import { DateTime, IANAZone } from 'luxon';
import { isMessageId } from '../messenger/ids.ts';
import { invalidArgument } from './tool.ts';

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const HAS_OFFSET = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
const FRACTION = /([T ]\d{2}:\d{2}:\d{2})[.,](\d+)/;
const EXAMPLE = 'a date (2026-07-01), a date and time (2026-07-01T09:30 or with an offset, 2026-07-01T09:30:00+03:00)';

/**
 * A moment an agent names, in microseconds since the epoch, as digits.
 * A date without a time is local midnight in the person's zone; where that midnight does not exist (a clock put forward at midnight) the day's
 * first moment, and where it comes twice the earlier one. A time without an offset is local, and of two equal ones the earlier. A message id is taken as it is.
 * @throws ToolError `invalid_argument` naming the argument
 */
export function parseMoment(argument: string, text: string, timeZone: string): string {
  const trimmed = text.trim();
  if (isMessageId(trimmed)) return trimmed;
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'local';
  const fraction = FRACTION.exec(trimmed)?.[2] ?? '';
  // Luxon counts milliseconds; what is finer is added below.
  const withoutFraction = trimmed.replace(FRACTION, '$1').replace(' ', 'T');
  const moment = DATE_ONLY.test(trimmed) ? startOfDay(trimmed, zone) : earlier(DateTime.fromISO(withoutFraction, { zone }), HAS_OFFSET.test(trimmed));
  if (!moment.isValid || !/^\d{4}-?\d{2}-?\d{2}/.test(trimmed)) throw invalidArgument(argument, `is not a date or time: use ${EXAMPLE}.`);
  const micros = BigInt(moment.toMillis()) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
  const digits = micros.toString();
  if (!isMessageId(digits)) throw invalidArgument(argument, 'is outside the years that Messenger can have messages of.');
  return digits;
}

function startOfDay(date: string, zone: string): DateTime {
  const noon = DateTime.fromISO(`${date}T12:00`, { zone });
  if (!noon.isValid) return noon;
  return earlier(noon.startOf('day'), false);
}

/** The earlier of two moments that a clock put back shows alike. */
function earlier(moment: DateTime, hasOffset: boolean): DateTime {
  if (hasOffset || !moment.isValid) return moment;
  return moment.getPossibleOffsets().reduce((first, each) => (each.toMillis() < first.toMillis() ? each : first), moment);
}
