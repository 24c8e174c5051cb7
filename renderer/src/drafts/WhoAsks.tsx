import type { DraftCard } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { visibleString } from '../lib/visible.ts';
import { useNow } from '../ui/useNow.ts';
import { isFinished } from './cards.ts';

const MINUTE_MS = 60_000;

/** Who asks, in the client's own words and marked as such; when it asked; when the draft expires. */
export function WhoAsks({ card }: { card: DraftCard }) {
  const { t, past, future, exact } = useI18n();
  const isClose = card.expiresAt - card.createdAt < 10 * MINUTE_MS;
  const now = useNow(isClose ? 1000 : 15_000);
  return (
    <p className="meta asks">
      <span className="visually-hidden">{t('card.asks')} </span>
      <bdi>{t('card.namedItself', { name: visibleString(card.client.name) })}</bdi>
      {' · '}
      <time dateTime={new Date(card.createdAt).toISOString()} title={exact(card.createdAt)}>
        {past(card.createdAt, now)}
      </time>
      {!isFinished(card) && (
        <>
          {' · '}
          <time dateTime={new Date(card.expiresAt).toISOString()} title={exact(card.expiresAt)}>
            {card.expiresAt <= now ? t('card.expired') : t('card.expires', { when: future(card.expiresAt, now) })}
          </time>
        </>
      )}
    </p>
  );
}
