import { isGuid, MENTION_TOKEN } from '../ids.ts';
import type { DraftPerson } from './types.ts';

/**
 * Mentions in a text. The web client shows a mention only where the text holds the token `@<guid>` and the guid is in
 * MentionedUserIds (protocol §6, L). The strings a caller named are replaced by tokens; nothing else in the text is touched.
 */

const ANY_TOKEN = MENTION_TOKEN.source;

/** Letters of any alphabet with their marks and joiners, digits, underscore: what continues a word. */
const WORD = String.raw`[\p{L}\p{M}\p{N}\p{Join_Control}_]`;
const LEFT_BORDER = `(?<!${WORD})`;
/** A hyphen before a capital continues a name (`@Анна-Мария` is not `@Анна`); any other hyphen ends it (`@Иван-то`). */
const RIGHT_BORDER = String.raw`(?!${WORD}|[-\u2010\u2011]\p{Lu})`;

/** A guid from `@<guid>` or a bare guid, in lower case; undefined for a name. */
export function guidOf(query: string): string | undefined {
  const guid = query.trim().replace(/^@/, '').toLowerCase();
  return isGuid(guid) ? guid : undefined;
}

export const mentionToken = (guid: string): string => `@${guid}`;

/** A string the caller named, and whom it means. */
export interface NamedMention {
  readonly query: string;
  readonly guid: string;
}

/**
 * Replaces every occurrence of each named string by its token: longest first, whole words only.
 * `missing` holds the named mentions for which the text has neither the string nor the token.
 */
export function substituteMentions(text: string, named: readonly NamedMention[]): { text: string; missing: readonly NamedMention[] } {
  const guidByString = new Map<string, string>();
  for (const { query, guid } of named) {
    for (const string of stringsFor(query)) if (!guidByString.has(string)) guidByString.set(string, guid);
  }
  let result = replaceWords(text, guidByString);
  // A bare guid in the text stands for its mention only where it was named so and no token is there.
  const bare = named.filter(({ query, guid }) => guidOf(query) !== undefined && !query.trim().startsWith('@') && !hasMention(result, guid));
  if (bare.length > 0) result = replaceWords(result, new Map(bare.map(({ query, guid }) => [query.trim(), guid])), '@');
  return { text: result, missing: named.filter(({ guid }) => !hasMention(result, guid)) };
}

/** Whether the text holds the token of this guid as a whole word. */
export function hasMention(text: string, guid: string): boolean {
  return new RegExp(`${LEFT_BORDER}${escapeRegExp(mentionToken(guid))}${RIGHT_BORDER}`, 'u').test(text);
}

/** The text as a reader sees it: tokens of known people as `@Name`. For reading only. */
export function readableText(text: string, people: readonly DraftPerson[]): string {
  const names = new Map(people.filter(({ name }) => name !== undefined).map(({ guid, name }) => [guid, name as string]));
  return text.replace(new RegExp(`${LEFT_BORDER}${ANY_TOKEN}${RIGHT_BORDER}`, 'gu'), (token) => {
    const name = names.get(token.slice(1));
    return name === undefined ? token : `@${name}`;
  });
}

/** The people whose token is still in a text that somebody changed, in their order. */
export function stillMentioned<T>(text: string, people: readonly T[], guid: (person: T) => string): T[] {
  return people.filter((person) => hasMention(text, guid(person)));
}

/** What may stand in the text for a query: the string itself with its `@`, and for a guid the token. */
function stringsFor(query: string): string[] {
  const trimmed = query.trim();
  const guid = guidOf(trimmed);
  const withAt = trimmed.startsWith('@') ? trimmed : `@${trimmed}`;
  return guid === undefined ? [withAt] : [withAt, mentionToken(guid)];
}

function replaceWords(text: string, guidByString: ReadonlyMap<string, string>, notAfter = ''): string {
  if (guidByString.size === 0) return text;
  const longestFirst = [...guidByString.keys()].sort((a, b) => b.length - a.length).map(escapeRegExp);
  const left = notAfter === '' ? LEFT_BORDER : `(?<!${WORD}|${notAfter})`;
  // Tokens that are there already are stepped over as a whole: no name may match inside one.
  const pattern = new RegExp(`${left}(?:${[ANY_TOKEN, ...longestFirst].join('|')})${RIGHT_BORDER}`, 'gu');
  return text.replace(pattern, (found) => {
    const guid = guidByString.get(found);
    return guid === undefined ? found : mentionToken(guid);
  });
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
