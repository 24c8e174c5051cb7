import { Chat, type ChatEvent, type ChatKind } from './chat.ts';
import { newGuid, newHex, parseThreadId, privateChatId, systemRandom, threadId, type Random } from './ids.ts';

export interface Person {
  guid: string;
  /** Numeric, as a string (protocol §1). */
  uid: string;
  displayName: string;
  nickname: string;
  avatarId?: string;
  /** Organizations (Yandex 360 spaces) this person belongs to. */
  organizationIds: string[];
  /** False for somebody whom the server never names: a mention of them stays unresolved. */
  isNamed: boolean;
}

export interface StoredFile {
  id2: string;
  name: string;
  contentType: string;
  bytes: Buffer;
  /** Size in bytes of a generated file, streamed without being held in memory. */
  generatedSize?: number;
}

export interface WorldOptions {
  random?: Random;
  /** Milliseconds since the epoch at which the world's own clock starts; default: now. */
  startMs?: number;
  /** Name and ids of the person the simulator is about. */
  me?: Partial<Person>;
}

export interface GroupOptions {
  name: string;
  members?: Person[];
  /** Is the person the simulator is about a member? Default true. */
  withMe?: boolean;
  inviteHash?: string;
  alias?: string;
  description?: string;
  /** Whether reads are tracked; absent read keys mean "not tracked" (protocol §4). Default true. */
  trackReads?: boolean;
  admins?: Person[];
  id?: string;
}

/**
 * Everything that exists on the simulated server: people, chats, files. It is scripted by tests through its builder
 * methods and changed by the wire through the push handler. Microsecond timestamps are safe integers here.
 */
export class World {
  readonly random: Random;
  readonly people: Person[] = [];
  readonly chats = new Map<string, Chat>();
  readonly files = new Map<string, StoredFile>();
  readonly me: Person;
  /** Told about every change, so that the server can send PUSH frames. */
  onChange: ((chat: Chat, event: ChatEvent) => void) | undefined;
  private lastTs: number;
  private readonly scripted: boolean;

  constructor(options: WorldOptions = {}) {
    this.random = options.random ?? systemRandom;
    this.scripted = options.startMs !== undefined;
    this.lastTs = (options.startMs ?? Date.now()) * 1000;
    this.me = this.person({ displayName: 'Вера Вестникова', ...options.me });
    this.self();
  }

  /** The next free moment in microseconds: the server never gives two messages the same one. */
  nextTs(at?: number | string | Date): number {
    if (at !== undefined) {
      const ts = typeof at === 'number' ? at : at instanceof Date ? at.getTime() * 1000 : /^\d{16}$/.test(at) ? Number(at) : Date.parse(at) * 1000;
      if (!Number.isSafeInteger(ts)) throw new Error(`not a moment: ${String(at)}`);
      if (ts > this.lastTs && ts <= Date.now() * 1000) this.lastTs = ts;
      return ts;
    }
    // 737 µs off the millisecond, so that a client that rounds to milliseconds is found out.
    const now = Date.now() * 1000 + 737;
    this.lastTs = this.scripted && this.isScripting ? this.lastTs + 13_000_013 : Math.max(now, this.lastTs + 1);
    return this.lastTs;
  }
  /** While a deterministic world is being built, its clock moves 13 s per change; afterwards it is the real one. */
  isScripting = true;

  person(fields: Partial<Person> & { displayName: string }): Person {
    const index = this.people.length + 1;
    const person: Person = {
      guid: newGuid(this.random),
      uid: String(1_130_000_000_000_000 + index * 7919 + (this.random(1)[0] as number)),
      nickname: `user${index}`,
      organizationIds: [],
      isNamed: true,
      ...fields,
    };
    this.people.push(person);
    return person;
  }

  personByGuid(guid: string): Person | undefined {
    return this.people.find((person) => person.guid === guid);
  }

  private add(kind: ChatKind, id: string, options: Partial<GroupOptions> & { members: Person[] }): Chat {
    const existing = this.chats.get(id);
    if (existing) return existing;
    const chat = new Chat(this, kind, id, options);
    this.chats.set(id, chat);
    return chat;
  }

  /** My own chat («Избранное»): `<me>_<me>`. */
  self(owner: Person = this.me): Chat {
    return this.add('self', `${owner.guid}_${owner.guid}`, { members: [owner], trackReads: false });
  }

  privateChat(a: Person, b: Person = this.me): Chat {
    if (a === b) return this.self(a);
    return this.add('private', privateChatId(a.guid, b.guid), { members: [a, b], trackReads: true });
  }

  private space(kind: ChatKind, prefix: string, options: GroupOptions): Chat {
    const members = [...(options.withMe === false ? [] : [this.me]), ...(options.members ?? [])];
    const chat = this.add(kind, options.id ?? `${prefix}/0/${newGuid(this.random)}`, { inviteHash: newHex(8, this.random), ...options, members });
    return chat;
  }

  group(options: GroupOptions): Chat {
    return this.space('group', '0', options);
  }
  channel(options: GroupOptions): Chat {
    return this.space('channel', '1', { trackReads: false, ...options });
  }
  business(options: GroupOptions): Chat {
    return this.space('business', '2', options);
  }

  /** The thread under a message, brought to life; on the wire that happens with its first message. */
  thread(parent: Chat, ts: number): Chat {
    const id = threadId(parent.id, ts);
    if (id === undefined) throw new Error('a business chat has no threads');
    const author = parent.at(ts);
    if (!author) throw new Error('no such parent message');
    const chat = this.add('thread', id, { members: [author.from], name: parent.name, trackReads: parent.trackReads });
    chat.parent = { chat: parent, ts };
    return chat;
  }

  /** The chat of an id; an existing thread included, one that nobody has written in excluded. */
  chat(id: string): Chat | undefined {
    return this.chats.get(id);
  }

  /** The parent message's chat, when `id` is a thread id under an existing message. */
  threadParent(id: string): { chat: Chat; ts: number } | undefined {
    const parsed = parseThreadId(id);
    const chat = parsed && this.chats.get(parsed.chatId);
    return parsed && chat?.at(parsed.ts) ? { chat, ts: parsed.ts } : undefined;
  }

  /** Chats `viewer` takes part in, threads apart. */
  chatsOf(viewer: Person, withThreads = false): Chat[] {
    return [...this.chats.values()].filter((chat) => chat.isMember(viewer) && (withThreads || chat.kind !== 'thread'));
  }

  /** Stores a file for attachments; its id has a slash (protocol §4). */
  file(name: string, content: Buffer | string, contentType = 'application/octet-stream', generatedSize?: number): StoredFile {
    const id2 = `${1 + (this.random(2).readUInt16BE(0) % 9999)}/${newGuid(this.random)}`;
    const stored: StoredFile = { id2, name, contentType, bytes: Buffer.from(content as string), ...(generatedSize === undefined ? {} : { generatedSize }) };
    this.files.set(id2, stored);
    return stored;
  }
}
