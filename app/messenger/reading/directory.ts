/** The services that reading and writing share (see `Directory`). */
import type { Identity } from '../../wire/index.ts';
import type { Call, ChatDescription, ChatResolution, Directory, PersonHit, RawMessage } from '../api.ts';
import { isServerRefusal } from '../errors.ts';
import { kindOfChatId, parseThreadId } from '../ids.ts';
import { isJsonObject, numberAt, objectsAt } from '../normalise/fields.ts';
import { foldName } from '../text.ts';
import type { ReadingBase } from './base.ts';
import { SELF_CHAT_NAME, type ChatEntry } from './chat-entry.ts';
import type { Chats } from './chats.ts';
import type { Messages } from './messages.ts';
import type { People } from './people.ts';
import type { Resolver } from './resolve.ts';

export class DirectoryService implements Directory {
  constructor(
    private readonly base: ReadingBase,
    private readonly chats: Chats,
    private readonly messages: Messages,
    private readonly people: People,
    private readonly resolver: Resolver,
  ) {}

  async me(call: Call): Promise<Identity> {
    return this.base.ports.wire.identity ?? this.base.ports.wire.connect(call);
  }

  resolveChat(query: string, call: Call): Promise<ChatResolution> {
    return this.resolver.resolve(query, call);
  }

  async describeChat(chatId: string, call: Call): Promise<ChatDescription> {
    const thread = parseThreadId(chatId);
    if (thread) {
      const parent = await this.describeChat(thread.parentChatId, call);
      return { ...parent, chatId, kind: 'thread' };
    }
    const kind = kindOfChatId(chatId);
    const entry = await this.softly(() => this.chats.entry(chatId, call));
    if (!entry) return { chatId, name: kind === 'self' ? SELF_CHAT_NAME : undefined, kind };
    const members = entry.members ?? (kind === 'private' || kind === 'self' ? undefined : await this.membersOf(chatId, call));
    const hint = hintOf(entry);
    const isNameShared = await this.isNameShared(entry, call);
    return { chatId, name: entry.name, kind: entry.kind, ...(members !== undefined && { members }), ...(hint !== undefined && { hint }), isNameShared };
  }

  private async isNameShared({ chatId, name }: ChatEntry, call: Call): Promise<boolean> {
    if (name === undefined) return false;
    const all = await this.softly(() => this.chats.list(call));
    return (all ?? []).some((other) => other.chatId !== chatId && other.name !== undefined && foldName(other.name) === foldName(name));
  }

  readMessage(chatId: string, timestampMcs: string, call: Call): Promise<RawMessage | undefined> {
    return this.messages.raw(chatId, timestampMcs, call);
  }

  searchPeople(query: string, call: Call): Promise<readonly PersonHit[]> {
    return this.people.find(query, call);
  }

  namesOf(guids: readonly string[], call: Call): Promise<ReadonlyMap<string, string>> {
    return this.people.namesOf(guids, call);
  }

  /** Registry `get_chats_info` (B). */
  private async membersOf(chatId: string, call: Call): Promise<number | undefined> {
    const data = await this.softly(() => this.base.ports.wire.registry('get_chats_info', { chat_ids: [chatId] }, call));
    return isJsonObject(data) ? numberAt(objectsAt(data, 'chats')[0], 'members_count') : undefined;
  }

  private async softly<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!isServerRefusal(error)) throw error;
      return undefined;
    }
  }
}

function hintOf(entry: ChatEntry): string | undefined {
  return entry.partnerHint ?? entry.description;
}
