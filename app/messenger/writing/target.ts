import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from '../../wire/index.ts';
import type { RawMessage } from '../api.ts';
import { pollOf as pollFields, readBody, readClientMessage } from '../normalise/body.ts';
import { arrayAt, numberAt, objectAt, objectsAt, stringAt } from '../normalise/fields.ts';
import { seqNoOf } from '../normalise/message.ts';

/** A message that a write refers to (edits, deletes, answers, forwards, votes in), as far as writing needs it (protocol §4, L). */
export interface TargetView {
  readonly messageId: string;
  /** `Plain` or `Ephemeral`; undefined for system messages and bodies we do not know. */
  readonly body: JsonObject | undefined;
  readonly isDeleted: boolean;
  readonly authorGuid: string | undefined;
  readonly authorName: string | undefined;
  /** The message's own text or caption, a poll's question; for a pure forward the original's. */
  readonly text: string;
  readonly attachments: readonly string[];
  readonly readsCount: number | undefined;
  readonly seqNo: number | undefined;
  /** Names of mentioned people, by guid: `MentionedUsers`. */
  readonly namesBeside: ReadonlyMap<string, string>;
  /** Changes when the content does: the body and the time of the last edit. */
  readonly contentHash: string;
}

export interface PollBody {
  readonly title: string;
  readonly answers: readonly string[];
  readonly maxChoices: number;
  readonly isAnonymous: boolean;
}

/** Takes a raw message apart. Never throws: what is not there is empty. */
export function viewOf(raw: RawMessage): TargetView {
  const info = objectAt(raw.server, 'ServerMessageInfo') ?? {};
  const message = objectAt(raw.server, 'ClientMessage') ?? {};
  const body = objectAt(message, 'Plain') ?? objectAt(message, 'Ephemeral');
  const own = readClientMessage(message).parts;
  const isPureForward = body !== undefined && own.kind === 'unknown';
  const shown = isPureForward ? objectsAt(raw.server, 'ForwardedMessages').map((original) => readBody(objectAt(original, 'Payload') ?? {})) : [own];
  return {
    messageId: raw.timestampMcs,
    body,
    isDeleted: info['Deleted'] === true,
    authorGuid: stringAt(objectAt(info, 'From'), 'Guid'),
    authorName: stringAt(objectAt(info, 'CustomFrom') ?? objectAt(info, 'From'), 'DisplayName'),
    text: shown
      .map((parts) => parts.text ?? parts.extras.poll?.title ?? '')
      .filter(Boolean)
      .join('\n'),
    attachments: shown.flatMap((parts) => [...parts.attachments.map((file) => file.name ?? file.kind), ...(parts.kind === 'sticker' ? ['sticker'] : [])]),
    readsCount: numberAt(raw.server, 'ReadsCount'),
    seqNo: seqNoOf(raw.server),
    namesBeside: namesBeside(raw.server),
    contentHash: hashOf(message, info),
  };
}

/** The poll in a body; undefined when there is none. */
export function pollOf(body: JsonObject | undefined): PollBody | undefined {
  const content = objectAt(body, 'Poll');
  if (!content) return undefined;
  const { title = '', answers, max_choices: maxChoices = answers.length, is_anonymous: isAnonymous } = pollFields(content);
  return { title, answers, maxChoices, isAnonymous };
}

/** Guids the message mentions: `MentionedUserIds` of its body, or, where the server leaves those out, its sibling `MentionedUsers` (L). */
export function mentionedGuidsOf({ body, namesBeside }: TargetView): string[] {
  const own = arrayAt(body, 'MentionedUserIds').filter((guid) => typeof guid === 'string');
  return own.length > 0 ? own : [...namesBeside.keys()];
}

/** Whether a body has a text that an edit may replace: a text message's, or a gallery's caption (protocol §4). */
export function isTextEditable(body: JsonObject | undefined): body is JsonObject {
  return objectAt(body, 'Text') !== undefined || objectAt(body, 'Gallery') !== undefined;
}

/** The text an edit would replace. */
export function editableTextOf(body: JsonObject): string {
  return readBody(body).text ?? '';
}

function namesBeside(server: JsonObject): ReadonlyMap<string, string> {
  const people = objectsAt(server, 'MentionedUsers').map((person) => [stringAt(person, 'Guid'), stringAt(person, 'DisplayName')] as const);
  return new Map(people.filter((pair): pair is readonly [string, string] => pair[0] !== undefined && pair[1] !== undefined));
}

/**
 * Votes change a poll's body and reactions or reads may raise `Version`, neither of which is a change of what the person saw;
 * so the hash takes the body without a poll's counts, the edit time and the deletion mark, and not the version.
 */
function hashOf(message: JsonObject, info: JsonObject): string {
  const { LogData: _log, ...stable } = message;
  const plain = objectAt(message, 'Plain');
  const poll = objectAt(plain, 'Poll');
  const { MyChoices: _mine, Results: _results, ...question } = poll ?? {};
  const content = poll ? { ...stable, Plain: { ...plain, Poll: question } } : stable;
  return createHash('sha256')
    .update(canonicalize([content, numberAt(info, 'LastEditTimestamp') ?? 0, info['Deleted'] === true]) ?? '')
    .digest('hex');
}
