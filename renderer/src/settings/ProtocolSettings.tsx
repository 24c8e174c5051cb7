import { useId, useState } from 'react';
import type { Settings } from '../../../app/ipc/contract.ts';
import { act } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { reasonFor } from '../lib/reasons.ts';
import { visibleString } from '../lib/visible.ts';
import { useFeedback } from '../ui/Feedback.tsx';
import { checkOverrides } from './validation.ts';

/** Overrides of protocol constants as JSON; what main refuses is said beside the text, and nothing is lost. */
export function ProtocolSettings({ settings }: { settings: Settings }) {
  const { t } = useI18n();
  const { say } = useFeedback();
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const text = typed ?? settings.protocolOverrides;
  const check = checkOverrides(text);
  const problem = check.ok ? refusal : t(check.problem === 'json' ? 'settings.protocol.badJson' : 'settings.protocol.notObject', { detail: check.detail });

  const save = async (protocolOverrides: string) => {
    const result = await act('settings:update', { protocolOverrides });
    if (result.ok) {
      setTyped(null);
      setRefusal(null);
      say(t('settings.saved'));
      return;
    }
    const reason = reasonFor(result.code, visibleString(result.detail));
    setRefusal(t('reason.failed', { reason: t(reason.key, reason.values) }));
  };

  return (
    <form
      className="field"
      onSubmit={(event) => {
        event.preventDefault();
        if (check.ok) void save(text.trim());
      }}
    >
      <label htmlFor={id}>{t('settings.protocol')}</label>
      <textarea
        id={id}
        className="mono"
        rows={6}
        value={text}
        placeholder={'{\n  "serviceId": 27\n}'}
        spellCheck={false}
        dir="ltr"
        aria-invalid={problem !== null}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          setTyped(event.target.value);
          setRefusal(null);
        }}
      />
      <p id={`${id}-hint`} className={problem === null ? 'meta' : 'problem'} role={problem === null ? undefined : 'alert'}>
        {problem ?? t('settings.protocol.hint')}
      </p>
      <div className="row start">
        <button type="submit" aria-disabled={!check.ok || typed === null}>
          {t('settings.protocol.save')}
        </button>
        {settings.protocolOverrides !== '' && (
          <button type="button" className="quiet" onClick={() => void save('')}>
            {t('settings.protocol.reset')}
          </button>
        )}
      </div>
    </form>
  );
}
