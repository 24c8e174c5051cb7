import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { ActivityFilter, ActivityRow } from '../../../app/ipc/contract.ts';
import type { MessageKey } from '../i18n/en.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { Unreachable } from '../ui/Unreachable.tsx';
import { useNow } from '../ui/useNow.ts';
import { useScrollMargin } from '../ui/useScrollMargin.ts';
import { Name } from '../ui/Visible.tsx';
import { outcomeName, outcomeTone } from './outcomes.ts';
import { usePages } from './usePages.ts';

interface Props {
  readonly filter: ActivityFilter;
  readonly scroller: HTMLElement;
  readonly onReset: () => void;
}

/** Every line has the same height, so that 50,000 of them scroll without being in the page. px, as in views.css. */
const LINE_PX = 52;

export function Journal({ filter, scroller, onReset }: Props) {
  const { t } = useI18n();
  const body = useRef<HTMLDivElement>(null);
  const scrollMargin = useScrollMargin(body, scroller);
  const now = useNow(30_000);
  const pages = usePages(filter);
  const total = pages.total ?? 0;
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is memoised by a compiler
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller,
    estimateSize: () => LINE_PX,
    overscan: 12,
    scrollMargin,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items[items.length - 1]?.index ?? 0;
  const { need } = pages;
  useEffect(() => need(first, last), [need, first, last]);

  if (pages.hasFailed && pages.total === undefined) return <Unreachable onRetry={pages.reload} />;
  if (pages.total === 0) return <EmptyJournal isFiltered={Object.values(filter).some((value) => value !== null)} onReset={onReset} />;
  return (
    <>
      <p className="meta" role="status">
        {pages.total !== undefined && t('activity.lines', { count: total })}
      </p>
      <div className="journal" role="table" aria-label={t('activity.list')} aria-rowcount={total + 1}>
        <div role="rowgroup">
          <div className="line head" role="row" aria-rowindex={1}>
            <span role="columnheader">{t('activity.when')}</span>
            <span role="columnheader">{t('activity.tool')}</span>
            <span role="columnheader">{t('activity.chat')}</span>
            <span role="columnheader">{t('activity.outcome')}</span>
          </div>
        </div>
        <div role="rowgroup" ref={body} className="lines" style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => (
            <div key={item.key} className="line" role="row" aria-rowindex={item.index + 2} style={{ transform: `translateY(${item.start - scrollMargin}px)` }}>
              <Cells row={pages.row(item.index)} now={now} />
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

/** Not calls of an agent: the person's own click, and drafts that ran out of time. */
const DECIDED_BY = { agent: undefined, person: 'activity.you', clock: 'activity.clock' } as const satisfies Record<ActivityRow['by'], MessageKey | undefined>;

function Cells({ row, now }: { row: ActivityRow | undefined; now: number }) {
  const { t, past, exact, duration } = useI18n();
  if (!row) {
    return (
      <span role="cell" className="wait">
        {t('app.loading')}
      </span>
    );
  }
  const decidedBy = DECIDED_BY[row.by];
  return (
    <>
      <span role="cell" title={exact(row.at)}>
        <span className="cut">{past(row.at, now)}</span>
        <small className="cut">{duration(row.durationMs)}</small>
      </span>
      <span role="cell">
        <code className="cut">{row.tool}</code>
        <small className="cut">{decidedBy ? t(decidedBy) : <Name text={row.client} />}</small>
      </span>
      <span role="cell" title={row.chatId ?? undefined}>
        <span className="cut">{row.chatId === null ? '–' : <Name text={row.chatName ?? row.chatId} />}</span>
      </span>
      <span role="cell" className="end" data-tone={outcomeTone(row.outcome)}>
        <span className="cut2">{outcomeName(row.outcome, t)}</span>
      </span>
    </>
  );
}

function EmptyJournal({ isFiltered, onReset }: { isFiltered: boolean; onReset: () => void }) {
  const { t } = useI18n();
  return (
    <div className="empty">
      {isFiltered ? (
        <>
          <p className="strong">{t('activity.emptyFiltered')}</p>
          <button type="button" onClick={onReset}>
            {t('activity.resetFilters')}
          </button>
        </>
      ) : (
        <>
          <p className="strong">{t('activity.empty')}</p>
          <p>{t('activity.emptyHow')}</p>
        </>
      )}
    </div>
  );
}
