import { newGuid } from './ids.ts';
import type { Person, StoredFile, World } from './world.ts';

export type ChatKind = 'self' | 'private' | 'group' | 'channel' | 'business' | 'thread';
export type Body = { [key: string]: unknown };

export interface SimReaction {
  person: Person;
  type: number;
  ts: number;
}

/** One message as the server stores it. `ts` is its id: microseconds, a safe integer. */
export interface SimMessage {
  chat: Chat;
  ts: number;
  seqNo: number;
  version: number;
  from: Person;
  payloadId: string;
  /** Which key of ClientMessage holds the body; `none`: a message without any body. */
  envelope: 'Plain' | 'Ephemeral' | 'SystemMessage' | 'none';
  /** What stands inside the envelope, without ChatId and PayloadId. */
  body: Body;
  deleted: boolean;
  editedTs: number;
  reactions: SimReaction[];
  reads: Map<string, number>;
  votes: Map<string, { choices: number[]; ts: number }>;
  /** Overrides of the siblings, for shapes that the rules do not produce. */
  siblings: Body;
  /** Overrides of ServerMessageInfo. */
  info: Body;
}

export interface SayOptions {
  /** Moment: microseconds, 16 digits, ISO, or Date; default the world's clock. Must be later than the chat's last message. */
  at?: number | string | Date;
  replyTo?: SimMessage;
  forward?: SimMessage[];
  mentions?: (Person | string)[];
  envelope?: SimMessage['envelope'];
  payloadId?: string;
  siblings?: Body;
  /** Keys that replace those of ServerMessageInfo, for shapes that the rules do not produce. */
  info?: Body;
  quote?: string;
}

export interface Member {
  person: Person;
  isAdmin: boolean;
  /** The seen marker: timestamp and sequence number of the last read message. */
  seenTs: number;
  seenSeq: number;
  muted: boolean;
}

export interface ChatEvent {
  message: SimMessage;
  what: 'new' | 'edit' | 'delete' | 'reaction' | 'vote';
}

/** One chat and its messages, oldest first. */
export class Chat {
  readonly messages: SimMessage[] = [];
  readonly members = new Map<string, Member>();
  name: string;
  inviteHash: string | undefined;
  alias: string | undefined;
  description: string | undefined;
  trackReads: boolean;
  pinnedTs: number | undefined;
  lastEditTs = 0;
  /** Threads only: where the parent message stands. */
  parent: { chat: Chat; ts: number } | undefined;

  constructor(
    readonly world: World,
    readonly kind: ChatKind,
    readonly id: string,
    options: {
      members: Person[];
      name?: string;
      inviteHash?: string;
      alias?: string;
      description?: string;
      trackReads?: boolean;
      admins?: Person[];
    },
  ) {
    this.name = options.name ?? '';
    this.inviteHash = options.inviteHash;
    this.alias = options.alias;
    this.description = options.description;
    this.trackReads = options.trackReads ?? true;
    for (const person of options.members) this.join(person, options.admins?.includes(person) ?? false);
    for (const person of options.admins ?? []) this.join(person, true);
  }

  get isPrivate(): boolean {
    return this.kind === 'private' || this.kind === 'self';
  }
  get last(): SimMessage | undefined {
    return this.messages[this.messages.length - 1];
  }

  join(person: Person, isAdmin = false): Member {
    const member = this.members.get(person.guid) ?? { person, isAdmin, seenTs: 0, seenSeq: 0, muted: false };
    member.isAdmin ||= isAdmin;
    this.members.set(person.guid, member);
    return member;
  }
  leave(person: Person): void {
    this.members.delete(person.guid);
  }
  isMember(person: Person): boolean {
    return this.members.has(person.guid);
  }
  /** May read: a member, or a member of the thread's parent. */
  isVisibleTo(person: Person): boolean {
    return this.isMember(person) || (this.parent?.chat.isMember(person) ?? false);
  }
  partnerOf(person: Person): Person | undefined {
    if (!this.isPrivate) return undefined;
    for (const member of this.members.values()) if (member.person !== person) return member.person;
    return person;
  }

