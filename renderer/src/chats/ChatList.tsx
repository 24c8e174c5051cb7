import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import type { ChatRow } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { ACCESS_CONSEQUENCES, ACCESS_NAMES, ACCESSES } from '../lib/access.ts';
import type { Access } from '../lib/access.ts';
import { AllowQuestion } from './AllowQuestion.tsx';
import { chatKindKey } from '../lib/chatKinds.ts';
import { visibleString } from '../lib/visible.ts';
import { initials } from '../lib/words.ts';
import { useNow } from '../ui/useNow.ts';
import { useScrollMargin } from '../ui/useScrollMargin.ts';
import { Name } from '../ui/Visible.tsx';

interface Props {
  readonly rows: readonly ChatRow[];
  readonly scroller: HTMLElement;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (id: string, isSelected: boolean) => void;
  readonly onAccess: (id: string, access: Access) => void;
}

const ROW_PX = 88;

export function ChatList({ rows, scroller, selected, onSelect, onAccess }: Props) {
  const { t } = useI18n();
  const list = useRef<HTMLUListElement>(null);
  const scrollMargin = useScrollMargin(list, scroller);
  const now = useNow(60_000);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is memoised by a compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    scrollMargin,
  });
  return (
    <ul ref={list} className="chatList" aria-label={t('chats.list')} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const row = rows[item.index];
        return (
          row && (
            <li
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              style={{ transform: `translateY(${item.start - scrollMargin}px)` }}
            >
              <Chat row={row} now={now} isSelected={selected.has(row.id)} onSelect={onSelect} onAccess={onAccess} />
            </li>
          )
        );
      })}
    </ul>
  );
}

interface ChatProps extends Pick<Props, 'onSelect' | 'onAccess'> {
  readonly row: ChatRow;
  readonly now: number;
  readonly isSelected: boolean;
}

function Chat({ row, now, isSelected, onSelect, onAccess }: ChatProps) {
  const { t, past, exact } = useI18n();
  const [isAsking, setIsAsking] = useState(false);
  const select = useRef<HTMLSelectElement>(null);
  const name = visibleString(row.name ?? t('card.noName'));
  const shown = isAsking ? 'agent_confirms' : row.access;
  const leave = () => {
    setIsAsking(false);
    select.current?.focus();
  };
  return (
    <div className="chat" data-chat-id={row.id} data-access={shown}>
      <input type="checkbox" checked={isSelected} aria-label={t('chats.select', { chat: name })} onChange={(event) => onSelect(row.id, event.target.checked)} />
      <div className="ava" aria-hidden="true">
        {initials(row.name)}
      </div>
      <div className="chatWords">
        <p className="strong cut" title={name}>
          <Name text={row.name ?? t('card.noName')} />
        </p>
        <p className="meta">
          {t(chatKindKey(row.kind))}
          {row.hint !== null && (
            <>
              {' · '}
              <Name text={row.hint} />
            </>
          )}
          {row.lastActivity !== null && <span title={exact(row.lastActivity)}> · {past(row.lastActivity, now)}</span>}
        </p>
      </div>
      <select
        ref={select}
        value={shown}
        aria-label={t('chats.accessOf', { chat: name })}
        title={t(ACCESS_CONSEQUENCES[shown])}
        onChange={(event) => {
          const access = event.target.value as Access;
          setIsAsking(access === 'agent_confirms');
          if (access !== 'agent_confirms') onAccess(row.id, access);
        }}
      >
        {ACCESSES.map((access) => (
          <option key={access} value={access}>
            {t(ACCESS_NAMES[access])}
          </option>
        ))}
      </select>
      <p className="meta consequence">{t(ACCESS_CONSEQUENCES[shown])}</p>
      {isAsking && (
        <div className="consequence">
          <AllowQuestion
            count={1}
            onNo={leave}
            onYes={() => {
              leave();
              onAccess(row.id, 'agent_confirms');
            }}
          />
        </div>
      )}
    </div>
  );
}
