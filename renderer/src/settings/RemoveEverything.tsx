import { useId, useState } from 'react';
import { act } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { useReport } from '../ui/useReport.ts';

/** The clean way out: says what goes, then asks for a typed word. */
export function RemoveEverything() {
  const { t } = useI18n();
  const report = useReport();
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const word = t('settings.removeAll.word');
  const isTyped = typed?.trim().toLocaleLowerCase() === word;
  return (
    <section className="panel">
      <h2>{t('settings.removeAll')}</h2>
      <p className="meta">{t('settings.removeAll.what')}</p>
      {typed === null ? (
        <div>
          <button type="button" className="danger" onClick={() => setTyped('')}>
            {t('settings.removeAll.start')}
          </button>
        </div>
      ) : (
        <form
          className="field"
          onSubmit={(event) => {
            event.preventDefault();
            if (isTyped) void report(act('settings:removeEverything', undefined));
          }}
          onKeyDown={(event) => event.key === 'Escape' && setTyped(null)}
        >
          <label htmlFor={id}>{t('settings.removeAll.type', { word })}</label>
          <input id={id} value={typed} autoFocus autoComplete="off" spellCheck={false} onChange={(event) => setTyped(event.target.value)} />
          <div className="row">
            <button type="button" onClick={() => setTyped(null)}>
              {t('button.cancel')}
            </button>
            <button type="submit" className="kill" aria-disabled={!isTyped}>
              {t('settings.removeAll.yes')}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}
