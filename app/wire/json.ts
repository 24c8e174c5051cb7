import type { Json, JsonObject } from './api.ts';

/** True for a JSON object (neither null nor an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value[key]` when `value` is an object and the member an object itself; undefined otherwise. */
export function objectAt(value: unknown, key: string): JsonObject | undefined {
  const member = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(member) ? member : undefined;
}

/** `value[key]` when it is a non-empty string; undefined otherwise. */
export function stringAt(value: unknown, key: string): string | undefined {
  const member = isJsonObject(value) ? value[key] : undefined;
  return typeof member === 'string' && member !== '' ? member : undefined;
}

/** Parses JSON; undefined when the text is none (no JSON text parses to undefined). */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
