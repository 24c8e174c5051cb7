import { act, useRemote } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { useReport } from '../ui/useReport.ts';

/** Says in every section that an update is ready; the restart is the person's click, and drafts survive it. */
export function UpdateNotice() {
  const { t } = useI18n();
  const report = useReport();
  const update = useRemote('update:get', undefined, 'update:changed').value;
  if (update?.state !== 'ready') return null;
  return (
    <div className="banner" data-notice="update">
      <p>{t('settings.update.ready', { version: update.version ?? '' })}</p>
      <button type="button" onClick={() => void report(act('update:restart', undefined))}>
        {t('settings.update.restart')}
      </button>
    </div>
  );
}
