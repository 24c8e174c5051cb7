/** Reading fields of untyped wire JSON: each gives the value in its expected type, or undefined. Nothing here throws. */
import { isJsonObject, mcsToString, type Json, type JsonObject } from '../../wire/index.ts';

export { isJsonObject, objectAt, stringAt } from '../../wire/index.ts';

type Maybe = JsonObject | undefined;

/** A finite number. */
export function numberAt(value: Maybe, key: string): number | undefined {
  const member = value?.[key];
  return typeof member === 'number' && Number.isFinite(member) ? member : undefined;
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
