/** Mentions: in the text a mention is the token `@<guid>` (protocol §6, grade L); the window shows a name in its place. */

export interface MentionedPerson {
  readonly guid: string;
  readonly name: string | null;
}

export type MentionSegment =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'mention'; readonly text: string; readonly person: MentionedPerson };

const escape = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

function tokenPattern(people: readonly MentionedPerson[]): RegExp | undefined {
  const guids = people.map((person) => person.guid).filter((guid) => guid !== '');
  if (guids.length === 0) return undefined;
  // The longest first: one guid may be the beginning of another.
  guids.sort((a, b) => b.length - a.length);
  return new RegExp(`@(${guids.map(escape).join('|')})`, 'g');
}

/** Splits text at the tokens of the people given; the segments' `text` joined is the text, byte for byte. */
export function segmentMentions(text: string, people: readonly MentionedPerson[]): MentionSegment[] {
  const pattern = tokenPattern(people);
  if (!pattern) return text === '' ? [] : [{ kind: 'text', text }];
  const byGuid = new Map(people.map((person) => [person.guid, person]));
  const segments: MentionSegment[] = [];
  let start = 0;
  for (const match of text.matchAll(pattern)) {
    const person = byGuid.get(match[1] ?? '');
    if (!person) continue;
    if (match.index > start) segments.push({ kind: 'text', text: text.slice(start, match.index) });
    segments.push({ kind: 'mention', text: match[0], person });
    start = match.index + match[0].length;
  }
  if (start < text.length) segments.push({ kind: 'text', text: text.slice(start) });
  return segments;
}

/** People who will be mentioned although no token stands for them: they must be shown apart, or they would be hidden. */
export function mentionsWithoutToken(text: string, people: readonly MentionedPerson[]): MentionedPerson[] {
  const seen = new Set(segmentMentions(text, people).flatMap((segment) => (segment.kind === 'mention' ? [segment.person.guid] : [])));
  return people.filter((person) => !seen.has(person.guid));
}

/** `@Name`; with the end of the guid where two of the people share the name; the whole token where there is no name. */
export function mentionLabel(person: MentionedPerson, people: readonly MentionedPerson[]): string {
  if (person.name === null || person.name.trim() === '') return `@${person.guid}`;
  const isShared = people.some((other) => other.guid !== person.guid && other.name === person.name);
  return isShared ? `@${person.name} (…${person.guid.slice(-4)})` : `@${person.name}`;
}
