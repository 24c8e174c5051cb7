import type { InvokeResult, Settings } from '../../../app/ipc/contract.ts';
import { act, useRemote } from '../bridge.ts';
import type { MessageKey } from '../i18n/en.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { useReport } from '../ui/useReport.ts';
import { Group, TextField } from './fields.tsx';
import { useSave } from './useSave.ts';
import { parseFeedUrl } from './validation.ts';

const STATES = {
  off: 'settings.update.off',
  idle: 'settings.update.idle',
  checking: 'settings.update.checking',
  downloading: 'settings.update.downloading',
  ready: 'settings.update.ready',
  failed: 'settings.update.failed',
} as const satisfies Record<InvokeResult<'update:get'>['state'], MessageKey>;

/** Where updates come from and how far one is; restarting is always the person's click. */
export function UpdateSettings({ settings, version }: { settings: Settings; version: string }) {
  const { t } = useI18n();
  const save = useSave();
  const report = useReport();
  const update = useRemote('update:get', undefined, 'update:changed').value;
  return (
    <Group title={t('settings.updates')}>
      {update && (
        <div className="updateLine">
          <p role="status">{t(STATES[update.state], { current: version, version: update.version ?? '', percent: Math.round(update.percent ?? 0) })}</p>
          {update.state === 'ready' && (
            <button type="button" className="go" onClick={() => void report(act('update:restart', undefined))}>
              {t('settings.update.restart')}
            </button>
          )}
          {(update.state === 'idle' || update.state === 'failed') && (
            <button type="button" onClick={() => void report(act('update:check', undefined))}>
              {t('settings.update.check')}
            </button>
          )}
        </div>
      )}
      <TextField
        label={t('settings.updateFeed')}
        value={settings.updateFeedUrl}
        parse={parseFeedUrl}
        problem={t('settings.updateFeed.bad')}
        onSave={(updateFeedUrl) => void save({ updateFeedUrl })}
      />
    </Group>
  );
}
