import { useEffect, useMemo, useRef } from 'react';
import type { DraftCard, SessionView } from '../../../app/ipc/contract.ts';
import type { Remote } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { useFeedback } from '../ui/Feedback.tsx';
import { GuardProvider } from '../ui/GuardProvider.tsx';
import { Unreachable } from '../ui/Unreachable.tsx';
import { useNow } from '../ui/useNow.ts';
import { isFinished, shownCards } from './cards.ts';
import { DraftList } from './DraftList.tsx';
import { StateBanner } from './StateBanner.tsx';

interface Props {
  readonly drafts: Remote<DraftCard[]>;
  readonly session: SessionView | undefined;
  readonly scroller: HTMLElement;
  readonly openId: string | null;
  readonly openTurn: number;
}

/** What waits for the person. */
export function DraftsView({ drafts, session, scroller, openId, openTurn }: Props) {
  const { t } = useI18n();
  const { announce } = useFeedback();
  const heading = useRef<HTMLHeadingElement>(null);
  const all = drafts.value;
  const now = useNow(all?.some(isFinished) ? 500 : 5_000);
  const cards = useMemo(() => shownCards(all ?? [], now), [all, now]);

  const pending = all?.filter((card) => card.status === 'pending').length ?? 0;
  const lastPending = useRef(0);
  useEffect(() => {
    if (pending > lastPending.current) announce(t('drafts.arrived', { count: pending }));
    lastPending.current = pending;
  }, [announce, pending, t]);

  return (
    <GuardProvider scroller={scroller}>
      <div className="page" data-page="drafts">
        <header className="title">
          <h1 ref={heading} tabIndex={-1}>
            {t('drafts.title')}
          </h1>
          <p>{t('drafts.lead')}</p>
        </header>
        {session && <StateBanner session={session} />}
        {drafts.hasFailed && <Unreachable onRetry={drafts.reload} />}
        {all && cards.length === 0 && (
          <div className="empty">
            <p className="strong">{t('drafts.empty')}</p>
            <p>{t('drafts.emptyHow')}</p>
          </div>
        )}
        {cards.length > 0 && (
          <DraftList cards={cards} now={now} scroller={scroller} heading={heading} openId={openId} openTurn={openTurn} onChanged={drafts.reload} />
        )}
      </div>
    </GuardProvider>
  );
}
