import type { MessageKey } from '../i18n/en.ts';

/** Stable codes → words for the person; the one place where this audience's words are chosen. */
const REASONS: Readonly<Record<string, MessageKey>> = {
  not_signed_in: 'reason.not_signed_in',
  paused: 'reason.paused',
  read_only_mode: 'reason.read_only_mode',
  chat_read_only: 'reason.chat_read_only',
  file_not_allowed: 'reason.file_not_allowed',
  file_missing: 'reason.file_missing',
  file_too_large: 'reason.file_too_large',
  upload_too_large: 'reason.file_too_large',
  file_changed: 'reason.file_changed',
  upload_quota: 'reason.upload_quota',
  rate_limited: 'reason.rate_limited',
  invalid_type: 'reason.invalid',
  invalid_argument: 'reason.invalid',
  timeout: 'reason.timeout',
  cancelled: 'reason.cancelled',
  server_error: 'reason.server_error',
  target_changed: 'reason.target_changed',
  args_changed: 'reason.args_changed',
  not_allowed: 'reason.not_allowed',
  stale_card: 'reason.stale_card',
  not_pending: 'reason.not_pending',
  text_too_long: 'reason.text_too_long',
  empty_text: 'reason.empty_text',
  not_writable: 'reason.not_writable',
  invalid_json: 'reason.invalid_json',
  not_detected: 'reason.not_detected',
  unknown_mention: 'reason.unknown_mention',
  invalid_settings: 'reason.invalid_settings',
  not_readable: 'reason.not_readable',
  EACCES: 'reason.not_writable',
  EPERM: 'reason.not_writable',
  EROFS: 'reason.not_writable',
  ENOSPC: 'reason.not_writable',
  node_missing: 'reason.node_missing',
  no_feed: 'reason.no_feed',
  no_update: 'reason.no_update',
  not_editable: 'reason.not_editable',
  draft_not_found: 'reason.not_pending',
  forbidden_transition: 'reason.not_pending',
  op_mismatch: 'reason.args_changed',
  chat_mismatch: 'reason.args_changed',
  upload_failed: 'reason.upload_failed',
  no_answer: 'reason.no_answer',
  connection_lost: 'reason.no_answer',
  closed: 'reason.no_answer',
  unexpected_answer: 'reason.server_error',
  registry: 'reason.server_error',
  proxy_status: 'reason.no_answer',
  cookie_rejected: 'reason.not_signed_in',
  aborted: 'reason.timeout',
  protocol_invalid: 'reason.protocol_invalid',
  time_zone_unknown: 'reason.time_zone_unknown',
  folder_not_absolute: 'reason.folder_not_absolute',
  feed_not_https: 'reason.feed_not_https',
  failed: 'reason.internal',
  internal: 'reason.internal',
};

export interface Reason {
  readonly key: MessageKey;
  readonly values: { readonly code: string; readonly detail: string };
}

/** Message for a code; a code without words of its own says only that something went wrong. */
export function reasonFor(code: string | null, detail = ''): Reason {
  return { key: REASONS[code ?? ''] ?? 'reason.other', values: { code: code ?? '?', detail } };
}

export function hasReason(code: string): boolean {
  return code in REASONS;
}
