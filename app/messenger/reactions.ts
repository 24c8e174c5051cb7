/**
 * The known reaction types (`reactions.json`): type and name are the server's, the emoji is our approximation. The type space is
 * open (protocol §6, L): reading takes any integer, writing only the known ones.
 */
import table from './reactions.json' with { type: 'json' };

export interface KnownReaction {
  readonly type: number;
  readonly name: string;
  readonly emoji: string;
}

const BY_TYPE: ReadonlyMap<number, KnownReaction> = new Map(table.reactions.map((reaction) => [reaction.type, reaction]));

/** The reaction of a type; undefined when this version does not know it. */
export function knownReaction(type: number): KnownReaction | undefined {
  return BY_TYPE.get(type);
}

/** What the web client offers in a group, in its order: the types an agent is told to choose from. */
export const OFFERED_REACTIONS: readonly KnownReaction[] = table.picker.group.map(knownReaction).filter((reaction) => reaction !== undefined);

/** How a type is told: known ones with name and emoji, others marked unknown, never `chr(type)`. */
export function describeReactionType(type: number): { type: number; name: string | null; emoji: string | null; unknown?: true } {
  const known = BY_TYPE.get(type);
  return known ? { type, name: known.name, emoji: known.emoji } : { type, name: null, emoji: null, unknown: true };
}
