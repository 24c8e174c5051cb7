import { z } from 'zod';
import type { Body, Chat, SimMessage } from './chat.ts';
import { check, ProxyFailure } from './reads.ts';
import type { SimState } from './state.ts';
import type { Person } from './world.ts';

/** Writing (protocol §6): what the server checks, and what it changes. */

export const COMMITTED = 1;
export const NO_SUCH_CHAT = 4;
export const SENDER_NOT_IN_CHAT = 7;
export const DUPLICATE = 8;
export const MESSAGE_NOT_FOUND = 11;
export const BAD_REQUEST = 13;
export const NO_PERMISSION = 15;
export const RATE_LIMIT_EXCEEDED = 23;

const ts = z.number().int().positive();
const fileInfo = z.looseObject({ Id2: z.string(), Name: z.string(), Size: z.number().int().nonnegative(), Source: z.number().int().min(0).max(1) });

const plainSchema = z.looseObject({
  ChatId: z.string(),
  PayloadId: z.string().optional(),
  Timestamp: ts.optional(),
  MentionedUserIds: z.array(z.string()).optional(),
  ForwardedMessageRefs: z.array(z.looseObject({ ChatId: z.string(), Timestamp: ts })).optional(),
  ForwardedMessageStyles: z.array(z.looseObject({ Quote: z.string().optional() })).optional(),
  IsImportant: z.boolean().optional(),
  UrlPreviewDisabled: z.boolean().optional(),
  Text: z.looseObject({ MessageText: z.string() }).optional(),
  Sticker: z.looseObject({ Id: z.string(), SetId: z.string() }).optional(),
  Image: z
    .looseObject({
      FileInfo: fileInfo,
      Width: z.number().int().nonnegative().optional(),
      Height: z.number().int().nonnegative().optional(),
      Animated: z.boolean().optional(),
    })
    .optional(),
  MiscFile: z.looseObject({ FileInfo: fileInfo }).optional(),
  Gallery: z.looseObject({ Items: z.array(z.looseObject({ Image: z.looseObject({}) })) }).optional(),
  Voice: z.looseObject({ FileInfo: fileInfo }).optional(),
  Card: z.looseObject({}).optional(),
  Poll: z.looseObject({ Title: z.string(), Answers: z.array(z.string()), MaxChoices: z.number().int(), IsAnonymous: z.boolean().optional() }).optional(),
});

const VARIANTS = {
  Plain: plainSchema,
  Ephemeral: plainSchema,
  Reaction: z.looseObject({ ChatId: z.string(), Timestamp: ts, Type: z.number().int(), Action: z.number().int().min(0).max(2).optional() }),
  SeenMarker: z.looseObject({ ChatId: z.string(), Timestamp: ts, SeqNo: z.number().int().nonnegative().optional() }),
  Pin: z.looseObject({ ChatId: z.string(), Timestamp: ts.optional() }),
  Vote: z.looseObject({ ChatId: z.string(), Timestamp: ts, Action: z.number().int(), Choices: z.array(z.number().int()) }),
  Typing: z.looseObject({ ChatId: z.string() }),
  Heartbeat: z.looseObject({ Type: z.number().int() }),
};
type Variant = keyof typeof VARIANTS;

const CONTENT = ['Text', 'Sticker', 'Image', 'MiscFile', 'Gallery', 'Voice', 'Card', 'Poll'];

/** What a push came to; `apply` writes it. Checks and writing are apart, so that a fault can come between them. */
export interface PushPlan {
  status: number;
  /** Writes into the world and gives the message whose MessageInfo is answered. */
  apply?: () => SimMessage | undefined;
  /** The message answered without writing (a duplicate). */
  message?: SimMessage | undefined;
}

const envelopeSchema = z.looseObject({
  ClientTransportId: z.looseObject({ XivaSubscriptionId: z.string() }),
  UserAgent: z.string().min(1),
  Meta: z.looseObject({ Origin: z.number().int() }),
  ClientSupportedFeatures: z.number().int(),
});

/**
 * Judges a push.
 * @throws ProxyFailure for what layer 1 refuses.
 */
