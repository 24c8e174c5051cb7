import type { DraftCard } from '../../../app/ipc/contract.ts';
import { foldText } from '../lib/folding.ts';

/** Decisions about cards, apart from how they look. */

/** How long a good or expected end stays on its card, ms after it ended, before the card leaves for Activity. */
export const BRIEF_END_MS = 5_000;
/** The last moments of it, in which the card is seen to leave, ms. */
const LEAVING_MS = 600;
/** A bad end has to be read. Main lists finished drafts for as long. */
export const BAD_END_MS = 60_000;

const BAD_ENDS: ReadonlySet<DraftCard['status']> = new Set(['failed', 'unknown']);

export function isFinished(card: DraftCard): boolean {
  return card.status !== 'pending' && card.status !== 'committing';
}

export function isBadEnd(card: DraftCard): boolean {
  return BAD_ENDS.has(card.status);
}

/** Whether a card is on its way out. */
export function isLeaving(card: DraftCard, now: number): boolean {
  return card.finishedAt !== null && !isBadEnd(card) && now - card.finishedAt > BRIEF_END_MS - LEAVING_MS;
}

/** Cards to show: oldest first and each in its own place until it leaves, so that nothing jumps when a draft ends. */
export function shownCards(cards: readonly DraftCard[], now: number): DraftCard[] {
  return cards
    .filter((card) => card.finishedAt === null || now - card.finishedAt < (isBadEnd(card) ? BAD_END_MS : BRIEF_END_MS))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Every text on a card that may be too long for it. */
function longTexts(card: DraftCard): string[] {
  return [
    card.text,
    card.target?.text,
    card.forward?.text,
    card.vote?.question,
    ...(card.vote?.options.map((option) => option.text) ?? []),
    card.poll?.title,
    ...(card.poll?.answers ?? []),
  ].filter((text) => text !== null && text !== undefined);
}

/** Whether something that goes out is folded away: such a card cannot be confirmed before it is unfolded. */
export function hasFoldedText(card: DraftCard): boolean {
  return longTexts(card).some((text) => foldText(text).hiddenCharacters > 0);
}

/** All that a person decides on, as one string: when it changes, the card is another card. */
export function decisionContent(card: DraftCard): string {
  const { chat, text, mentions, reply, forward, target, file, vote, poll, client } = card;
  return JSON.stringify([chat, text, mentions, reply, forward, target, file && { ...file, thumbnail: null }, vote, poll, client]);
}
