import { useI18n } from '../i18n/I18n.tsx';

/** Said when the main process does not answer. */
export function Unreachable({ onRetry }: { onRetry: () => void }) {
  const { t } = useI18n();
  return (
    <div className="empty" role="alert">
      <p>{t('app.unreachable')}</p>
      <button type="button" onClick={onRetry}>
        {t('app.retry')}
      </button>
    </div>
  );
}
