import { useId } from 'react';
import type { DraftCard } from '../../../app/ipc/contract.ts';
import type { MessageKey } from '../i18n/en.ts';
import { useI18n } from '../i18n/I18n.tsx';

const VERBS = {
  send_message: 'verb.send_message',
  send_file: 'verb.send_file',
  edit_message: 'verb.edit_message',
  delete_message: 'verb.delete_message',
  vote_in_poll: 'verb.vote_in_poll',
  create_poll: 'verb.create_poll',
  forward_message: 'verb.forward_message',
} as const satisfies Record<DraftCard['tool'], MessageKey>;

interface Props {
  readonly card: DraftCard;
  /** False for half a second after the card appeared or moved. */
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly mustUnfold: boolean;
  readonly onConfirm: () => void;
  readonly onEdit: () => void;
  readonly onReject: () => void;
}

/** Refusal on the far left, the irreversible choice on the right, red only where something is destroyed. */
export function CardActions({ card, isReady, isBusy, mustUnfold, onConfirm, onEdit, onReject }: Props) {
  const { t } = useI18n();
  const noteId = useId();
  const canConfirm = isReady && !isBusy && !mustUnfold;
  return (
    <>
      {mustUnfold && (
        <p className="meta warn" id={noteId}>
          {t('card.reading')}
        </p>
      )}
      <div className="row">
        <button type="button" data-action="reject" className="first" aria-disabled={isBusy || !isReady} onClick={onReject}>
          {t('button.reject')}
        </button>
        {card.canEdit && (
          <button type="button" data-action="edit" aria-disabled={isBusy || !isReady} onClick={() => !isBusy && onEdit()}>
            {t('button.edit')}
          </button>
        )}
        <button
          type="button"
          data-action="confirm"
          className={card.tool === 'delete_message' ? 'kill' : 'go'}
          aria-disabled={!canConfirm}
          aria-describedby={mustUnfold ? noteId : undefined}
          onClick={() => {
            if (canConfirm) onConfirm();
          }}
        >
          {isBusy ? t('outcome.committing') : t(VERBS[card.tool])}
        </button>
      </div>
    </>
  );
}
