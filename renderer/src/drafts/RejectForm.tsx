import { useId, useState } from 'react';
import { useI18n } from '../i18n/I18n.tsx';

/** The contract's bound on a reason, characters. */
const REASON_MAX_CHARACTERS = 500;

/** Refusal with an optional reason that the agent is told. */
export function RejectForm({ onReject, onClose }: { onReject: (reason: string | null) => void; onClose: () => void }) {
  const { t } = useI18n();
  const id = useId();
  const [reason, setReason] = useState('');
  return (
    <form
      className="editForm"
      onSubmit={(event) => {
        event.preventDefault();
        onReject(reason.trim() === '' ? null : reason.trim());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <label htmlFor={id}>{t('reject.label')}</label>
      <input
        id={id}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        maxLength={REASON_MAX_CHARACTERS}
        aria-describedby={`${id}-hint`}
        autoFocus
        dir="auto"
      />
      <p className="meta" id={`${id}-hint`}>
        {t('reject.hint')}
      </p>
      <div className="row">
        <button type="button" onClick={onClose}>
          {t('button.cancel')}
        </button>
        <button type="submit">{t('reject.do')}</button>
      </div>
    </form>
  );
}
