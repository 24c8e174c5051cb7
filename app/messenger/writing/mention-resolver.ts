import type { Call, PersonHit } from '../api.ts';
import { parentChatId, parseChatId } from '../ids.ts';
import { foldName } from '../text.ts';
import { guidOf, substituteMentions } from './mentions.ts';
import { WritingRefusal, type DraftPerson, type WritingDeps } from './types.ts';

/** A text with its mentions resolved: tokens in place of the named strings, and who is mentioned, in the caller's order. */
export interface MentionedText {
  readonly text: string;
  readonly people: readonly DraftPerson[];
}

/** What a caller names: `@Name`, `@<guid>`, a bare guid, or what a draft gave back. */
export type MentionQuery = string | { readonly guid: string; readonly name?: string | undefined };

const ECHO_STEP = 'When confirming, pass text and mentions either both as in the first call or both as the draft returned them.';
const MAX_CANDIDATES = 20;

/**
 * Resolves the named mentions in the organization's directory and puts their tokens into the text. One that cannot be resolved refuses
 * the whole call. A private chat is checked against its own pair; for a group the protocol has no list of members to check against.
 * @throws WritingRefusal `mention_not_found mention_ambiguous mention_not_in_chat mention_not_in_text`, and WireErrors of the search.
 */
export async function resolveMentions(
  deps: WritingDeps,
  input: { readonly text: string; readonly mentions: readonly MentionQuery[]; readonly chatId: string },
  call: Call,
): Promise<MentionedText> {
  const named: { query: string; person: DraftPerson }[] = [];
  for (const mention of input.mentions) {
    const query = typeof mention === 'string' ? mention.trim() : `@${mention.guid}`;
    const person = await findPerson(deps, query, call);
    requireInChat(input.chatId, query, person);
    const name = person.name ?? (typeof mention === 'string' ? undefined : mention.name);
    named.push({ query, person: { guid: person.guid, ...(name !== undefined && { name }) } });
  }
  const { text, missing } = substituteMentions(
    input.text,
    named.map(({ query, person }) => ({ query, guid: person.guid })),
  );
  const lost = missing[0];
  if (lost) {
    throw new WritingRefusal(
      'mention_not_in_text',
      `The text does not contain ${JSON.stringify(lost.query.startsWith('@') ? lost.query : `@${lost.query}`)} as a word of its own, and a mention is only seen where it stands in the text.`,
      `Write the mention into the text exactly as it is named in \`mentions\`, or leave it out. ${ECHO_STEP}`,
      { mention: lost.query },
    );
  }
  const people = [...new Map(named.map(({ person }) => [person.guid, person])).values()];
  return { text, people };
}

/** Adds the names of people that are only known by guid, as far as the server tells them; never fails for a name. */
export async function withNames(deps: WritingDeps, people: readonly DraftPerson[], call: Call): Promise<DraftPerson[]> {
  const nameless = people.filter(({ name }) => name === undefined).map(({ guid }) => guid);
  if (nameless.length === 0) return [...people];
  const names = await deps.directory.namesOf(nameless, call).catch((error: unknown) => {
    if (call.signal.aborted) throw error;
    return new Map<string, string>(); // grade B, and only for show
  });
  return people.map((person) => {
    const name = person.name ?? names.get(person.guid);
    return { guid: person.guid, ...(name !== undefined && { name }) };
  });
}

async function findPerson(deps: WritingDeps, query: string, call: Call): Promise<DraftPerson> {
  const guid = guidOf(query);
  if (guid !== undefined) return { guid };
  const name = query.replace(/^@/, '').trim();
  if (name === '') {
    throw new WritingRefusal('invalid_argument', '`mentions` holds an empty name.', 'Name each person as `@Name` or `@<guid>`.');
  }
  const hits = await deps.directory.searchPeople(name, call);
  const matching = bestMatches(name, hits);
  const [only] = matching;
  if (only && matching.length === 1) return { guid: only.guid, ...(only.name !== undefined && { name: only.name }) };
  const candidates = (matching.length > 1 ? matching : hits).slice(0, MAX_CANDIDATES).map(candidateOf);
  if (matching.length > 1) {
    throw new WritingRefusal(
      'mention_ambiguous',
      `${JSON.stringify(query)} may be any of ${matching.length} people.`,
      'Ask the person which one is meant, then name that one as `@<guid>` in the text and in `mentions`.',
      { mention: query, candidates },
    );
  }
  throw new WritingRefusal(
    'mention_not_found',
    `Nobody named ${JSON.stringify(query)} was found.`,
    'Check the name with search (entities: users), or name the person as `@<guid>` in the text and in `mentions`.',
    { mention: query, candidates },
  );
}

/** A login or an address: the server finds people by these too, though it does not always give them back. */
const LOGIN = /^[a-z0-9][a-z0-9._@-]*$/i;

/**
 * Hits that bear the name: those named exactly so, else those whose name holds its words (a department or login may tell namesakes apart).
 * The server's search is looser than that: half a word or somebody of a department is no answer to a name.
 */
function bestMatches(name: string, hits: readonly PersonHit[]): PersonHit[] {
  const distinct = [...new Map(hits.map((hit) => [hit.guid, hit])).values()];
  const wanted = foldName(name);
  const exact = distinct.filter((hit) => foldName(hit.name ?? '') === wanted);
  if (exact.length > 0) return exact;
  const wantedWords = wordsOf(wanted);
  const byName = distinct.filter((hit) => {
    const names = new Set(wordsOf(foldName(hit.name ?? '')));
    const hints = new Set(wordsOf(foldName(hit.hint ?? '')));
    return wantedWords.some((word) => names.has(word)) && wantedWords.every((word) => names.has(word) || hints.has(word));
  });
  if (byName.length > 0 || !LOGIN.test(name)) return byName;
  const byLogin = distinct.filter((hit) => wordsOf(foldName(hit.hint ?? '')).includes(wanted));
  if (byLogin.length > 0) return byLogin;
  // A single hit whose visible name has nothing to do with the login was found by the login itself.
  return distinct.filter((hit, _index, all) => all.length === 1 && !wordsOf(foldName(hit.name ?? '')).some((word) => word.startsWith(wanted)));
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}_.@-]+/u).filter(Boolean);
}

/** Both guids of a private chat stand in its id, which makes this check free (protocol §1, L). A thread counts as its chat. */
function requireInChat(chatId: string, query: string, person: DraftPerson): void {
  const parts = parseChatId(parentChatId(chatId));
  if (parts?.kind !== 'private' && parts?.kind !== 'self') return;
  if (parts.guids.includes(person.guid)) return;
  throw new WritingRefusal(
    'mention_not_in_chat',
    `${JSON.stringify(query)} is not in this private chat, so a mention would not reach them.`,
    'Leave the mention out, or choose a chat that the person is in.',
    { mention: query, candidates: [candidateOf(person)] },
  );
}

function candidateOf(person: { guid: string; name?: string | undefined; hint?: string | undefined }): Record<string, unknown> {
  return { guid: person.guid, ...(person.name !== undefined && { name: person.name }), ...(person.hint !== undefined && { hint: person.hint }) };
}
