import type { Ref } from 'react';
import type { DraftCard } from '../../../app/ipc/contract.ts';
import type { MessageKey } from '../i18n/en.ts';
import { useI18n } from '../i18n/I18n.tsx';
import type { I18n } from '../i18n/I18n.tsx';
import { reasonFor } from '../lib/reasons.ts';

const DONE: Readonly<Partial<Record<DraftCard['tool'], MessageKey>>> = {
  edit_message: 'outcome.done.edit_message',
  delete_message: 'outcome.done.delete_message',
  vote_in_poll: 'outcome.done.vote_in_poll',
  create_poll: 'outcome.done.create_poll',
  forward_message: 'outcome.done.forward_message',
};

/** How a draft ended, in one sentence; undefined while it waits. */
export function outcomeWords(card: DraftCard, t: I18n['t']): string | undefined {
  switch (card.status) {
    case 'pending':
      return undefined;
    case 'committing':
      return t('outcome.committing');
    case 'sent':
      return t(DONE[card.tool] ?? 'outcome.sent');
    case 'failed': {
      const reason = reasonFor(card.outcome?.code ?? null);
      return t('outcome.failed', { reason: t(reason.key, reason.values) });
    }
    case 'unknown':
      return t('outcome.unknown');
    case 'rejected':
      return t('outcome.rejected');
    case 'expired':
      return t('outcome.expired');
  }
}

/** Takes the place of the buttons. */
export function OutcomeLine({ card, ref }: { card: DraftCard; ref: Ref<HTMLParagraphElement> }) {
  const { t } = useI18n();
  return (
    <p ref={ref} className="outcome" data-status={card.status} tabIndex={-1}>
      {outcomeWords(card, t)}
    </p>
  );
}
