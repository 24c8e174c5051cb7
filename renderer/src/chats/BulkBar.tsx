import { useId, useState } from 'react';
import type { ChatRow } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { ACCESS_CONSEQUENCES, ACCESS_NAMES, ACCESSES } from '../lib/access.ts';
import type { Access } from '../lib/access.ts';
import { AllowQuestion } from './AllowQuestion.tsx';

interface Props {
  readonly shown: readonly ChatRow[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
  readonly onApply: (access: Access) => void;
  readonly onClear: () => void;
}

/** One choice for many chats: pick them (by search, or all shown), choose, read the consequence, apply. */
export function BulkBar({ shown, selected, onSelect, onApply, onClear }: Props) {
  const { t } = useI18n();
  const id = useId();
  const [access, setAccess] = useState<Access>('read_only');
  const [isAsking, setIsAsking] = useState(false);
  const ids = shown.map((row) => row.id);
  const chosenShown = ids.filter((chat) => selected.has(chat)).length;
  const areAll = ids.length > 0 && chosenShown === ids.length;
  return (
    <div className="bulk">
      <label className="check">
        <input
          type="checkbox"
          checked={areAll}
          ref={(box) => {
            if (box) box.indeterminate = chosenShown > 0 && !areAll;
          }}
          onChange={() => onSelect(ids, !areAll)}
        />
        {t('chats.selectAll')}
      </label>
      <span className="meta" role="status">
        {selected.size > 0 ? t('chats.selected', { count: selected.size }) : t('chats.count', { count: shown.length })}
      </span>
      {selected.size > 0 && (
        <div className="bulkChoice">
          <label htmlFor={id}>{t('chats.setTo')}</label>
          <select
            id={id}
            value={access}
            aria-describedby={`${id}-explain`}
            onChange={(event) => {
              setIsAsking(false);
              setAccess(event.target.value as Access);
            }}
          >
            {ACCESSES.map((value) => (
              <option key={value} value={value}>
                {t(ACCESS_NAMES[value])}
              </option>
            ))}
          </select>
          <button type="button" className="go" onClick={() => (access === 'agent_confirms' ? setIsAsking(true) : onApply(access))}>
            {t('chats.apply')}
          </button>
          <button type="button" className="quiet" onClick={onClear}>
            {t('chats.clearSelection')}
          </button>
          {isAsking && (
            <AllowQuestion
              count={selected.size}
              onNo={() => setIsAsking(false)}
              onYes={() => {
                setIsAsking(false);
                onApply('agent_confirms');
              }}
            />
          )}
          <p className="meta" id={`${id}-explain`} data-strong={access === 'agent_confirms'}>
            {t(ACCESS_CONSEQUENCES[access])}
          </p>
        </div>
      )}
    </div>
  );
}
