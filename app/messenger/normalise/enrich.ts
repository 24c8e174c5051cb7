/** The siblings of a message (protocol §4): reads, reactions, mentions, thread. Each is absent when there is nothing to show. */
import type { JsonObject } from '../../wire/index.ts';
import { MENTION_TOKEN, parseThreadId, threadIdOf } from '../ids.ts';
import type { Actor, Mention, Reaction, ReadEntry, Reads } from '../model.ts';
import { describeReactionType } from '../reactions.ts';
import { isoFromMcs } from '../time.ts';
import { arrayAt, mcsAt, numberAt, objectAt, objectsAt } from './fields.ts';
import { actorOf, momentOf, personOf } from './people.ts';

/** Absent read keys mean "not tracked", not "nobody" (protocol §4, L). */
export function readsOf(server: JsonObject, timeZone: string): Reads {
  const count = numberAt(server, 'ReadsCount');
  const partnerMcs = mcsAt(server, 'SeenByPartnerMcs');
  const hasRecent = Array.isArray(server['RecentUserReads']);
  const tracked = count !== undefined || hasRecent || (server['SeenByPartnerMcs'] ?? undefined) !== undefined;
  if (!tracked) return { tracked: false };
  return {
    tracked: true,
    ...(count !== undefined && { count }),
    ...(hasRecent && { recent: readEntriesOf(objectsAt(server, 'RecentUserReads'), timeZone) }),
    ...(partnerMcs !== undefined && { seen_by_partner: isoFromMcs(partnerMcs, timeZone), seen_by_partner_mcs: partnerMcs }),
  };
}

export function readEntriesOf(entries: readonly JsonObject[], timeZone: string): ReadEntry[] {
  return entries.map((entry) => ({ actor: personOf(objectAt(entry, 'UserInfo')) ?? {}, ...momentOf(entry, timeZone) }));
}

/** Reactions grouped by type. The sibling list of actors may be cut (3 of 10 seen live), which `actors_complete` tells. */
export function reactionsOf(server: JsonObject, timeZone: string): Reaction[] {
  const actors = actorsByType(objectsAt(server, 'RecentUserReactions'), timeZone);
  const counts = new Map<number, number | undefined>();
  for (const entry of objectsAt(server, 'Reactions')) {
    const type = numberAt(entry, 'Type');
    if (type !== undefined) counts.set(type, numberAt(entry, 'Count'));
  }
  for (const type of actors.keys()) if (!counts.has(type)) counts.set(type, undefined);
  return [...counts].map(([type, count]) => {
    const known = actors.get(type) ?? [];
    return {
      ...describeReactionType(type),
      ...(count !== undefined && { count }),
      actors: known,
      actors_complete: count !== undefined && known.length >= count,
    };
  });
}

/** `UserReactions[{Type,Timestamp,UserInfo}]` by type, in the server's order. */
export function actorsByType(entries: readonly JsonObject[], timeZone: string): Map<number, Actor[]> {
  const byType = new Map<number, Actor[]>();
  for (const entry of entries) {
    const type = numberAt(entry, 'Type');
    if (type === undefined) continue;
    const actors = byType.get(type) ?? [];
    actors.push(actorOf(entry, timeZone));
    byType.set(type, actors);
  }
  return byType;
}

/** Everybody mentioned, by the body's list and by the tokens in the text; a guid nobody named stays `unresolved`. */
export function mentionsOf(server: JsonObject, body: JsonObject | undefined, text: string | undefined): Mention[] {
  const guids = new Set<string>();
  for (const guid of arrayAt(body, 'MentionedUserIds')) if (typeof guid === 'string' && guid !== '') guids.add(guid.toLowerCase());
  for (const match of (text ?? '').matchAll(MENTION_TOKEN)) guids.add(match[1]!);
  const names = namesIn(server);
  return [...guids].map((guid) => {
    const name = names.get(guid);
    return name === undefined ? { guid, unresolved: true } : { guid, name };
  });
}

function namesIn(server: JsonObject): Map<string, string> {
  const names = new Map<string, string>();
  for (const info of [...objectsAt(server, 'Users'), ...objectsAt(server, 'MentionedUsers')]) {
    const person = personOf(info);
    if (person?.guid !== undefined && person.name !== undefined) names.set(person.guid, person.name);
  }
  return names;
}

/** Whether a thread hangs on the message (`ThreadState`, L), and for a message inside a thread what it hangs on (from the ChatId, B). */
export function threadOf(info: JsonObject | undefined, chatId: string, messageId: string) {
  const state = objectAt(info, 'ThreadState');
  const lastSeqNo = numberAt(state, 'LastSeqNo');
  const hasThread = state !== undefined && lastSeqNo !== 0;
  const threadId = hasThread ? threadIdOf(chatId, messageId) : undefined;
  const parent = parseThreadId(chatId);
  return {
    has_thread: hasThread,
    ...(threadId !== undefined && { thread_id: threadId }),
    ...(hasThread && lastSeqNo !== undefined && { last_seq_no: lastSeqNo }),
    ...(parent && { root: { chat_id: parent.parentChatId, timestamp_mcs: parent.parentMessageId } }),
  };
}
