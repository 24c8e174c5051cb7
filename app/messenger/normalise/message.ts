/**
 * The one normaliser: every message, from history, message_info, search, threads or a live event, becomes a {@link Message} here.
 * It throws on no shape, invents nothing, and keeps what it does not know visible.
 */
import type { JsonObject } from '../../wire/index.ts';
import type { Attachment, Message } from '../model.ts';
import { textFlags } from '../text.ts';
import { isoFromMcs } from '../time.ts';
import { readClientMessage } from './body.ts';
import { mentionsOf, reactionsOf, readsOf, threadOf } from './enrich.ts';
import { booleanAt, mcsAt, numberAt, objectAt, stringAt } from './fields.ts';
import { referencesOf } from './forwarded.ts';
import { personOf } from './people.ts';

export interface NormaliseContext {
  /** My guid, for `from_me`. */
  readonly myGuid: string;
  readonly timeZone: string;
  isHidden(chatId: string): boolean;
  /** Web link of a message (protocol §1, B). */
  linkOf(chatId: string, messageId: string): string;
  /** Told every attachment seen, so that a download knows the file's name. */
  onAttachments?(attachments: readonly Attachment[]): void;
}

/** `ServerMessage` out of the shapes it travels in: wrapped (`Messages[]`, search items) or flat (live events, protocol §7). */
export function serverMessageOf(value: JsonObject): JsonObject {
  return objectAt(value, 'ServerMessage') ?? objectAt(objectAt(value, 'Message'), 'ServerMessage') ?? value;
}

/** Timestamp of a message in microseconds, as digits: its id. Undefined when it carries none, and then it cannot be told. */
export function messageIdOf(server: JsonObject): string | undefined {
  const { body } = readClientMessage(objectAt(server, 'ClientMessage'));
  return mcsAt(objectAt(server, 'ServerMessageInfo'), 'Timestamp') ?? mcsAt(body, 'Timestamp');
}

/** Timestamp of the predecessor; undefined when unknown, `'0'` for the first message of a chat (protocol §4, L). */
export function prevIdOf(server: JsonObject): string | undefined {
  const info = objectAt(server, 'ServerMessageInfo');
  return mcsAt(info, 'PrevTimestamp') ?? (numberAt(info, 'PrevTimestamp') === 0 ? '0' : undefined);
}

export function seqNoOf(server: JsonObject): number | undefined {
  return numberAt(objectAt(server, 'ServerMessageInfo'), 'SeqNo');
}

/** The chat a message says it stands in. */
export function chatIdOf(server: JsonObject): string | undefined {
  return stringAt(readClientMessage(objectAt(server, 'ClientMessage')).body, 'ChatId');
}

/**
 * @param server `ServerMessage` with its siblings
 * @param chatId the chat it was read from; the body's own wins where there is none
 * @returns undefined only for a message without a timestamp, which has no id
 */
export function normaliseMessage(server: JsonObject, chatId: string | undefined, context: NormaliseContext): Message | undefined {
  const id = messageIdOf(server);
  if (id === undefined) return undefined;
  const { timeZone } = context;
  const info = objectAt(server, 'ServerMessageInfo');
  const { body, parts } = readClientMessage(objectAt(server, 'ClientMessage'));
  const isDeleted = booleanAt(info, 'Deleted') === true;
  const homeChat = chatId ?? stringAt(body, 'ChatId') ?? '';
  const text = isDeleted ? undefined : parts.text;
  const editedMcs = mcsAt(info, 'LastEditTimestamp');
  const { reply, forwarded } = isDeleted ? { reply: undefined, forwarded: [] } : referencesOf(server, body, context);
  const flags = text === undefined ? [] : textFlags(text);
  const attachments = isDeleted ? [] : parts.attachments;
  const [seqNo, views, forwardCount] = [seqNoOf(server), numberAt(info, 'Views'), numberAt(info, 'ForwardCount')];
  context.onAttachments?.(attachments);
  return {
    id,
    ...(homeChat !== '' && { chat_id: homeChat }),
    timestamp: isoFromMcs(id, timeZone),
    timestamp_mcs: id,
    ...(seqNo !== undefined && { seq_no: seqNo }),
    from: authorOf(info),
    kind: isDeleted ? 'deleted' : parts.kind,
    ...(text !== undefined && { text }),
    ...(flags.length > 0 && { text_flags: flags }),
    attachments,
    ...(reply && { context: reply }),
    edited: editedMcs !== undefined,
    ...(editedMcs !== undefined && { edited_at: isoFromMcs(editedMcs, timeZone), edited_at_mcs: editedMcs }),
    deleted: isDeleted,
    from_me: isFromMe(info, context.myGuid),
    reads: readsOf(server, timeZone),
    mentions: isDeleted ? [] : mentionsOf(server, body, text),
    reactions: reactionsOf(server, timeZone),
    thread: threadOf(info, homeChat, id),
    forwarded,
    link: context.linkOf(homeChat, id),
    ...(isDeleted ? {} : parts.extras),
    ...(booleanAt(body, 'IsImportant') === true && { is_important: true }),
    ...(views !== undefined && { views }),
    ...(forwardCount !== undefined && forwardCount > 0 && { forward_count: forwardCount }),
  };
}

/** The author as shown: `CustomFrom` speaks for bots and channels and keeps the sender's guid (protocol §4, B). */
function authorOf(info: JsonObject | undefined): Message['from'] {
  const sender = personOf(objectAt(info, 'From'));
  const shown = personOf(objectAt(info, 'CustomFrom'));
  return sender || shown ? { ...shown, ...sender, ...(shown?.name !== undefined && { name: shown.name }) } : null;
}

/** Null when the author is unknown (a filter removes `From`): that is not "somebody else" (protocol §4, L). */
function isFromMe(info: JsonObject | undefined, myGuid: string): boolean | null {
  const guid = personOf(objectAt(info, 'From'))?.guid;
  return guid === undefined ? null : guid === myGuid;
}
