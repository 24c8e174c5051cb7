import { mentionLabel, segmentMentions } from './mentions.ts';
import type { MentionedPerson } from './mentions.ts';
import { visiblePieces } from './visible.ts';

/**
 * The text of a draft as a person edits it: `@[Name]` in place of `@<guid>`. The brackets delimit the name, so that typing
 * beside it never changes whom it means; a name that cannot stand for its token without doubt leaves the token itself.
 */
export interface EditableText {
  /** For the text field. */
  readonly shown: string;
  /** Back to what is sent, every placeholder to the very token it stood for. */
  readonly toCanonical: (typed: string) => string;
}

/** A text field keeps line feeds only; what it would change silently is changed here, in sight. */
export function normaliseLineBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function placeholderFor(person: MentionedPerson, people: readonly MentionedPerson[], text: string): string | undefined {
  const name = mentionLabel(person, people).slice(1);
  if (person.name === null || person.name.trim() === '' || /[[\]@]/.test(name)) return undefined;
  if (visiblePieces(name, true).some((piece) => piece.kind === 'odd')) return undefined;
  const placeholder = `@[${name}]`;
  return text.includes(placeholder) ? undefined : placeholder;
}

/** @param text the draft's canonical text. `toCanonical(shown)` equals it up to line-break normalisation. */
export function editableText(text: string, people: readonly MentionedPerson[]): EditableText {
  const canonical = normaliseLineBreaks(text);
  const tokens = new Map<string, string>();
  const placeholders = new Map<string, string>();
  for (const person of people) {
    const placeholder = placeholderFor(person, people, canonical);
    if (placeholder === undefined || tokens.has(placeholder)) continue;
    tokens.set(placeholder, `@${person.guid}`);
    placeholders.set(person.guid, placeholder);
  }
  const shown = segmentMentions(canonical, people)
    .map((segment) => (segment.kind === 'mention' ? (placeholders.get(segment.person.guid) ?? segment.text) : segment.text))
    .join('');
  return {
    shown,
    toCanonical: (typed) => normaliseLineBreaks(typed).replace(/@\[[^[\]@]*\]/g, (placeholder) => tokens.get(placeholder) ?? placeholder),
  };
}
