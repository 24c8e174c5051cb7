import { useMemo, useState } from 'react';
import type { Settings } from '../../../app/ipc/contract.ts';
import { act, useRemote } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { searchChats } from '../lib/access.ts';
import type { Access } from '../lib/access.ts';
import { reasonFor } from '../lib/reasons.ts';
import { Unreachable } from '../ui/Unreachable.tsx';
import { useReport } from '../ui/useReport.ts';
import { BulkBar } from './BulkBar.tsx';
import { ChatList } from './ChatList.tsx';

/** What agents may do in each chat. */
export function ChatsView({ scroller }: { scroller: HTMLElement; settings: Settings }) {
  const { t } = useI18n();
  const report = useReport();
  const chats = useRemote('chats:list', undefined, 'session:changed', 'settings:changed');
  const [query, setQuery] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const rows = chats.value?.rows;
  const shown = useMemo(() => searchChats(rows ?? [], query), [rows, query]);

  const setAccess = async (ids: string[], access: Access) => {
    const isDone = await report(act('chats:setAccess', { ids, access }), t('chats.applied', { count: ids.length }));
    chats.reload();
    if (isDone && ids.length > 1) setSelected(new Set());
  };
  const select = (ids: readonly string[], isSelected: boolean) =>
    setSelected((before) => {
      const next = new Set(before);
      for (const id of ids) {
        if (isSelected) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  const problem = chats.value?.problem ?? null;

  return (
    <div className="page" data-page="chats">
      <header className="title">
        <h1>{t('chats.title')}</h1>
        <p>{t('chats.lead')}</p>
      </header>
      {chats.hasFailed && <Unreachable onRetry={chats.reload} />}
      {problem !== null && <ChatsProblem code={problem} onRetry={chats.reload} />}
      {rows && rows.length > 0 && (
        <>
          <input
            type="search"
            aria-label={t('chats.search')}
            placeholder={t('chats.search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <BulkBar
            shown={shown}
            selected={selected}
            onSelect={select}
            onApply={(access) => void setAccess([...selected], access)}
            onClear={() => setSelected(new Set())}
          />
          {shown.length === 0 ? (
            <div className="empty">
              <p>{t('chats.noMatch')}</p>
            </div>
          ) : (
            <ChatList
              rows={shown}
              scroller={scroller}
              selected={selected}
              onSelect={(id, isSelected) => select([id], isSelected)}
              onAccess={(id, access) => void setAccess([id], access)}
            />
          )}
        </>
      )}
      {rows?.length === 0 && (
        <div className="empty">
          <p className="strong">{t('chats.empty')}</p>
          <p>{t('chats.emptyHow')}</p>
        </div>
      )}
    </div>
  );
}

function ChatsProblem({ code, onRetry }: { code: string; onRetry: () => void }) {
  const { t } = useI18n();
  const reason = reasonFor(code);
  return (
    <div className="banner" data-tone="warn">
      <p>{t('chats.problem', { reason: t(reason.key, reason.values) })}</p>
      <button type="button" onClick={onRetry}>
        {t('app.retry')}
      </button>
    </div>
  );
}
