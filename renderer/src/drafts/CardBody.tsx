import type { DraftCard } from '../../../app/ipc/contract.ts';
import type { MessageKey } from '../i18n/en.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { mentionsWithoutToken } from '../lib/mentions.ts';
import { visibleString } from '../lib/visible.ts';
import { Name, Visible } from '../ui/Visible.tsx';
import { useNow } from '../ui/useNow.ts';
import { EditDiff } from './EditDiff.tsx';
import { FilePart } from './FilePart.tsx';
import { NewPollPart, VotePart } from './PollPart.tsx';
import { Chip, MessageText, TextWell } from './TextWell.tsx';

interface Props {
  readonly card: DraftCard;
  readonly isFolded: boolean;
  readonly isExpanded: boolean;
  readonly onExpand: () => void;
}

/** What goes out, every part of it. */
export function CardBody({ card, isFolded, isExpanded, onExpand }: Props) {
  const { t } = useI18n();
  const folding = { isExpanded, onExpand };
  const { target, text } = card;
  const isEdit = card.tool === 'edit_message' && target !== null && text !== null;
  const unseen = text === null ? card.mentions : mentionsWithoutToken(text, card.mentions);
  return (
    <>
      {card.reply && (
        <blockquote className="quote" dir="auto">
          {card.reply.author !== null && (
            <>
              <Name text={card.reply.author} />
              {': '}
            </>
          )}
          <Visible text={card.reply.quote} />
          {card.reply.truncated && '…'}
        </blockquote>
      )}
      {card.forward && <ForwardPart forward={card.forward} {...folding} />}
      {card.forward && text !== null && <p className="caption">{t('card.comment')}</p>}
      {card.file && <FilePart file={card.file} />}
      {card.vote && <VotePart vote={card.vote} {...folding} />}
      {card.poll && <NewPollPart poll={card.poll} {...folding} />}
      {target && card.tool !== 'vote_in_poll' && <TargetLine target={target} />}
      {isEdit && <EditDiff before={target.text} after={text} people={card.mentions} isFolded={isFolded && !isExpanded} {...folding} />}
      {!isEdit && text !== null && <TextWell label={t('card.text')} text={text} people={card.mentions} {...folding} />}
      {card.tool === 'delete_message' && target && (
        <>
          {(target.text !== '' || target.attachments.length === 0) && (
            <TextWell label={t('kind.delete_message')} text={target.text} people={card.mentions} tone="lost" {...folding} />
          )}
          <p className="meta warn">{t('card.noWayBack')}</p>
        </>
      )}
      {unseen.length > 0 && (
        <p className="meta">
          {t('card.alsoMentioned', { names: '' })}
          {unseen.map((person) => (
            <Chip key={person.guid} person={person} people={card.mentions} />
          ))}
        </p>
      )}
      {card.originalText !== null && card.originalText !== text && (
        <div className="yours">
          <p className="meta">{t('card.editedByYou')}</p>
          <blockquote className="quote" dir="auto">
            <MessageText text={card.originalText.slice(0, 500)} people={card.mentions} />
            {card.originalText.length > 500 && '…'}
          </blockquote>
        </div>
      )}
    </>
  );
}

type Forward = NonNullable<DraftCard['forward']>;

function ForwardPart({ forward, ...folding }: { forward: Forward; isExpanded: boolean; onExpand: () => void }) {
  const { t } = useI18n();
  return (
    <div className="forward">
      <p className="caption">
        {t('card.forwardFrom', { chat: visibleString(forward.chatName ?? t('card.noName')) })}
        {forward.author !== null && (
          <>
            {' · '}
            <Name text={forward.author} />
          </>
        )}
      </p>
      {forward.text !== null && <TextWell label={t('kind.forward_message')} text={forward.text} {...folding} />}
      <Attachments names={forward.attachments} />
    </div>
  );
}

function TargetLine({ target }: { target: NonNullable<DraftCard['target']> }) {
  const { t, past, exact } = useI18n();
  const now = useNow(60_000);
  const at = Date.parse(target.timestamp);
  const when = Number.isNaN(at) ? target.timestamp : past(at, now);
  return (
    <>
      <p className="meta" title={Number.isNaN(at) ? undefined : exact(at)}>
        {target.fromMe === true ? t('card.targetYours', { when }) : t('card.targetOf', { author: visibleString(target.author ?? '?'), when })}
        {target.readsCount !== null && <> · {t('card.reads', { count: target.readsCount })}</>}
      </p>
      <Attachments names={target.attachments} />
    </>
  );
}

/** A file without a name comes as the word for its kind. */
const ATTACHMENT_KINDS: Readonly<Record<string, MessageKey>> = {
  image: 'attachment.image',
  gallery_image: 'attachment.image',
  file: 'attachment.file',
  voice: 'attachment.voice',
  sticker: 'attachment.sticker',
};

function Attachments({ names }: { names: readonly string[] }) {
  const { t } = useI18n();
  if (names.length === 0) return null;
  const words = names.map((name) => {
    const kind = ATTACHMENT_KINDS[name];
    return kind === undefined ? visibleString(name) : t(kind);
  });
  return <p className="meta">{t('card.attachments', { names: words.join(', ') })}</p>;
}
