import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { DraftCard } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { useScrollMargin } from '../ui/useScrollMargin.ts';
import { isLeaving } from './cards.ts';
import { DraftCardView } from './DraftCardView.tsx';

interface Props {
  readonly cards: readonly DraftCard[];
  /** ms since the epoch; renewed while a card is about to leave. */
  readonly now: number;
  readonly scroller: HTMLElement;
  readonly heading: RefObject<HTMLElement | null>;
  readonly openId: string | null;
  readonly openTurn: number;
  readonly onChanged: () => void;
}

/** A typical card, px; the true height replaces it as soon as the card is there. */
const CARD_HEIGHT_PX = 250;
const GAP_PX = 16;

/** Only the cards near the view are in the page; one that is being written in stays, wherever it is. */
export function DraftList({ cards, now, scroller, heading, openId, openTurn, onChanged }: Props) {
  const { t } = useI18n();
  const list = useRef<HTMLUListElement>(null);
  const scrollMargin = useScrollMargin(list, scroller);
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set());
  const [focusedId, setFocusedId] = useState<string | null>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is memoised by a compiler
  const virtualizer = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller,
    estimateSize: () => CARD_HEIGHT_PX,
    getItemKey: (index) => cards[index]?.id ?? index,
    overscan: 4,
    gap: GAP_PX,
    scrollMargin,
    rangeExtractor: (range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      cards.forEach((card, index) => {
        if (pinned.has(card.id) || card.id === focusedId || card.id === openId) indexes.add(index);
      });
      return [...indexes].sort((a, b) => a - b);
    },
  });

  const pin = useCallback((id: string, isPinned: boolean) => {
    setPinned((last) => {
      if (last.has(id) === isPinned) return last;
      const next = new Set(last);
      if (isPinned) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);

  // A card that leaves with the focus hands it to the heading, never to the next card's buttons.
  useLayoutEffect(() => {
    if (focusedId === null || cards.some((card) => card.id === focusedId)) return;
    setFocusedId(null);
    if (document.activeElement === document.body || document.activeElement === null) heading.current?.focus({ preventScroll: true });
  }, [cards, focusedId, heading]);

  const openedTurn = useRef(0);
  useEffect(() => {
    if (openId === null || openedTurn.current === openTurn) return;
    const index = cards.findIndex((card) => card.id === openId);
    if (index === -1) return;
    openedTurn.current = openTurn;
    virtualizer.scrollToIndex(index, { align: 'center' });
    // Heights on the way are guesses until they are measured: the card itself has the last word.
    setTimeout(() => {
      const card = list.current?.querySelector<HTMLElement>(`[data-draft-id="${CSS.escape(openId)}"]`);
      card?.scrollIntoView({ block: 'center' });
      card?.focus({ preventScroll: true });
    }, 150);
  }, [cards, openId, openTurn, virtualizer]);

  return (
    <ul ref={list} className="cards" aria-label={t('drafts.list')} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const card = cards[item.index];
        if (!card) return null;
        return (
          <li
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            aria-setsize={cards.length}
            aria-posinset={item.index + 1}
            style={{ transform: `translateY(${item.start - scrollMargin}px)` }}
            onFocus={() => setFocusedId(card.id)}
          >
            <DraftCardView
              isLeaving={isLeaving(card, now)}
              card={card}
              arrival={openId === null ? '' : String(openTurn)}
              isMarked={card.id === openId}
              onPinned={pin}
              onChanged={onChanged}
            />
          </li>
        );
      })}
    </ul>
  );
}
