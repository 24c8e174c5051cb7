import { useState } from 'react';
import type { ActivityFilter } from '../../../app/ipc/contract.ts';
import { act, useRemote } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { AskTwice } from '../ui/AskTwice.tsx';
import { useReport } from '../ui/useReport.ts';
import { Filters } from './Filters.tsx';
import { Journal } from './Journal.tsx';

const ALL: ActivityFilter = { chatId: null, tool: null, outcome: null };

/** What agents did: every call, never its text. */
export function ActivityView({ scroller }: { scroller: HTMLElement }) {
  const { t } = useI18n();
  const report = useReport();
  const [filter, setFilter] = useState(ALL);
  const facets = useRemote('activity:facets', undefined, 'activity:changed');
  const isEmpty = facets.value?.tools.length === 0;
  return (
    <div className="page" data-page="activity">
      <header className="title">
        <h1>{t('activity.title')}</h1>
        <p>{t('activity.lead')}</p>
      </header>
      {!isEmpty && (
        <>
          <Filters facets={facets.value} filter={filter} onFilter={setFilter} />
          <div className="tools">
            <button type="button" onClick={() => void report(act('activity:export', 'jsonl'), t('activity.exported'))}>
              {t('activity.exportJsonl')}
            </button>
            <button type="button" onClick={() => void report(act('activity:export', 'csv'), t('activity.exported'))}>
              {t('activity.exportCsv')}
            </button>
            <AskTwice
              start={t('activity.clear')}
              question={t('activity.clearAsk')}
              yes={t('activity.clearYes')}
              onYes={() => {
                setFilter(ALL);
                void report(act('activity:clear', undefined), t('activity.cleared'));
              }}
            />
          </div>
        </>
      )}
      <Journal key={JSON.stringify(filter)} filter={filter} scroller={scroller} onReset={() => setFilter(ALL)} />
    </div>
  );
}
