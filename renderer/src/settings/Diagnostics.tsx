import { useState } from 'react';
import type { InvokeResult } from '../../../app/ipc/contract.ts';
import { act, ask } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { useReport } from '../ui/useReport.ts';

/** Facts for a report of a problem: read only when asked for. */
export function Diagnostics() {
  const { t } = useI18n();
  const report = useReport();
  const [lines, setLines] = useState<InvokeResult<'settings:diagnostics'>['lines'] | null>(null);
  const show = () =>
    ask('settings:diagnostics', undefined).then(
      (answer) => setLines(answer.lines),
      () => void report(Promise.resolve({ ok: false, code: 'internal', detail: '' })),
    );
  return (
    <div className="field" role="group" aria-label={t('settings.diagnostics')}>
      <p className="label">{t('settings.diagnostics')}</p>
      <p className="meta">{t('settings.diagnostics.hint')}</p>
      {lines && (
        <dl className="diagnostics">
          {lines.map((line) => (
            <div key={line.key}>
              <dt>{line.key}</dt>
              <dd>{line.value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="row start">
        <button type="button" onClick={() => void show()}>
          {t('settings.diagnostics.show')}
        </button>
        {lines && (
          <button
            type="button"
            onClick={() => void report(act('clipboard:write', lines.map((line) => `${line.key}: ${line.value}`).join('\n')), t('connect.copied'))}
          >
            {t('settings.diagnostics.copy')}
          </button>
        )}
      </div>
    </div>
  );
}
