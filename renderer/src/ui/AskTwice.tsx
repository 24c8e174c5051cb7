import { useRef, useState } from 'react';
import { useI18n } from '../i18n/I18n.tsx';

interface Props {
  readonly start: string;
  readonly question: string;
  readonly yes: string;
  readonly onYes: () => void;
}

/** A destructive button that asks once more in place. The focus goes to the way back, not to "yes"; Esc is the way back too. */
export function AskTwice({ start, question, yes, onYes }: Props) {
  const { t } = useI18n();
  const [isAsking, setIsAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsAsking(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (!isAsking) {
    return (
      <button ref={opener} type="button" className="danger" onClick={() => setIsAsking(true)}>
        {start}
      </button>
    );
  }
  return (
    <div className="asking" role="group" aria-label={question} onKeyDown={(event) => event.key === 'Escape' && close()}>
      <p>{question}</p>
      <div className="row">
        <button type="button" autoFocus onClick={close}>
          {t('button.cancel')}
        </button>
        <button
          type="button"
          className="kill"
          onClick={() => {
            close();
            onYes();
          }}
        >
          {yes}
        </button>
      </div>
    </div>
  );
}
