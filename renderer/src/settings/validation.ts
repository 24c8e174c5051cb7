import { isTimeZone } from '../i18n/I18n.tsx';

/** What a person typed → a value the settings take, or undefined. Bounds are the contract's (`settingsSchema`). */

export const MEGABYTE = 1024 * 1024;

/** Accepts a comma as the decimal sign. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.');
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
}

export function parseDraftHours(text: string): number | undefined {
  const hours = parseNumber(text);
  return hours !== undefined && hours >= 0.01 && hours <= 720 ? hours : undefined;
}

export function parseDownloadsDays(text: string): number | undefined {
  const days = parseNumber(text);
  return days !== undefined && Number.isInteger(days) && days <= 3650 ? days : undefined;
}

/** Megabytes as typed → bytes. */
export function parseMaxFile(text: string): number | undefined {
  const megabytes = parseNumber(text);
  if (megabytes === undefined) return undefined;
  const bytes = Math.round(megabytes * MEGABYTE);
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Nothing typed: the system's. */
export function parseTimeZone(text: string): string | undefined {
  const zone = text.trim() || 'system';
  return zone === 'system' || isTimeZone(zone) ? zone : undefined;
}

export function parseFeedUrl(text: string): string | undefined {
  const url = text.trim();
  if (url === '') return '';
  return URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined;
}

export type JsonCheck = { readonly ok: true } | { readonly ok: false; readonly problem: 'json' | 'object'; readonly detail: string };

/** Empty text is fine (no overrides); otherwise a JSON object. The values themselves are main's to judge. */
export function checkOverrides(text: string): JsonCheck {
  if (text.trim() === '') return { ok: true };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true };
    return { ok: false, problem: 'object', detail: '' };
  } catch (error) {
    return { ok: false, problem: 'json', detail: error instanceof Error ? error.message : '' };
  }
}
