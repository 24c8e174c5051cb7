/** Reading fields of untyped wire JSON: each gives the value in its expected type, or undefined. Nothing here throws. */
import { isJsonObject, mcsToString, type Json, type JsonObject } from '../../wire/index.ts';

export { isJsonObject, objectAt, stringAt } from '../../wire/index.ts';

type Maybe = JsonObject | undefined;

/** A finite number, or one written as digits: servers that turn 64-bit fields into JSON often write them as strings (I). */
export function numberAt(value: Maybe, key: string): number | undefined {
  return numberOf(value?.[key]);
}

/** The members of an array that are numbers, digits in a string included. */
export function numbersAt(value: Maybe, key: string): number[] {
  return arrayAt(value, key).flatMap((member) => numberOf(member) ?? []);
}

/** A finite number, or digits as one; undefined for anything else. */
export function numberOf(member: unknown): number | undefined {
  const number = typeof member === 'string' && /^-?\d{1,16}$/.test(member) ? Number(member) : member;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A string, the empty one included. */
export function textAt(value: Maybe, key: string): string | undefined {
  const member = value?.[key];
  return typeof member === 'string' ? member : undefined;
}

export function booleanAt(value: Maybe, key: string): boolean | undefined {
  const member = value?.[key];
  return typeof member === 'boolean' ? member : undefined;
}

/** The members of an array that are objects; empty when there is none. */
export function objectsAt(value: Maybe, key: string): readonly JsonObject[] {
  return arrayAt(value, key).filter(isJsonObject);
}

export function arrayAt(value: Maybe, key: string): readonly Json[] {
  const member = value?.[key];
  return Array.isArray(member) ? (member as readonly Json[]) : [];
}

/** A moment in microseconds as digits; zero means "never" on this wire and reads as undefined. */
export function mcsAt(value: Maybe, key: string): string | undefined {
  const digits = mcsToString(value?.[key]);
  return digits === undefined || /^0*$/.test(digits) ? undefined : digits;
}
