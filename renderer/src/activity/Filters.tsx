import type { ActivityFilter, InvokeResult } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { visibleString } from '../lib/visible.ts';
import { outcomeName } from './outcomes.ts';

interface Props {
  readonly facets: InvokeResult<'activity:facets'> | undefined;
  readonly filter: ActivityFilter;
  readonly onFilter: (filter: ActivityFilter) => void;
}

/** Chat, tool and outcome, of the values that occur. */
export function Filters({ facets, filter, onFilter }: Props) {
  const { t } = useI18n();
  return (
    <div className="filters" role="group" aria-label={t('activity.filters')}>
      <Choice
        label={t('activity.chat')}
        value={filter.chatId}
        options={chatOptions(facets?.chats ?? [])}
        onChoose={(chatId) => onFilter({ ...filter, chatId })}
      />
      <Choice
        label={t('activity.tool')}
        value={filter.tool}
        options={(facets?.tools ?? []).map((tool) => ({ value: tool, words: tool }))}
        onChoose={(tool) => onFilter({ ...filter, tool })}
      />
      <Choice
        label={t('activity.outcome')}
        value={filter.outcome}
        options={(facets?.outcomes ?? []).map((outcome) => ({ value: outcome, words: outcomeName(outcome, t) }))}
        onChoose={(outcome) => onFilter({ ...filter, outcome })}
      />
    </div>
  );
}

/** How much of a chat's id tells two of one name apart, characters from its end. */
const ID_TAIL_CHARACTERS = 8;

function chatOptions(chats: readonly { id: string; name: string | null }[]): { value: string; words: string }[] {
  return chats.map(({ id, name }) => {
    if (name === null) return { value: id, words: visibleString(id) };
    const isShared = chats.some((other) => other.id !== id && other.name === name);
    return { value: id, words: visibleString(isShared ? `${name} · …${id.slice(-ID_TAIL_CHARACTERS)}` : name) };
  });
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | null;
  readonly options: readonly { readonly value: string; readonly words: string }[];
  readonly onChoose: (value: string | null) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const { t } = useI18n();
  return (
    <label className="choice">
      <span>{label}</span>
      <select value={value === null ? '' : `=${value}`} onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value.slice(1))}>
        <option value="">{t('activity.any')}</option>
        {options.map((option) => (
          <option key={option.value} value={`=${option.value}`}>
            {option.words}
          </option>
        ))}
      </select>
    </label>
  );
}
