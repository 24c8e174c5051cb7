import type { MessageKey } from '../i18n/en.ts';
import type { I18n } from '../i18n/I18n.tsx';
import { hasReason, reasonFor } from '../lib/reasons.ts';

interface Look {
  readonly key: MessageKey;
  readonly tone: 'good' | 'bad' | 'warn' | 'plain';
}

/** What a call of an agent ended in; refusals are put into words by their code. */
const OUTCOMES: Readonly<Record<string, Look>> = {
  ok: { key: 'done.ok', tone: 'plain' },
  draft: { key: 'done.draft', tone: 'plain' },
  sent: { key: 'done.sent', tone: 'good' },
  rejected: { key: 'done.rejected', tone: 'plain' },
  expired: { key: 'done.expired', tone: 'plain' },
  failed: { key: 'done.failed', tone: 'bad' },
  unknown: { key: 'done.unknown', tone: 'warn' },
  pending_approval: { key: 'done.pending', tone: 'plain' },
  chat_not_found: { key: 'done.chatNotFound', tone: 'plain' },
  not_found: { key: 'done.notFound', tone: 'plain' },
  message_not_found: { key: 'done.messageNotFound', tone: 'plain' },
  ambiguous_chat: { key: 'done.ambiguous', tone: 'plain' },
  not_a_poll: { key: 'done.notAPoll', tone: 'plain' },
  thread_unsupported: { key: 'done.noThreads', tone: 'plain' },
  token_missing: { key: 'done.noToken', tone: 'bad' },
  token_unknown: { key: 'done.badToken', tone: 'bad' },
  too_many_drafts: { key: 'done.tooMany', tone: 'bad' },
  download_failed: { key: 'done.download', tone: 'bad' },
};

export function outcomeTone(outcome: string): Look['tone'] {
  return OUTCOMES[outcome]?.tone ?? (hasReason(outcome) ? 'bad' : 'plain');
}

/** Words where we have them, the bare code otherwise. */
export function outcomeName(outcome: string, t: I18n['t']): string {
  const look = OUTCOMES[outcome];
  if (look) return t(look.key);
  if (!hasReason(outcome)) return outcome;
  const reason = reasonFor(outcome);
  return t(reason.key, reason.values);
}