  /** The message at exactly this timestamp (microseconds). */
  at(ts: number): SimMessage | undefined {
    let low = 0;
    let high = this.messages.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.messages[middle] as SimMessage;
      if (found.ts === ts) return found;
      if (found.ts < ts) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** Writes a message; a string becomes text. The author has read everything up to it. */
  say(from: Person, body: string | Body, options: SayOptions = {}): SimMessage {
    const content: Body = typeof body === 'string' ? { Text: { MessageText: body } } : { ...body };
    if (options.replyTo) {
      content['ForwardedMessageRefs'] = [{ ChatId: options.replyTo.chat.id, Timestamp: options.replyTo.ts }];
      content['ForwardedMessageStyles'] = [{ Quote: options.quote ?? textOf(options.replyTo.body).slice(0, 200) }];
    }
    if (options.forward) content['ForwardedMessageRefs'] = options.forward.map((source) => ({ ChatId: source.chat.id, Timestamp: source.ts }));
    if (options.mentions) content['MentionedUserIds'] = options.mentions.map((mention) => (typeof mention === 'string' ? mention : mention.guid));
    const ts = this.world.nextTs(options.at);
    if (this.last && ts <= this.last.ts) throw new Error(`a message at ${ts} is not later than the last one of the chat`);
    const message: SimMessage = {
      chat: this,
      ts,
      seqNo: (this.last?.seqNo ?? 0) + 1,
      version: 1,
      from,
      payloadId: options.payloadId ?? newGuid(this.world.random),
      envelope: options.envelope ?? 'Plain',
      body: content,
      deleted: false,
      editedTs: 0,
      reactions: [],
      reads: new Map(),
      votes: new Map(),
      siblings: options.siblings ?? {},
      info: options.info ?? {},
    };
    this.messages.push(message);
    const member = this.kind === 'thread' ? this.join(from) : this.members.get(from.guid);
    if (member) this.markSeen(member, message, ts);
    this.world.onChange?.(this, { message, what: 'new' });
    return message;
  }

  edit(message: SimMessage, body: string | Body, at?: number | string | Date): void {
    message.body = typeof body === 'string' ? { ...message.body, Text: { MessageText: body } } : body;
    message.editedTs = this.world.nextTs(at);
    message.version += 1;
    this.lastEditTs = Math.max(this.lastEditTs, message.editedTs);
    this.world.onChange?.(this, { message, what: 'edit' });
  }

  delete(message: SimMessage): void {
    message.deleted = true;
    message.version += 1;
    message.body = {};
    this.lastEditTs = Math.max(this.lastEditTs, this.world.nextTs());
    this.world.onChange?.(this, { message, what: 'delete' });
  }

  react(person: Person, message: SimMessage, type: number, action: 'add' | 'remove' | 'replace' = 'add'): void {
    if (action === 'replace') message.reactions = message.reactions.filter((reaction) => reaction.person !== person);
    else message.reactions = message.reactions.filter((reaction) => reaction.person !== person || reaction.type !== type);
    if (action !== 'remove') message.reactions.push({ person, type, ts: this.world.nextTs() });
    this.world.onChange?.(this, { message, what: 'reaction' });
  }

  vote(person: Person, message: SimMessage, choices: number[]): void {
    message.votes.set(person.guid, { choices, ts: this.world.nextTs() });
    this.world.onChange?.(this, { message, what: 'vote' });
  }

  /** Notes a member as a reader of everything up to `last` that was new to them. */
  private markSeen(member: Member, last: SimMessage, now: number): void {
    for (let i = last.seqNo - 1; i >= 0; i -= 1) {
      const message = this.messages[i] as SimMessage;
      if (message.ts <= member.seenTs) break;
      if (message.from !== member.person) message.reads.set(member.person.guid, now);
    }
    Object.assign(member, { seenTs: last.ts, seenSeq: last.seqNo });
  }

  /** Moves a person's seen marker up to `ts`; false when nothing was unread. */
  read(person: Person, ts: number = this.last?.ts ?? 0): boolean {
    const member = this.kind === 'thread' ? this.join(person) : this.members.get(person.guid);
    if (!member || ts <= member.seenTs) return false;
    const upTo = this.messages.findLast((message) => message.ts <= ts);
    if (upTo) this.markSeen(member, upTo, this.world.nextTs());
    member.seenTs = ts;
    return true;
  }
}

/** The text of a body, whatever kind it is; empty when there is none. */
export function textOf(body: Body): string {
  for (const key of ['Text', 'Gallery', 'Voice', 'Poll', 'GenericMessage']) {
    const content = body[key] as { MessageText?: string; Text?: string | { MessageText?: string }; Title?: string } | undefined;
    if (!content) continue;
    if (typeof content.MessageText === 'string') return content.MessageText;
    if (typeof content.Text === 'string') return content.Text;
    if (typeof content.Text?.MessageText === 'string') return content.Text.MessageText;
    if (typeof content.Title === 'string') return content.Title;
  }
  return '';
}

/** Body of an image attachment. */
export function imageBody(file: StoredFile, width = 640, height = 480, animated = false): Body {
  return { Image: { Width: width, Height: height, Animated: animated, FileInfo: fileInfo(file) } };
}
/** Body of a file attachment; `source` 0 MDS, 1 Disk (protocol §4). */
export function fileBody(file: StoredFile, source = 1): Body {
  return { MiscFile: { FileInfo: { ...fileInfo(file), Source: source } } };
}
export function fileInfo(file: StoredFile): Body {
  return { Id2: file.id2, Name: file.name, Size: file.generatedSize ?? file.bytes.length, Source: 0 };
}
