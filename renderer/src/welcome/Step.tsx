import type { ReactNode } from 'react';
import { useI18n } from '../i18n/I18n.tsx';

interface Props {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

export function Step({ number, title, isDone, children }: Props) {
  const { t } = useI18n();
  return (
    <li className="panel step" data-done={isDone}>
      <div className="stepMark" aria-hidden="true">
        {isDone ? '✓' : number}
      </div>
      <div className="stepBody">
        <h2>
          <span className="visually-hidden">{t('welcome.step', { number })}: </span>
          {title}
          {isDone && <span className="visually-hidden"> ({t('welcome.done')})</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}
