import type { DraftCard } from '../../../app/ipc/contract.ts';
import type { MessageKey } from '../i18n/en.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { initials } from '../lib/words.ts';
import { Name } from '../ui/Visible.tsx';
import { chatKindKey } from '../lib/chatKinds.ts';

const KINDS = {
  send_message: 'kind.send_message',
  send_file: 'kind.send_file',
  edit_message: 'kind.edit_message',
  delete_message: 'kind.delete_message',
  vote_in_poll: 'kind.vote_in_poll',
  create_poll: 'kind.create_poll',
  forward_message: 'kind.forward_message',
} as const satisfies Record<DraftCard['tool'], MessageKey>;

export function kindKey(tool: DraftCard['tool']): MessageKey {
  return KINDS[tool];
}

interface Props {
  readonly card: DraftCard;
  readonly headingId: string;
}

/** A group's description may be an essay; characters. */
const HINT_MAX_CHARACTERS = 160;

function shorten(hint: string): string {
  const characters = [...hint];
  return characters.length > HINT_MAX_CHARACTERS ? `${characters.slice(0, HINT_MAX_CHARACTERS).join('')}…` : hint;
}

/** Who gets it, in words that cannot be confused: the first and largest thing on a card. */
export function Recipient({ card, headingId }: Props) {
  const { t } = useI18n();
  const { chat } = card;
  return (
    <header className="to">
      <div className="ava" aria-hidden="true">
        {initials(chat.name)}
      </div>
      <div>
        <h2 id={headingId}>{chat.name === null ? t('card.noName') : <Name text={chat.name} />}</h2>
        <p className="meta">
          {t(chatKindKey(chat.kind))}
          {chat.members !== null && chat.kind !== 'private' && <> · {t('card.people', { count: chat.members })}</>}
          {chat.hint !== null && (
            <>
              {' · '}
              <Name text={chat.isNameShared ? t('card.hint', { hint: shorten(chat.hint) }) : shorten(chat.hint)} />
            </>
          )}
          {(chat.name === null || (chat.isNameShared && chat.hint === null)) && (
            <>
              {' · '}
              <Name text={chat.id} />
            </>
          )}
        </p>
      </div>
      <span className="verb">{t(KINDS[card.tool])}</span>
    </header>
  );
}
