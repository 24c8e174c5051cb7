import { act } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { useReport } from '../ui/useReport.ts';

/** Text to copy as it is. */
export function Snippet({ title, text }: { title: string; text: string }) {
  const { t } = useI18n();
  const report = useReport();
  return (
    <div className="snippet">
      <div className="snippetHead">
        <p className="caption">{title}</p>
        <button type="button" aria-label={t('connect.copyOf', { what: title })} onClick={() => void report(act('clipboard:write', text), t('connect.copied'))}>
          {t('connect.copy')}
        </button>
      </div>
      <pre tabIndex={0} aria-label={title} role="group" dir="ltr">
        {text}
      </pre>
    </div>
  );
}
