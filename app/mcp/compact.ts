/**
 * `detail:"compact"`: the full message without what is empty, what repeats, and what follows from the rest of the page. No fact is lost;
 * what a missing key means stands in {@link COMPACT_MEANING}, which the description of get_history carries.
 */
import type { Actor, Forwarded, Message, Person, Reaction, Reads } from '../messenger/model.ts';
import { MENTION_TOKEN } from '../messenger/ids.ts';

/** What absence means in a compact page, told by get_history. */
export const COMPACT_MEANING =
  'detail:"compact" (default) leaves out, per message: timestamp_mcs (= id), chat_id (= the page\'s), link (link_template with the id), kind when "text", from when from_me is true, ' +
  "from_me when false, edited and deleted when false, empty lists, reads when not tracked or when the page's seen_by_partner_mcs holds, reads.recent when it is the same as of the message before, thread when there is none " +
  '(else open it with get_thread and this id), mentions that stand in the text as @<guid> (names in people; a guid not there is unresolved), count and actors_complete when the actors are all there. ' +
  'People are told by name and people maps guid to name; one whose name is not unique on the page is told by guid. Times are cut to seconds where the exact microseconds stand beside them. detail:"full" spells everything out.';

/** The same for every other tool: their descriptions stand in a model's context together, so the meaning is told once. */
export const COMPACT_AS_IN_HISTORY = 'detail as in get_history.';

export interface CompactPage {
  readonly messages: readonly Record<string, unknown>[];
  /** guid → name of everybody on the page. */
  readonly people: Readonly<Record<string, string>>;
  /** The partner of a private chat has seen everything up to this message. */
  readonly seenByPartnerMcs: string | undefined;
}

/** Makes the messages of one page compact. `chatId` is what the page says once; undefined keeps each message's own. */
export function compactPage(messages: readonly Message[], chatId: string | undefined): CompactPage {
  const people = peopleOf(messages);
  const seen = messages.map((message) => message.reads.seen_by_partner_mcs);
  const seenByPartnerMcs = seen.length > 0 && seen.every((each) => each === seen[0]) ? seen[0] : undefined;
  const label = labeller(people);
  return {
    messages: messages.map((message, index) => compactMessage(message, { chatId, seenByPartnerMcs, label, people, previous: messages[index - 1] })),
    people: Object.fromEntries(people),
    seenByPartnerMcs,
  };
}

type Label = (person: Person) => Person;

interface PageFacts {
  readonly chatId: string | undefined;
  readonly seenByPartnerMcs: string | undefined;
  readonly label: Label;
  readonly people: ReadonlyMap<string, string>;
  readonly previous: Message | undefined;
}

function compactMessage(message: Message, page: PageFacts): Record<string, unknown> {
  const {
    id,
    chat_id: chatId,
    timestamp,
    timestamp_mcs: _mcs,
    from,
    from_me: fromMe,
    kind,
    attachments,
    context,
    edited: _edited,
    edited_at: editedAt,
    edited_at_mcs: editedAtMcs,
    deleted: _deleted,
    reads,
    mentions: _mentions,
    reactions,
    thread,
    forwarded,
    link: _link,
    ...rest
  } = message;
  const compactReads = readsOf(reads, page);
  const untold = mentionsNotInText(message, page.people);
  return {
    id,
    ...(chatId !== page.chatId && { chat_id: chatId }),
    timestamp: toSeconds(timestamp),
    ...(fromMe === true ? { from_me: true } : { from: from && page.label(from), ...(fromMe === null && { from_me: null }) }),
    ...(kind !== 'text' && { kind }),
    ...rest,
    ...(attachments.length > 0 && { attachments }),
    ...(context && {
      context: {
        ...(!context.is_reply && { is_reply: false }),
        ...(context.refs.length > 0 && {
          refs: context.refs.map((ref) => ({
            ...(ref.chat_id !== undefined && ref.chat_id !== chatId && { chat_id: ref.chat_id }),
            timestamp_mcs: ref.timestamp_mcs,
          })),
        }),
        ...(context.quotes.length > 0 && { quotes: context.quotes }),
      },
    }),
    ...(editedAt !== undefined && { edited_at: toSeconds(editedAt), edited_at_mcs: editedAtMcs }),
    ...(compactReads && { reads: compactReads }),
    ...(untold.length > 0 && { mentions: untold }),
    ...(reactions.length > 0 && { reactions: reactions.map((reaction) => compactReaction(reaction, page.label)) }),
    ...(thread.has_thread && { thread: { has_thread: true, ...(thread.last_seq_no !== undefined && { last_seq_no: thread.last_seq_no }) } }),
    ...(forwarded.length > 0 && { forwarded: forwarded.map((each) => compactForwarded(each, page.label)) }),
  };
}

