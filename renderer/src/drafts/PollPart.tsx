import type { DraftCard } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { TextWell } from './TextWell.tsx';

interface Folding {
  readonly isExpanded: boolean;
  readonly onExpand: () => void;
}

/** The question and every choice, the chosen ones marked. */
export function VotePart({ vote, ...folding }: { vote: NonNullable<DraftCard['vote']> } & Folding) {
  const { t } = useI18n();
  return (
    <div className="poll">
      <p className="caption">
        {t('card.voteFor')} · {t(vote.isAnonymous ? 'card.anonymous' : 'card.named')}
      </p>
      <TextWell label={t('card.voteFor')} text={vote.question} {...folding} />
      <ul>
        {vote.options.map((option, index) => (
          <li key={index} data-chosen={option.chosen}>
            <i className="mark" aria-hidden="true" />
            <div>
              <TextWell label={t(option.chosen ? 'card.chosen' : 'card.notChosen')} text={option.text} {...folding} />
            </div>
            {option.chosen && <span className="chosen">{t('card.chosen')}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A poll to be published: its question and answers as they will stand. */
export function NewPollPart({ poll, ...folding }: { poll: NonNullable<DraftCard['poll']> } & Folding) {
  const { t } = useI18n();
  return (
    <div className="poll">
      <p className="caption">
        {[t('card.pollOf'), t(poll.isAnonymous ? 'card.anonymous' : 'card.named'), t(poll.isMultiple ? 'card.multiple' : 'card.single')].join(' · ')}
      </p>
      <TextWell label={t('card.pollOf')} text={poll.title} {...folding} />
      <ul>
        {poll.answers.map((answer, index) => (
          <li key={index} data-chosen="false">
            <i className="mark" aria-hidden="true" />
            <div>
              <TextWell label={String(index + 1)} text={answer} {...folding} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
