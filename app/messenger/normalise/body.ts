/** The body of a message (protocol §4, "Bodies"): what kind it is, its text and its attachments. Unknown content stays visible. */
import type { JsonObject } from '../../wire/index.ts';
import type { Attachment, MessageKind } from '../model.ts';
import { arrayAt, booleanAt, isJsonObject, numberAt, numbersAt, objectAt, objectsAt, stringAt, textAt } from './fields.ts';

export interface BodyParts {
  readonly kind: MessageKind;
  readonly text: string | undefined;
  readonly attachments: Attachment[];
  /** Keys of the message that only this kind has: `sticker`, `poll`, `card`, `system`, `unknown_fields`. */
  readonly extras: {
    sticker?: { id?: string; set_id?: string };
    poll?: { title?: string; answers: string[]; max_choices?: number; is_anonymous: boolean; my_choices?: number[] };
    card?: unknown;
    system?: { type: string };
    unknown_fields?: string[];
  };
}

/** Fields of a body that are not content. */
const ENVELOPE_FIELDS = new Set([
  'ChatId',
  'PayloadId',
  'Timestamp',
  'MentionedUserIds',
  'ForwardedMessageRefs',
  'ForwardedMessageStyles',
  'IsImportant',
  'UrlPreviewDisabled',
  'CustomPayload',
]);

type Reader = (content: JsonObject) => BodyParts;

/** Content field → how to read it (protocol §4; Image, MiscFile and Gallery seen live, Voice B). */
const READERS: Readonly<Record<string, Reader>> = {
  Text: (content) => {
    const card = content['Card'];
    return parts('text', { text: textAt(content, 'MessageText'), extras: card === undefined || card === null ? {} : { card } });
  },
  Sticker: (content) => {
    const [id, setId] = [idAt(content, 'Id'), idAt(content, 'SetId')];
    return parts('sticker', { extras: { sticker: { ...(id !== undefined && { id }), ...(setId !== undefined && { set_id: setId }) } } });
  },
  Image: (content) => parts('image', { attachments: [imageAttachment('image', content)] }),
  MiscFile: (content) => {
    const video = objectAt(objectAt(content, 'PreviewHint'), 'VideoPreview');
    return parts('file', {
      attachments: [{ ...fileAttachment('file', content), ...dimensionsOf(video), ...optional('duration_ms', numberAt(video, 'DurationMs')) }],
    });
  },
  Card: (content) => parts('card', { extras: { card: content['Card'] ?? content } }),
  Gallery: (content) =>
    parts('gallery', {
      text: looseText(content['Text']),
      attachments: objectsAt(content, 'Items').map((item) => imageAttachment('gallery_image', objectAt(item, 'Image') ?? item)),
    }),
  Voice: (content) =>
    parts('voice', {
      text: looseText(content['Text']),
      attachments: [
        {
          ...fileAttachment('voice', content),
          ...optional('duration', numberAt(content, 'Duration')),
          ...optional('recognized', booleanAt(content, 'WasRecognized')),
        },
      ],
    }),
  Poll: (content) => parts('poll', { extras: { poll: pollOf(content) } }),
};

/** Reads what stands inside `Plain`, `Ephemeral` or a forwarded `Payload`. */
export function readBody(body: JsonObject): BodyParts {
  for (const [field, read] of Object.entries(READERS)) {
    const content = objectAt(body, field);
    if (content) {
      const known = read(content);
      const others = unknownFields(body);
      return others.length === 0 ? known : { ...known, extras: { ...known.extras, unknown_fields: others } };
    }
  }
  const others = unknownFields(body);
  return parts('unknown', { extras: others.length === 0 ? {} : { unknown_fields: others } });
}

/** Reads `ClientMessage`: exactly one variant, of which three carry a body a person sees. */
export function readClientMessage(clientMessage: JsonObject | undefined): { body: JsonObject | undefined; parts: BodyParts } {
  const system = objectAt(clientMessage, 'SystemMessage');
  if (system) return { body: system, parts: systemParts(system) };
  const body = objectAt(clientMessage, 'Plain') ?? objectAt(clientMessage, 'Ephemeral');
  if (body) return { body, parts: readBody(body) };
  const variants = Object.keys(clientMessage ?? {}).filter((key) => key !== 'LogData');
  return { body: undefined, parts: parts('unknown', { extras: variants.length === 0 ? {} : { unknown_fields: variants } }) };
}

/** System messages: one variant each (protocol §4, B); its data is given as the server gave it. */
function systemParts(system: JsonObject): BodyParts {
  const variants = Object.keys(system).filter((key) => !ENVELOPE_FIELDS.has(key));
  const type = variants[0] ?? 'unknown';
  const data = system[type];
  const text = objectAt(system, 'GenericMessage') ? textAt(objectAt(system, 'GenericMessage'), 'MessageText') : undefined;
  return parts('system', { text, extras: { system: { type, ...(data !== undefined && text === undefined && { data }) } as { type: string } } });
}

/** A poll's question and options (protocol §4, L); who voted is told by `poll_info`. */
export function pollOf(content: JsonObject): NonNullable<BodyParts['extras']['poll']> {
  const title = textAt(content, 'Title');
  const myChoices = numbersAt(content, 'MyChoices');
  return {
    ...optional('title', title),
    answers: arrayAt(content, 'Answers').map((answer) => (typeof answer === 'string' ? answer : (looseText(answer) ?? ''))),
    ...optional('max_choices', numberAt(content, 'MaxChoices')),
    is_anonymous: booleanAt(content, 'IsAnonymous') ?? false,
    ...(myChoices.length > 0 && { my_choices: myChoices }),
  };
}

function unknownFields(body: JsonObject): string[] {
  return Object.keys(body).filter((key) => !ENVELOPE_FIELDS.has(key) && !(key in READERS));
}

function parts(kind: MessageKind, rest: Partial<Omit<BodyParts, 'kind'>>): BodyParts {
  return { kind, text: rest.text, attachments: rest.attachments ?? [], extras: rest.extras ?? {} };
}

function imageAttachment(kind: string, image: JsonObject): Attachment {
  return { ...fileAttachment(kind, image), ...dimensionsOf(image), ...optional('animated', booleanAt(image, 'Animated')) };
}

/** `FileInfo{Id2, Name, Size}`; `Id2` contains a slash (protocol §4, L). */
function fileAttachment(kind: string, holder: JsonObject): Attachment {
  const info = objectAt(holder, 'FileInfo');
  const fileId = stringAt(info, 'Id2') ?? stringAt(info, 'Id');
  return { kind, ...optional('file_id', fileId), ...optional('name', stringAt(info, 'Name')), ...optional('size', numberAt(info, 'Size')) };
}

function dimensionsOf(holder: JsonObject | undefined): { width?: number; height?: number } {
  return { ...optional('width', numberAt(holder, 'Width')), ...optional('height', numberAt(holder, 'Height')) };
}

/** A text that stands as a string or as `{MessageText}`. */
function looseText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : isJsonObject(value) ? (textAt(value, 'MessageText') ?? textAt(value, 'Text')) : undefined;
  return text === '' ? undefined : text;
}

function idAt(value: JsonObject, key: string): string | undefined {
  const number = numberAt(value, key);
  return stringAt(value, key) ?? (number === undefined ? undefined : String(number));
}

/** A one-key object, or an empty one for an undefined value. */
function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
