import type { ReactNode } from 'react';
import { useI18n } from '../i18n/I18n.tsx';
import { foldText } from '../lib/folding.ts';
import { mentionLabel, segmentMentions } from '../lib/mentions.ts';
import type { MentionedPerson } from '../lib/mentions.ts';
import { Visible, Name } from '../ui/Visible.tsx';

/** Text as it will look: tokens of people as chips, markdown as typed, nothing invisible. */
export function MessageText({ text, people }: { text: string; people: readonly MentionedPerson[] }) {
  return segmentMentions(text, people).map((segment, index) =>
    segment.kind === 'mention' ? <Chip key={index} person={segment.person} people={people} /> : <Visible key={index} text={segment.text} />,
  );
}

export function Chip({ person, people }: { person: MentionedPerson; people: readonly MentionedPerson[] }) {
  return (
    <span className="chip" title={`@${person.guid}`}>
      <Name text={mentionLabel(person, people)} />
    </span>
  );
}

interface Props {
  readonly label: string;
  readonly text: string;
  readonly people?: readonly MentionedPerson[];
  readonly isExpanded: boolean;
  readonly onExpand: () => void;
  readonly tone?: 'plain' | 'lost';
}

const NOBODY: readonly MentionedPerson[] = [];

/** The sunken well with the exact text; a long one is folded, and says how much is not shown. */
export function TextWell({ label, text, people = NOBODY, isExpanded, onExpand, tone = 'plain' }: Props) {
  const { t } = useI18n();
  const folded = foldText(text);
  const isFolded = folded.hiddenCharacters > 0 && !isExpanded;
  return (
    <Well label={label} tone={tone} isScrolling={folded.hiddenCharacters > 0 && isExpanded}>
      {text === '' ? <em>{t('card.emptyText')}</em> : <MessageText text={isFolded ? folded.head : text} people={people} />}
      {isFolded && (
        <span className="more">
          <span>{t('card.hiddenMore', { count: folded.hiddenCharacters })}</span>
          <button type="button" onClick={onExpand}>
            {t('card.showAll', { count: folded.totalCharacters })}
          </button>
        </span>
      )}
    </Well>
  );
}

interface WellProps {
  readonly label: string;
  readonly tone?: 'plain' | 'lost';
  /** A very long text scrolls inside the well, so that the buttons stay near. */
  readonly isScrolling?: boolean;
  readonly children: ReactNode;
}

export function Well({ label, tone = 'plain', isScrolling = false, children }: WellProps) {
  return (
    <div className="text" data-tone={tone} data-scrolling={isScrolling} role="group" aria-label={label} tabIndex={isScrolling ? 0 : undefined} dir="auto">
      {children}
    </div>
  );
}
