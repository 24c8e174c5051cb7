import path from 'node:path';
import type { ActionResult, Settings } from '../app/ipc/contract.ts';
import { parseOverrides, refusedConstants } from './protocol-config.ts';

type Patch = { readonly [K in keyof Settings]?: Settings[K] | undefined };

/** What is wrong with the meaning of changed settings, or undefined. Shapes are the gate's business. */
export function checkSettings(patch: Patch): Extract<ActionResult, { ok: false }> | undefined {
  if (patch.protocolOverrides !== undefined) {
    try {
      parseOverrides(patch.protocolOverrides);
    } catch (error) {
      return { ok: false, code: 'protocol_invalid', detail: refusedConstants(error) };
    }
  }
  if (patch.timeZone !== undefined && patch.timeZone !== 'system' && !isTimeZone(patch.timeZone)) {
    return { ok: false, code: 'time_zone_unknown', detail: patch.timeZone };
  }
  const relative = [...(patch.allowedFolders ?? []), ...(patch.downloadsFolder === undefined ? [] : [patch.downloadsFolder])].find(
    (folder) => !path.isAbsolute(folder),
  );
  if (relative !== undefined) return { ok: false, code: 'folder_not_absolute', detail: relative };
  if (patch.updateFeedUrl && !isHttps(patch.updateFeedUrl)) return { ok: false, code: 'feed_not_https', detail: patch.updateFeedUrl };
  return undefined;
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:';
}
