/**
 * What the parts of the messenger share: the ports it needs and the few services that both reading and writing use.
 * Reading lives in `reading/`, writing in `writing/`; `messenger.ts` puts them together into one facade.
 */
import type { CallOptions, Clock, Identity, JsonObject, Log, Wire } from '../wire/index.ts';

export type { Clock, JsonObject, Log } from '../wire/index.ts';

/** One tool call's frame: its budget and who listens to its progress. */
export interface Call extends CallOptions {
  /** Progress of long work, in whatever unit `total` is in (bytes for transfers). */
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

/** The person's say on what an agent sees. Threads count as their parent chat; the port is asked with the id as it is. */
export interface ChatVisibility {
  isHidden(chatId: string): boolean;
}

/** The person's settings that reading and writing depend on; asked anew at each use. */
export interface MessengerSettings {
  /** IANA zone; a date without a time is local midnight there (design §5). */
  readonly timeZone: string;
  /** Absolute folders from which files may be sent (design §4). */
  readonly allowedFolders: readonly string[];
  readonly maxFileBytes: number;
  readonly downloadsFolder: string;
  /** 0: never sweep. */
  readonly downloadsDays: number;
  /** Base of the links of the web client, from the protocol constants. */
  readonly messengerPageUrl: string;
  readonly userAgent: string;
}

export interface MessengerPorts {
  readonly wire: Wire;
  readonly visibility: ChatVisibility;
  readonly settings: () => MessengerSettings;
  readonly clock: Clock;
  readonly log: Log;
}

export type ChatKind = 'private' | 'self' | 'group' | 'channel' | 'business' | 'thread' | 'unknown';

/** A chat, found and visible. */
export interface ResolvedChat {
  readonly chatId: string;
  readonly name: string | undefined;
  readonly kind: ChatKind;
  /** How it was found. */
  readonly via: 'literal' | 'link' | 'chat_search' | 'user_search' | 'self';
  /** The message the link pointed to, where a link was given. */
  readonly messageId?: string;
  /** The invite hash of a join link, which some reads want along. */
  readonly inviteHash?: string;
}

export interface ChatCandidate {
  readonly chat_id: string;
  readonly name?: string;
  readonly kind: ChatKind;
  readonly via: ResolvedChat['via'];
  /** What tells candidates of one name apart: department, nickname, members, last activity. */
  readonly hint?: string;
}

export type ChatResolution =
  | { readonly status: 'resolved'; readonly chat: ResolvedChat }
  | { readonly status: 'ambiguous_chat'; readonly candidates: readonly ChatCandidate[] }
  | {
      readonly status: 'chat_not_found';
      readonly reason: 'name_not_found' | 'person_without_chat' | 'entity_not_found' | 'invalid_link';
      readonly candidates: readonly ChatCandidate[];
      readonly next_step: string;
    }
  | { readonly status: 'thread_unsupported'; readonly reason: string };

/** A message as the wire gave it, with what a rewrite needs. */
export interface RawMessage {
  readonly chatId: string;
  readonly timestampMcs: string;
  /** `ServerMessage` with its siblings (protocol §4). */
  readonly server: JsonObject;
  readonly myReactions: readonly number[] | undefined;
  readonly chatInfo: JsonObject | undefined;
}

export interface PersonHit {
  readonly guid: string;
  readonly name: string | undefined;
  readonly uid: string | undefined;
  readonly hint?: string;
}

export interface ChatDescription {
  readonly chatId: string;
  readonly name: string | undefined;
  readonly kind: ChatKind;
  readonly members?: number;
  readonly hint?: string;
  /** Another of the person's chats has the same name. */
  readonly isNameShared?: boolean;
}

/** Services of reading that writing uses as well. */
export interface Directory {
  /** Proves the sign-in where needed; throws NotSignedInError at once without a session. */
  me(call: Call): Promise<Identity>;
  /** Literal ids, links, names, the self chat; hidden chats do not exist. Never calls `create_private_chat`. */
  resolveChat(query: string, call: Call): Promise<ChatResolution>;
  /** Name, kind and what tells it apart, for a card; never fails for a missing detail. */
  describeChat(chatId: string, call: Call): Promise<ChatDescription>;
  /** One message by `message_info` (protocol §4, L); undefined when there is none. */
  readMessage(chatId: string, timestampMcs: string, call: Call): Promise<RawMessage | undefined>;
  /** People of the organization's directory whose name matches (registry `search`, L). */
  searchPeople(query: string, call: Call): Promise<readonly PersonHit[]>;
  /** Names of people by guid, as far as known (registry `get_users_data`, B; unknown ones are left out). */
  namesOf(guids: readonly string[], call: Call): Promise<ReadonlyMap<string, string>>;
}
