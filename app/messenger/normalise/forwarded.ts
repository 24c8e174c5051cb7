/** Replies and forwards: both stand on references to other messages; a quote makes it a reply (protocol §4, L). */
import type { JsonObject } from '../../wire/index.ts';
import type { Forwarded, MessageContext } from '../model.ts';
import { textFlags } from '../text.ts';
import { isoFromMcs } from '../time.ts';
import { readBody } from './body.ts';
import { mcsAt, objectAt, objectsAt, stringAt, textAt } from './fields.ts';
import type { NormaliseContext } from './message.ts';
import { personOf } from './people.ts';

interface Reference {
  readonly chatId: string | undefined;
  readonly timestampMcs: string;
}

/** Splits what a message refers to into the reply it gives and the originals it forwards. */
export function referencesOf(
  server: JsonObject,
  body: JsonObject | undefined,
  context: NormaliseContext,
): { reply: MessageContext | undefined; forwarded: Forwarded[] } {
  const styles = objectsAt(body, 'ForwardedMessageStyles');
  const refs = objectsAt(body, 'ForwardedMessageRefs').flatMap(referenceOf);
  const originals = objectsAt(server, 'ForwardedMessages');
  const quotes = styles.flatMap((style) => textAt(style, 'Quote') ?? []);
  const isQuoted = (index: number) => textAt(styles[index], 'Quote') !== undefined;
  // Where references stand they pair an original with its style; where they do not (seen live), the order does.
  const forwarded: Forwarded[] = [];
  const replied: Reference[] = [];
  originals.forEach((original, position) => {
    const source = sourceOf(original);
    const byRef = refs.findIndex((ref) => ref.timestampMcs === source?.timestampMcs && (source.chatId === undefined || ref.chatId === source.chatId));
    if (isQuoted(byRef >= 0 ? byRef : position)) {
      if (source) replied.push(source);
    } else {
      forwarded.push(forwardedOf(original, context));
    }
  });
  const told = new Set(forwarded.map((each) => each.source_date_mcs));
  const ownRefs = refs.filter((ref, index) => isQuoted(index) || !told.has(ref.timestampMcs));
  const contextRefs = ownRefs.length > 0 ? ownRefs : replied;
  const isReply = quotes.length > 0;
  if (!isReply && contextRefs.length === 0) return { reply: undefined, forwarded };
  return {
    reply: {
      is_reply: isReply,
      refs: contextRefs.map((ref) => ({
        ...(ref.chatId !== undefined && !context.isHidden(ref.chatId) && { chat_id: ref.chatId }),
        timestamp_mcs: ref.timestampMcs,
      })),
      quotes,
    },
    forwarded,
  };
}

/** One original of a forward: `{Payload, ServerMessageInfo}`, where `Payload` is the body itself (protocol §4, L). */
function forwardedOf(original: JsonObject, context: NormaliseContext): Forwarded {
  const payload = objectAt(original, 'Payload') ?? {};
  const info = objectAt(original, 'ServerMessageInfo');
  const { kind, text, attachments } = readBody(payload);
  const author = personOf(objectAt(info, 'CustomFrom')) ?? personOf(objectAt(info, 'From'));
  const chatId = stringAt(payload, 'ChatId');
  const mcs = mcsAt(info, 'Timestamp') ?? mcsAt(payload, 'Timestamp');
  const flags = text === undefined ? [] : textFlags(text);
  context.onAttachments?.(attachments);
  return {
    source_author: author ?? null,
    // A hidden chat does not exist for the agent, so its id does not stand here either (design §4).
    ...(chatId !== undefined && !context.isHidden(chatId) && { source_chat: chatId }),
    ...(mcs !== undefined && { source_date: isoFromMcs(mcs, context.timeZone), source_date_mcs: mcs }),
    ...(text !== undefined && { source_text: text }),
    kind,
    attachments,
    ...(flags.length > 0 && { text_flags: flags }),
  };
}

function referenceOf(ref: JsonObject): Reference[] {
  const timestampMcs = mcsAt(ref, 'Timestamp');
  return timestampMcs === undefined ? [] : [{ chatId: stringAt(ref, 'ChatId'), timestampMcs }];
}

function sourceOf(original: JsonObject): Reference | undefined {
  const payload = objectAt(original, 'Payload');
  const timestampMcs = mcsAt(objectAt(original, 'ServerMessageInfo'), 'Timestamp') ?? mcsAt(payload, 'Timestamp');
  return timestampMcs === undefined ? undefined : { chatId: stringAt(payload, 'ChatId'), timestampMcs };
}
