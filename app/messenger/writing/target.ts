import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { RawMessage } from '../api.ts';
import type { Json, JsonObject } from '../../wire/index.ts';

/** A message that a write refers to (edits, deletes, answers, forwards, votes in), as far as writing needs it (protocol §4, L). */
export interface TargetView {
  readonly messageId: string;
  /** `Plain` or `Ephemeral`; undefined for system messages and bodies we do not know. */
  readonly body: JsonObject | undefined;
  readonly isDeleted: boolean;
  readonly authorGuid: string | undefined;
  readonly authorName: string | undefined;
  /** The message's own text or caption; for a pure forward the original's. */
  readonly text: string;
  readonly attachments: readonly string[];
  readonly readsCount: number | undefined;
  readonly seqNo: number | undefined;
  /** Names of mentioned people, by guid. */
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
  const from = objectAt(info, 'CustomFrom') ?? objectAt(info, 'From');
  const own = body ?? {};
  const forwarded = forwardedBodies(raw.server);
  const isEmpty = textOf(own) === '' && attachmentsOf(own).length === 0;
  return {
    messageId: raw.timestampMcs,
    body,
    isDeleted: info['Deleted'] === true,
    authorGuid: stringAt(objectAt(info, 'From'), 'Guid'),
    authorName: stringAt(from, 'DisplayName'),
    text: isEmpty ? forwarded.map(textOf).filter(Boolean).join('\n') : textOf(own),
    attachments: [own, ...(isEmpty ? forwarded : [])].flatMap(attachmentsOf),
    readsCount: numberAt(raw.server, 'ReadsCount'),
    seqNo: numberAt(info, 'SeqNo'),
    namesBeside: namesBeside(raw.server),
    contentHash: hashOf(message, info),
  };
}

/** The poll in a body; undefined when there is none. */
export function pollOf(body: JsonObject | undefined): PollBody | undefined {
  const poll = objectAt(body, 'Poll');
  const answers = poll?.['Answers'];
  if (!poll || !Array.isArray(answers)) return undefined;
  return {
    title: stringAt(poll, 'Title') ?? '',
    answers: (answers as readonly Json[]).map((answer) => (typeof answer === 'string' ? answer : '')),
    maxChoices: numberAt(poll, 'MaxChoices') ?? answers.length,
    isAnonymous: poll['IsAnonymous'] === true,
  };
}

/** Guids in `MentionedUserIds`. */
export function mentionedGuidsOf(body: JsonObject | undefined): string[] {
  const guids = body?.['MentionedUserIds'];
  return Array.isArray(guids) ? (guids as readonly Json[]).filter((guid) => typeof guid === 'string') : [];
}

/** Names that stand beside a message: `MentionedUsers` (protocol §4, L). */
function namesBeside(server: JsonObject): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const people = server['MentionedUsers'];
  for (const person of Array.isArray(people) ? (people as readonly Json[]) : []) {
    const [guid, name] = [stringAt(person, 'Guid'), stringAt(person, 'DisplayName')];
    if (guid !== undefined && name !== undefined) names.set(guid, name);
  }
  return names;
}

/** Whether a body has a text that an edit may replace: a text message's, or a gallery's caption (protocol §4). */
export function isTextEditable(body: JsonObject | undefined): body is JsonObject {
  return objectAt(body, 'Text') !== undefined || objectAt(body, 'Gallery') !== undefined;
}

/** Text of a body: the message's own, a caption, a recognised voice, a poll's question. */
export function textOf(body: JsonObject): string {
  const gallery = objectAt(body, 'Gallery');
  return (
    stringAt(objectAt(body, 'Text'), 'MessageText') ??
    (gallery && (stringAt(gallery, 'Text') ?? stringAt(objectAt(gallery, 'Text'), 'MessageText'))) ??
    stringAt(objectAt(body, 'Voice'), 'Text') ??
    stringAt(objectAt(body, 'Poll'), 'Title') ??
    ''
  );
}

function attachmentsOf(body: JsonObject): string[] {
  const items = objectAt(body, 'Gallery')?.['Items'];
  const files = [
    objectAt(body, 'Image'),
    objectAt(body, 'MiscFile'),
    ...(Array.isArray(items) ? (items as readonly Json[]).map((item) => objectAt(item, 'Image')) : []),
  ].filter((file) => file !== undefined);
  const names = files.map((file) => stringAt(objectAt(file, 'FileInfo'), 'Name') ?? 'file');
  if (objectAt(body, 'Voice')) names.push('voice');
  if (objectAt(body, 'Sticker')) names.push('sticker');
  return names;
}

function forwardedBodies(server: JsonObject): JsonObject[] {
  const forwarded = server['ForwardedMessages'];
  return Array.isArray(forwarded) ? (forwarded as readonly Json[]).map((element) => objectAt(element, 'Payload') ?? {}) : [];
}

/**
 * Votes change a poll's body and reactions or reads may raise `Version`, neither of which is a change of what the person saw;
 * so the hash takes the body without a poll's counts, the edit time and the deletion mark, and not the version.
 */
function hashOf(message: JsonObject, info: JsonObject): string {
  const poll = objectAt(objectAt(message, 'Plain'), 'Poll');
  const { MyChoices: _mine, Results: _results, ...question } = poll ?? {};
  const plain = objectAt(message, 'Plain');
  const content = poll ? { ...message, Plain: { ...plain, Poll: question } } : message;
  const { LogData: _log, ...stable } = content as JsonObject;
  return createHash('sha256')
    .update(canonicalize([stable, numberAt(info, 'LastEditTimestamp') ?? 0, info['Deleted'] === true]) ?? '')
    .digest('hex');
}

export function objectAt(value: Json | undefined, key: string): JsonObject | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : undefined;
}

export function stringAt(value: Json | undefined, key: string): string | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === 'string' && member !== '' ? member : undefined;
}

export function numberAt(value: Json | undefined, key: string): number | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === 'number' ? member : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