export function planPush(state: SimState, viewer: Person, params: Body, subscriptionId: string, yandexuid: string | undefined): PushPlan {
  const message = params['ClientMessage'];
  // A flat push without the envelope is answered misleadingly (protocol §6, L).
  if (message === undefined) return { status: NO_SUCH_CHAT };
  const envelope = check(envelopeSchema, params);
  if (envelope.ClientTransportId.XivaSubscriptionId !== subscriptionId) {
    state.log.violate('push: XivaSubscriptionId is not the one of this connection');
    throw new ProxyFailure(2, 'XivaSubscriptionId');
  }
  if (envelope.Meta.Origin !== state.settings.serviceId) throw new ProxyFailure(2, 'Meta.Origin');
  if (envelope.UserAgent !== state.settings.userAgent) state.log.violate(`push: UserAgent ${envelope.UserAgent}`);
  const client = check(z.looseObject({ LogData: z.looseObject({ YandexUid: z.string() }) }), message);
  if (client.LogData.YandexUid !== yandexuid) {
    state.log.violate('push: LogData.YandexUid is not the yandexuid cookie');
    throw new ProxyFailure(2, 'LogData.YandexUid');
  }
  const keys = Object.keys(client).filter((key) => key !== 'LogData');
  const variant = keys[0] as Variant | undefined;
  if (keys.length !== 1 || variant === undefined || !(variant in VARIANTS)) {
    state.log.violate(`push: ClientMessage holds ${keys.join(', ') || 'nothing'}`);
    throw new ProxyFailure(2, 'one variant');
  }
  const body = check(VARIANTS[variant] as z.ZodType<Body>, client[variant]);
  if (variant === 'Heartbeat') return { status: COMMITTED };

  const chatId = body['ChatId'] as string;
  const thread = state.world.threadParent(chatId);
  const chat = state.world.chat(chatId) ?? (thread ? undefined : missing());
  if (chat === null) return { status: NO_SUCH_CHAT };
  const mayWrite = chat ? chat.isVisibleTo(viewer) : (thread?.chat.isMember(viewer) ?? false);
  if (!mayWrite) return { status: SENDER_NOT_IN_CHAT };
  const owner = chat?.parent?.chat ?? chat ?? thread?.chat;

  switch (variant) {
    case 'Typing':
      return { status: COMMITTED };
    case 'Plain':
    case 'Ephemeral':
      return planPlain(state, viewer, variant, body, chat, owner as Chat, thread);
    default:
      if (!chat) return { status: MESSAGE_NOT_FOUND };
      return planOther(viewer, variant, body, chat);
  }

  function missing(): null {
    return null;
  }
}

function planPlain(
  state: SimState,
  viewer: Person,
  envelope: 'Plain' | 'Ephemeral',
  body: Body,
  chat: Chat | undefined,
  owner: Chat,
  thread: { chat: Chat; ts: number } | undefined,
): PushPlan {
  const { ChatId: _chatId, PayloadId, Timestamp, ...content } = body as Body & { PayloadId?: string; Timestamp?: number };
  const contents = CONTENT.filter((key) => key in content);
  if (contents.length > 1) return { status: BAD_REQUEST };
  const refs = content['ForwardedMessageRefs'] as { ChatId: string; Timestamp: number }[] | undefined;
  if (!isContentValid(state, content)) return { status: BAD_REQUEST };
  for (const ref of refs ?? []) {
    const source = state.world.chat(ref.ChatId);
    if (!source?.isVisibleTo(viewer) || !source.at(ref.Timestamp)) return { status: MESSAGE_NOT_FOUND };
  }

  if (Timestamp !== undefined) {
    const target = chat?.at(Timestamp);
    if (!chat || !target) return { status: MESSAGE_NOT_FOUND };
    if (target.from !== viewer || target.envelope === 'SystemMessage') return { status: NO_PERMISSION };
    if (contents.length === 0 && !refs?.length) {
      // Deletion is ChatId and Timestamp and nothing else (protocol §6, L); a repeat is committed again.
      if (PayloadId !== undefined || Object.keys(content).length > 0) return { status: BAD_REQUEST };
      return { status: COMMITTED, apply: () => (target.deleted ? undefined : chat.delete(target), target) };
    }
    if (target.deleted) return { status: MESSAGE_NOT_FOUND };
    return { status: COMMITTED, apply: () => (chat.edit(target, content), target) };
  }

  if (PayloadId === undefined) throw new ProxyFailure(2, 'PayloadId');
  const original = chat?.messages.find((message) => message.payloadId === PayloadId && message.from === viewer);
  if (original) return { status: DUPLICATE, message: original };
  if (contents.length === 0 && !refs?.length) return { status: BAD_REQUEST };
  if (owner.kind === 'channel' && !thread && !owner.members.get(viewer.guid)?.isAdmin) return { status: NO_PERMISSION };
  return {
    status: COMMITTED,
    apply: () => {
      const place = chat ?? state.world.thread((thread as { chat: Chat }).chat, (thread as { ts: number }).ts);
      // Two copies of one push may have been planned before either was written.
      const twin = place.messages.find((message) => message.payloadId === PayloadId && message.from === viewer);
      return twin ?? place.say(viewer, content, { payloadId: PayloadId, envelope });
    },
  };
}

