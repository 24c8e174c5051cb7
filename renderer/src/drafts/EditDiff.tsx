import { useMemo } from 'react';
import { useI18n } from '../i18n/I18n.tsx';
import type { MentionedPerson } from '../lib/mentions.ts';
import { wordDiff } from '../lib/wordDiff.ts';
import type { DiffPart } from '../lib/wordDiff.ts';
import { MessageText, TextWell, Well } from './TextWell.tsx';

interface Props {
  readonly before: string;
  readonly after: string;
  readonly people: readonly MentionedPerson[];
  readonly isFolded: boolean;
  readonly isExpanded: boolean;
  readonly onExpand: () => void;
}

/** Was → will. Word by word where both are short enough to read so, else one after the other. */
export function EditDiff({ before, after, people, isFolded, isExpanded, onExpand }: Props) {
  const { t } = useI18n();
  const parts = useMemo(() => (isFolded ? undefined : wordDiff(before, after, people)), [before, after, people, isFolded]);
  if (!parts) {
    return (
      <>
        <p className="caption">{t('card.before')}</p>
        <TextWell label={t('card.before')} text={before} people={people} isExpanded={isExpanded} onExpand={onExpand} />
        <p className="caption">{t('card.after')}</p>
        <TextWell label={t('card.after')} text={after} people={people} isExpanded={isExpanded} onExpand={onExpand} />
      </>
    );
  }
  return (
    <>
      <Well label={t('card.diff')}>
        {parts.map((part, index) => (
          <Part key={index} part={part} people={people} />
        ))}
      </Well>
      {before === after && <p className="meta">{t('card.sameText')}</p>}
    </>
  );
}

function Part({ part, people }: { part: DiffPart; people: readonly MentionedPerson[] }) {
  const { t } = useI18n();
  if (part.kind === 'same') return <MessageText text={part.text} people={people} />;
  const Tag = part.kind === 'added' ? 'ins' : 'del';
  // A line break that comes or goes has no ink of its own.
  const lines = part.text.split('\n');
  return (
    <Tag>
      <span className="visually-hidden">{t(part.kind === 'added' ? 'card.added' : 'card.removed')} </span>
      {lines.map((line, index) => (
        <span key={index}>
          <MessageText text={line} people={people} />
          {index < lines.length - 1 && (
            <>
              <span aria-hidden="true">↵</span>
              {part.kind === 'added' && '\n'}
            </>
          )}
        </span>
      ))}
    </Tag>
  );
}
