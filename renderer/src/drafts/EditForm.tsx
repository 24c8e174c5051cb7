import { useId, useMemo, useState } from 'react';
import type { DraftCard } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { editableText, normaliseLineBreaks } from '../lib/editing.ts';
import { TextWell } from './TextWell.tsx';

interface Props {
  readonly card: DraftCard;
  readonly isSaving: boolean;
  readonly onSave: (text: string) => void;
  readonly onClose: () => void;
}

/** The person's own text in place of the agent's. Shows, as it is typed, exactly what would go out; saving sends nothing. */
export function EditForm({ card, isSaving, onSave, onClose }: Props) {
  const { t } = useI18n();
  const id = useId();
  const canonical = card.text ?? '';
  const editable = useMemo(() => editableText(canonical, card.mentions), [canonical, card.mentions]);
  const [typed, setTyped] = useState(editable.shown);
  const text = editable.toCanonical(typed);
  const isEmpty = text.trim() === '';
  const isUnchanged = text === normaliseLineBreaks(canonical);
  return (
    <form
      className="editForm"
      onSubmit={(event) => {
        event.preventDefault();
        if (isUnchanged) onClose();
        else if (!isEmpty && !isSaving) onSave(text);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <label htmlFor={id}>{t('edit.label')}</label>
      <textarea
        id={id}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        rows={Math.min(12, Math.max(3, typed.split('\n').length + 1))}
        aria-describedby={`${id}-hint`}
        aria-invalid={isEmpty}
        autoFocus
        dir="auto"
        spellCheck
      />
      <p className="meta" id={`${id}-hint`}>
        {card.mentions.length > 0 && `${t('edit.mentionHint')} `}
        {t('edit.hint')}
      </p>
      {isEmpty ? (
        <p className="problem" role="alert">
          {t('edit.empty')}
        </p>
      ) : (
        <>
          <p className="caption">{t('edit.preview')}</p>
          <TextWell label={t('edit.preview')} text={text} people={card.mentions} isExpanded onExpand={() => undefined} />
        </>
      )}
      <div className="row">
        <button type="button" onClick={onClose}>
          {t('button.cancel')}
        </button>
        <button type="submit" className="go" aria-disabled={isEmpty || isSaving}>
          {t('button.save')}
        </button>
      </div>
    </form>
  );
}
