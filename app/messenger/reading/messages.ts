/** One message (protocol §4, `message_info`, L). */
import { mcsToJson } from '../../wire/index.ts';
import type { Call, RawMessage } from '../api.ts';
import { isEntityNotFound, isRefusedWithoutInvite } from '../errors.ts';
import { isJsonObject, numbersAt, objectAt } from '../normalise/fields.ts';
import { messageIdOf, serverMessageOf } from '../normalise/message.ts';
import type { ReadingBase } from './base.ts';
import { entryOf } from './chat-entry.ts';

export class Messages {
  constructor(private readonly base: ReadingBase) {}

  /**
   * The message as the wire gave it; undefined when there is none. A join link's chat of which the person is no member is read through
   * `history`, which takes an invite hash.
   * @throws ReadStatusError status 4 for an unknown chat
   */
  async raw(chatId: string, timestampMcs: string, call: Call, inviteHash?: string): Promise<RawMessage | undefined> {
    try {
      return await this.byMessageInfo(chatId, timestampMcs, call);
    } catch (error) {
      if (!isEntityNotFound(error) && !(inviteHash !== undefined && isRefusedWithoutInvite(error))) throw error;
      // Throws the same where the chat is what is missing; the answer to `message_info` alone does not say.
      return this.byHistory(chatId, timestampMcs, inviteHash, call);
    }
  }

  private async byMessageInfo(chatId: string, timestampMcs: string, call: Call): Promise<RawMessage | undefined> {
    const answer = await this.base.ports.wire.read('message_info', { ChatId: chatId, Timestamp: mcsToJson(timestampMcs) }, call);
    const message = objectAt(answer, 'Message');
    const server = message && serverMessageOf(message);
    // An absent message: no `Message`, a non-empty `ErrorInfo` (protocol §4, I), or another message than the asked one.
    if (!server || hasError(answer['ErrorInfo']) || messageIdOf(server) !== timestampMcs) return undefined;
    const mine = Array.isArray(answer['MyReactions']) ? numbersAt(answer, 'MyReactions') : undefined;
    return { chatId, timestampMcs, server, myReactions: mine, chatInfo: objectAt(answer, 'ChatInfo') };
  }

  private async byHistory(chatId: string, timestampMcs: string, inviteHash: string | undefined, call: Call): Promise<RawMessage | undefined> {
    const params = { ChatId: chatId, ...(inviteHash !== undefined && { InviteHash: inviteHash }), Limit: 1, MaxTimestamp: mcsToJson(timestampMcs) + 1 };
    const entry = entryOf(await this.base.ports.wire.read('history', params, call), chatId);
    const server = entry.messages.find((each) => messageIdOf(each) === timestampMcs);
    return server && { chatId, timestampMcs, server, myReactions: undefined, chatInfo: undefined };
  }
}

/** An `ErrorInfo` that says something: keys of zero, null or empty text say nothing. */
function hasError(info: unknown): boolean {
  if (isJsonObject(info)) return Object.values(info).some((value) => Boolean(value));
  return Boolean(info);
}
