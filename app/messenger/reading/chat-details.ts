/** What there is to know about one chat. */
import type { Call } from '../api.ts';
import { isServerRefusal } from '../errors.ts';
import type { Message, Person } from '../model.ts';
import { isJsonObject, numberAt, objectAt, objectsAt, stringAt } from '../normalise/fields.ts';
import type { ReadingBase } from './base.ts';
import type { ChatEntry } from './chat-entry.ts';
import type { Chats } from './chats.ts';
import type { Messages } from './messages.ts';
import { personHitOf } from './people.ts';

export interface Member extends Person {
  readonly role?: string;
}

export interface Details {
  readonly entry: ChatEntry;
  /** Undefined when the server did not give them. */
  readonly members: readonly Member[] | undefined;
  readonly membersCount: number | undefined;
  readonly pinned: Message | undefined;
}

export class ChatDetails {
  constructor(
    private readonly base: ReadingBase,
    private readonly chats: Chats,
    private readonly messages: Messages,
  ) {}

  /** @throws ReadStatusError status 4 for an unknown chat */
  async read(chatId: string, call: Call, inviteHash?: string): Promise<Details> {
    const myGuid = await this.base.myGuid(call);
    const entry = await this.chats.entry(chatId, call, inviteHash);
    const isGroup = entry.kind === 'group' || entry.kind === 'channel' || entry.kind === 'business' || entry.kind === 'unknown';
    const [members, pinned] = await Promise.all([
      isGroup ? this.membersOf(chatId, call) : undefined,
      entry.pinnedMessageId === undefined ? undefined : this.pinnedOf(chatId, entry.pinnedMessageId, myGuid, call),
    ]);
    return { entry, members: members?.people, membersCount: entry.members ?? members?.people.length, pinned };
  }

  /** Registry `get_chat_members` (B): a refusal only means that they are not known. */
  private async membersOf(chatId: string, call: Call): Promise<{ people: Member[] } | undefined> {
    try {
      const data = await this.base.ports.wire.registry('get_chat_members', { chat_id: chatId }, call);
      if (!isJsonObject(data)) return undefined;
      return {
        people: objectsAt(data, 'users').flatMap((user) => {
          const holder = objectAt(user, 'user') ?? user;
          const role = stringAt(user, 'role') ?? numberAt(user, 'role')?.toString();
          return personHitOf(holder).map(({ guid, name }) => ({ guid, ...(name !== undefined && { name }), ...(role !== undefined && { role }) }));
        }),
      };
    } catch (error) {
      if (!isServerRefusal(error)) throw error;
      return undefined;
    }
  }

  private async pinnedOf(chatId: string, messageId: string, myGuid: string, call: Call): Promise<Message | undefined> {
    try {
      const raw = await this.messages.raw(chatId, messageId, call);
      return raw && this.base.normaliseOne(raw.server, chatId, myGuid);
    } catch (error) {
      if (!isServerRefusal(error)) throw error;
      return undefined;
    }
  }
}
