import { UnexpectedAnswerError } from './errors.ts';

const DIGITS = /^\d{1,19}$/;

/**
 * A microsecond timestamp (or any other big id) off the wire as a decimal string.
 * In: a JSON number or a string of digits. Out: undefined for everything else, and for a number beyond 2^53, which JSON.parse has already
 * rounded (protocol §1, L: timestamps have 16 digits and stay below 2^53).
 */
export function mcsToString(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  if (typeof value === 'bigint') return value >= 0n ? value.toString() : undefined;
  if (typeof value === 'string' && DIGITS.test(value)) return value.replace(/^0+(?=\d)/, '');
  return undefined;
}

/**
 * The same timestamp on its way out: JSON wants an integer literal (protocol §1 and §6, L).
 * @throws UnexpectedAnswerError when the string is not decimal digits or its number would lose precision (beyond 2^53).
 */
export function mcsToJson(timestampMcs: string): number {
  const number = DIGITS.test(timestampMcs) ? Number(timestampMcs) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new UnexpectedAnswerError('timestamp beyond the exact integers');
  return number;
}
