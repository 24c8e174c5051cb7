import { isJsonObject, mcsToJson, objectAt, type Json, type JsonObject } from '../../wire/index.ts';

/**
 * The variants of ClientMessage (protocol §6, table), as pure functions. Whatever is optional there is left out when empty.
 * A `messageId` is a timestamp in microseconds and travels as a JSON integer.
 */

export interface MessageRef {
  readonly chatId: string;
  readonly messageId: string;
}

/** FileInfo of something uploaded; `Source` 1 is Yandex Disk, where the three steps put it (protocol §4, §6, B). */
export interface UploadedFile {
  readonly fileId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly kind: 'image' | 'file';
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export interface NewMessage {
  readonly chatId: string;
  readonly payloadId: string;
  readonly text?: string | undefined;
  readonly mentionedGuids?: readonly string[];
  readonly reply?: MessageRef & { readonly quote: string };
  readonly forward?: MessageRef;
  readonly file?: UploadedFile;
  readonly poll?: { readonly title: string; readonly answers: readonly string[]; readonly isAnonymous: boolean; readonly isMultiple: boolean };
}

/** Text, reply, forward, file or poll as a new message. Grades: text, mention, reply, poll L; forward and file B. */
export function newMessage(message: NewMessage): JsonObject {
  const { chatId, payloadId, text, mentionedGuids = [], reply, forward, file, poll } = message;
  const refs = [reply, forward].filter((ref) => ref !== undefined).map((ref) => ({ ChatId: ref.chatId, Timestamp: mcsToJson(ref.messageId) }));
  return {
    Plain: {
      ChatId: chatId,
      PayloadId: payloadId,
      ...(text !== undefined && text !== '' && { Text: { MessageText: text } }),
      ...(file && fileContent(file)),
      ...(poll && {
        Poll: { Title: poll.title, Answers: [...poll.answers], IsAnonymous: poll.isAnonymous, MaxChoices: poll.isMultiple ? poll.answers.length : 1 },
      }),
      ...(mentionedGuids.length > 0 && { MentionedUserIds: [...mentionedGuids] }),
      ...(refs.length > 0 && { ForwardedMessageRefs: refs }),
      ...(reply && { ForwardedMessageStyles: [{ Quote: reply.quote }] }),
    },
  };
}

function fileContent(file: UploadedFile): JsonObject {
  const info = { Id2: file.fileId, Name: file.name, Size: file.sizeBytes, Source: 1 };
  if (file.kind === 'file') return { MiscFile: { FileInfo: info } };
  const hasSize = file.width !== undefined && file.height !== undefined;
  return { Image: { ...(hasSize && { Width: file.width, Height: file.height }), FileInfo: info } };
}

/** Body keys that the server makes and a rewrite must not send back. */
const NOT_RESENT = new Set(['ChatId', 'PayloadId', 'Timestamp', 'MentionedUserIds', 'Text', 'Gallery']);

/**
 * An edit: the whole body again with a new text, under the old timestamp (protocol §6, L; mentions not sent again are lost).
 * Everything else the body holds (references, styles, importance) is kept as it was read.
 * @param body the target's `Plain` as read; its text stands in `Text` or, for a gallery, as the caption.
 */
export function editedMessage(edit: {
  chatId: string;
  messageId: string;
  payloadId: string;
  body: JsonObject;
  text: string;
  mentionedGuids: readonly string[];
}): JsonObject {
  const { chatId, messageId, payloadId, body, text, mentionedGuids } = edit;
  const kept = Object.fromEntries(Object.entries(body).filter(([key]) => !NOT_RESENT.has(key)));
  const gallery = objectAt(body, 'Gallery');
  return {
    Plain: {
      ...kept,
      ChatId: chatId,
      // A PayloadId of its own: the original's could be taken for a repeat of the original message and change nothing.
      PayloadId: payloadId,
      Timestamp: mcsToJson(messageId),
      ...(gallery ? { Gallery: { ...gallery, Text: captionLike(gallery['Text'], text) } } : { Text: { ...objectAt(body, 'Text'), MessageText: text } }),
      ...(mentionedGuids.length > 0 && { MentionedUserIds: [...mentionedGuids] }),
    },
  };
}

/** A caption in the form it was read in: a bare string or an object with MessageText (the page does not say which, B). */
function captionLike(before: Json | undefined, text: string): Json {
  return isJsonObject(before) ? { ...before, MessageText: text } : text;
}

/** A deletion: ChatId and Timestamp and nothing else (L). */
export function deletion(chatId: string, messageId: string): JsonObject {
  return { Plain: { ChatId: chatId, Timestamp: mcsToJson(messageId) } };
}

/** `Action` 1 removes; without it the server adds (L). */
export function reaction(chatId: string, messageId: string, type: number, isRemoval: boolean): JsonObject {
  return { Reaction: { ChatId: chatId, Timestamp: mcsToJson(messageId), Type: type, ...(isRemoval && { Action: 1 }) } };
}

/** Marks read up to a message (L). */
export function seenMarker(chatId: string, messageId: string, seqNo: number | undefined): JsonObject {
  return { SeenMarker: { ChatId: chatId, Timestamp: mcsToJson(messageId), ...(seqNo !== undefined && { SeqNo: seqNo }) } };
}

/** Pins a message; without one, unpins (L). */
export function pin(chatId: string, messageId: string | undefined): JsonObject {
  return { Pin: { ChatId: chatId, ...(messageId !== undefined && { Timestamp: mcsToJson(messageId) }) } };
}

/** The full set of choices, 0-based; replaces an earlier vote (L). */
export function vote(chatId: string, messageId: string, choices: readonly number[]): JsonObject {
  return { Vote: { ChatId: chatId, Timestamp: mcsToJson(messageId), Action: 0, Choices: [...choices] } };
}
