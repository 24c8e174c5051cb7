import { useI18n } from '../i18n/I18n.tsx';

interface Props {
  readonly count: number;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** The one choice that takes the person's click away from them is asked for twice; the focus is on the way back. */
export function AllowQuestion({ count, onYes, onNo }: Props) {
  const { t } = useI18n();
  const question = t('access.allowAsk', { count });
  return (
    <div className="asking" role="group" aria-label={question} onKeyDown={(event) => event.key === 'Escape' && onNo()}>
      <p>{question}</p>
      <div className="row">
        <button type="button" autoFocus onClick={onNo}>
          {t('button.cancel')}
        </button>
        <button type="button" className="kill" onClick={onYes}>
          {t('access.allowYes')}
        </button>
      </div>
    </div>
  );
}