function readsOf(reads: Reads, page: PageFacts): Record<string, unknown> | undefined {
  if (!reads.tracked) return undefined;
  const { count, recent, seen_by_partner: seenAt, seen_by_partner_mcs: seenMcs } = reads;
  // One reader's marker covers many messages: a list that only repeats is told once.
  const isSameList = recent !== undefined && recent.length > 0 && JSON.stringify(recent) === JSON.stringify(page.previous?.reads.recent);
  const own = {
    ...(count !== undefined && { count }),
    ...(recent &&
      !isSameList &&
      (count !== 0 || recent.length > 0) && { recent: recent.map(({ actor, ...moment }) => ({ actor: page.label(actor), ...exactTime(moment) })) }),
    ...(seenMcs !== undefined &&
      seenMcs !== page.seenByPartnerMcs && { ...(seenAt !== undefined && { seen_by_partner: toSeconds(seenAt) }), seen_by_partner_mcs: seenMcs }),
  };
  if (Object.keys(own).length > 0) return own;
  return seenMcs === undefined ? { tracked: true } : undefined;
}

function compactReaction(reaction: Reaction, label: Label): Record<string, unknown> {
  const { type, name, emoji, unknown, count, actors = [], actors_complete: isComplete } = reaction;
  return {
    type,
    ...(unknown ? { unknown: true } : { name, emoji }),
    ...(!isComplete && { ...(count !== undefined && { count }), actors_complete: false }),
    ...(actors.length > 0 && { actors: actors.map((actor) => compactActor(actor, label)) }),
  };
}

function compactActor({ guid, name, ...moment }: Actor, label: Label): Record<string, unknown> {
  return { ...label({ ...(guid !== undefined && { guid }), ...(name !== undefined && { name }) }), ...exactTime(moment) };
}

function compactForwarded(forwarded: Forwarded, label: Label): Record<string, unknown> {
  const { source_author: author, source_date: date, kind, attachments, ...rest } = forwarded;
  return {
    source_author: author && label(author),
    ...(date !== undefined && { source_date: toSeconds(date) }),
    ...rest,
    ...(kind !== 'text' && { kind }),
    ...(attachments.length > 0 && { attachments }),
  };
}

/** Mentions whose token the text does not hold, so that neither text nor `people` tell them. */
function mentionsNotInText(message: Message, people: ReadonlyMap<string, string>): Message['mentions'] {
  const inText = new Set([...(message.text ?? '').matchAll(MENTION_TOKEN)].map((match) => match[1]));
  return message.mentions.filter((mention) => !inText.has(mention.guid) || (mention.unresolved === true && people.has(mention.guid)));
}

/** Everybody a page names. */
function peopleOf(messages: readonly Message[]): Map<string, string> {
  const people = new Map<string, string>();
  const add = (person: Person | null | undefined) => {
    if (person?.guid !== undefined && person.name !== undefined && !people.has(person.guid)) people.set(person.guid, person.name);
  };
  for (const message of messages) {
    add(message.from);
    message.mentions.forEach(add);
    message.reads.recent?.forEach(({ actor }) => add(actor));
    message.reactions.forEach(({ actors }) => actors?.forEach(add));
    message.forwarded.forEach(({ source_author: author }) => add(author));
  }
  return people;
}

/** A person by name where that is enough on this page, else by guid; somebody shown under another name than in `people` keeps both. */
function labeller(people: ReadonlyMap<string, string>): Label {
  const bearers = new Map<string, number>();
  for (const name of people.values()) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  return ({ guid, name }) => {
    if (guid === undefined || name === undefined) return { ...(guid !== undefined && { guid }), ...(name !== undefined && { name }) };
    if (people.get(guid) !== name) return { guid, name };
    return bearers.get(name) === 1 ? { name } : { guid };
  };
}

/** ISO time without its fraction of a second. */
export function toSeconds(iso: string): string {
  return iso.replace(/\.\d+(?=Z|[+-])/, '');
}

/** One time in one string, exact to the microsecond: the ISO time with the digits of `timestamp_mcs`. */
function exactTime(moment: Record<string, unknown>): Record<string, unknown> {
  const { timestamp, timestamp_mcs: mcs, ...rest } = moment;
  if (typeof timestamp !== 'string' || typeof mcs !== 'string') return { ...moment };
  return { ...rest, timestamp: toSeconds(timestamp).replace(/(?=Z$|[+-]\d\d:\d\d$)/, `.${mcs.slice(-6)}`) };
}