function isContentValid(state: SimState, content: Body): boolean {
  const text = content['Text'] as { MessageText: string } | undefined;
  if (text && text.MessageText.length === 0) return false;
  const poll = content['Poll'] as { Title: string; Answers: string[]; MaxChoices: number } | undefined;
  if (poll && (poll.Answers.length < 2 || poll.Title === '' || (poll.MaxChoices !== 1 && poll.MaxChoices !== poll.Answers.length))) return false;
  for (const key of ['Image', 'MiscFile']) {
    const attachment = content[key] as { FileInfo: { Id2: string; Size: number } } | undefined;
    if (!attachment) continue;
    const file = state.world.files.get(attachment.FileInfo.Id2);
    if (!file) return false;
    const size = file.generatedSize ?? file.bytes.length;
    if (attachment.FileInfo.Size !== size) state.log.violate(`push: ${key} says ${attachment.FileInfo.Size} bytes, the file has ${size}`);
  }
  return true;
}

function planOther(viewer: Person, variant: Variant, body: Body, chat: Chat): PushPlan {
  const stamp = body['Timestamp'] as number | undefined;
  const target = stamp === undefined ? undefined : chat.at(stamp);
  if (stamp !== undefined && (!target || (target.deleted && variant !== 'SeenMarker'))) return { status: MESSAGE_NOT_FOUND };
  switch (variant) {
    case 'Reaction': {
      const message = target as SimMessage;
      const action = (['add', 'remove', 'replace'] as const)[(body['Action'] as number | undefined) ?? 0] ?? 'add';
      return { status: COMMITTED, apply: () => (chat.react(viewer, message, body['Type'] as number, action), message) };
    }
    case 'SeenMarker': {
      const member = chat.members.get(viewer.guid);
      if (member && (stamp as number) <= member.seenTs) return { status: DUPLICATE, message: target };
      return { status: COMMITTED, apply: () => (chat.read(viewer, stamp), target) };
    }
    case 'Pin':
      return { status: COMMITTED, apply: () => ((chat.pinnedTs = stamp), target) };
    case 'Vote': {
      const message = target as SimMessage;
      const poll = message.body['Poll'] as { Answers: string[]; MaxChoices: number } | undefined;
      const choices = body['Choices'] as number[];
      if (!poll || body['Action'] !== 0 || 'Results' in body) return { status: BAD_REQUEST };
      const isInRange = choices.every((choice) => choice >= 0 && choice < poll.Answers.length);
      if (!isInRange || choices.length > poll.MaxChoices || new Set(choices).size !== choices.length) return { status: BAD_REQUEST };
      return { status: COMMITTED, apply: () => (chat.vote(viewer, message, choices), message) };
    }
    default:
      return { status: BAD_REQUEST };
  }
}

/** `MessageInfo` of a push answer. */
export function messageInfoOf(message: SimMessage): Body {
  const previous = message.chat.messages[message.seqNo - 2];
  return { TimestampMcs: message.ts, PrevTimestampMcs: previous?.ts ?? 0, SeqNo: message.seqNo, Version: message.version };
}
