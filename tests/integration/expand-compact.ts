import { isoFromMcs } from '../../app/messenger/time.ts';
import { MENTION_TOKEN, parseThreadId, threadIdOf } from '../../app/messenger/ids.ts';
import type { Answer } from './support.ts';

/**
 * Rebuilds the full messages from a compact page with nothing but what the description of get_history says about absent keys.
 * What this cannot rebuild would be a lost fact.
 */
export function expandCompact(page: Answer, myGuid: string, timeZone: string): Answer[] {
  const people: Record<string, string> = page['people'] ?? {};
  const guidOf = (name: string) => Object.keys(people).find((guid) => people[guid] === name);
  const person = (short: Answer | null | undefined): Answer | null => {
    if (!short) return null;
    const guid = short['guid'] ?? (short['name'] === undefined ? undefined : guidOf(short['name']));
    const name = short['name'] ?? (guid === undefined ? undefined : people[guid]);
    return { ...(guid !== undefined && { guid }), ...(name !== undefined && { name }) };
  };
  // An exact time holds its microseconds as its fraction.
  const moment = (exact: string | undefined): Answer => {
    if (exact === undefined) return {};
    const [seconds, micros] = [exact.replace(/\.\d+/, ''), /\.(\d{6})/.exec(exact)![1]!];
    const mcs = `${Date.parse(seconds) / 1000}${micros}`;
    return { timestamp: isoFromMcs(mcs, timeZone), timestamp_mcs: mcs };
  };
  let previousRecent: Answer[] | undefined;

  return (page['messages'] as Answer[]).map((short) => {
    const {
      id,
      timestamp: _seconds,
      from_me: fromMe,
      from,
      edited_at_mcs: editedMcs,
      edited_at: _edited,
      reads,
      mentions,
      reactions,
      thread,
      forwarded,
      context,
      ...rest
    } = short;
    const chatId: string = short['chat_id'] ?? page['chat_id'];
    const parent = parseThreadId(chatId);
    const named: string[] = [...((short['text'] as string | undefined) ?? '').matchAll(MENTION_TOKEN)].map((match) => match[1]!);
    const inText = [...new Set(named)].map((guid) => (people[guid] === undefined ? { guid, unresolved: true } : { guid, name: people[guid] }));
    const expandedReads = expandReads(reads);
    previousRecent = expandedReads['recent'];
    return {
      ...rest,
      id,
      chat_id: chatId,
      timestamp: isoFromMcs(id, timeZone),
      timestamp_mcs: id,
      from: fromMe === true ? { guid: myGuid, name: people[myGuid] } : person(from),
      from_me: fromMe === undefined ? false : fromMe,
      kind: short['kind'] ?? 'text',
      attachments: short['attachments'] ?? [],
      ...(context && {
        context: {
          is_reply: context.is_reply ?? true,
          refs: (context.refs ?? []).map((ref: Answer) => ({ chat_id: chatId, ...ref })),
          quotes: context.quotes ?? [],
        },
      }),
      edited: editedMcs !== undefined,
      ...(editedMcs !== undefined && { edited_at: isoFromMcs(editedMcs, timeZone), edited_at_mcs: editedMcs }),
      deleted: short['kind'] === 'deleted',
      reads: expandedReads,
      mentions: [...(mentions ?? []), ...inText],
      reactions: (reactions ?? []).map((reaction: Answer) => {
        const actors = (reaction['actors'] ?? []).map((actor: Answer) => ({ ...person(actor), ...moment(actor['timestamp']) }));
        return {
          name: null,
          emoji: null,
          ...reaction,
          count: reaction['count'] ?? actors.length,
          actors,
          actors_complete: reaction['actors_complete'] ?? true,
        };
      }),
      thread: {
        has_thread: thread !== undefined,
        ...(thread && { thread_id: threadIdOf(chatId, id), last_seq_no: thread.last_seq_no }),
        ...(parent && { root: { chat_id: parent.parentChatId, timestamp_mcs: parent.parentMessageId } }),
      },
      forwarded: (forwarded ?? []).map((each: Answer) => ({
        kind: 'text',
        attachments: [],
        ...each,
        source_author: person(each['source_author']),
        ...(each['source_date_mcs'] !== undefined && { source_date: isoFromMcs(each['source_date_mcs'], timeZone) }),
      })),
      link: (page['link_template'] as string).replace('{id}', id),
    };
  });

  function expandReads(reads: Answer | undefined): Answer {
    const seen = reads?.['seen_by_partner_mcs'] ?? page['seen_by_partner_mcs'];
    if (!reads && seen === undefined) return { tracked: false };
    const recent = reads?.['recent']
      ? reads['recent'].map((entry: Answer) => ({ actor: person(entry['actor']), ...moment(entry['timestamp']) }))
      : reads?.['count'] === 0
        ? []
        : reads?.['count'] === undefined
          ? undefined
          : previousRecent;
    return {
      tracked: true,
      ...(reads?.['count'] !== undefined && { count: reads['count'] }),
      ...(recent !== undefined && { recent }),
      ...(seen !== undefined && { seen_by_partner: isoFromMcs(seen, timeZone), seen_by_partner_mcs: seen }),
    };
  }
}
