/** The facade of the messenger: what a person sees, read through the wire. Writing is composed beside it, on `directory` and `ports`. */
import type { Directory, MessengerPorts } from './api.ts';
import { objectAt } from './normalise/fields.ts';
import { ReadingBase } from './reading/base.ts';
import { ChatDetails } from './reading/chat-details.ts';
import { Chats } from './reading/chats.ts';
import { DirectoryService } from './reading/directory.ts';
import { Downloads } from './reading/downloads.ts';
import { History } from './reading/history.ts';
import { Media } from './reading/media.ts';
import { Messages } from './reading/messages.ts';
import { People } from './reading/people.ts';
import { Polls } from './reading/polls.ts';
import { ReactionLists } from './reading/reaction-lists.ts';
import { Resolver } from './reading/resolve.ts';
import { Search } from './reading/search.ts';
import { Threads } from './reading/threads.ts';
import { Unread } from './reading/unread.ts';

export interface Messenger {
  readonly ports: MessengerPorts;
  readonly base: ReadingBase;
  readonly directory: Directory;
  readonly chats: Chats;
  readonly details: ChatDetails;
  readonly history: History;
  readonly messages: Messages;
  readonly search: Search;
  readonly reactions: ReactionLists;
  readonly polls: Polls;
  readonly threads: Threads;
  readonly unread: Unread;
  readonly media: Media;
  readonly downloads: Downloads;
  /** Since when the connection is in its present state, milliseconds since the epoch. */
  stateSince(): number;
  /** Stops listening to live events. */
  close(): void;
}

export function createMessenger(ports: MessengerPorts): Messenger {
  const base = new ReadingBase(ports);
  const search = new Search(base);
  const chats = new Chats(base);
  const messages = new Messages(base);
  const people = new People(base, search);
  const history = new History(base);
  // Live events only speed things up (protocol §7, B): here they drop what may have become old.
  let stateSince = ports.clock.now();
  const stopStates = ports.wire.onState(() => {
    stateSince = ports.clock.now();
  });
  const stopEvents = ports.wire.onEvent(({ body }) => {
    if (!objectAt(objectAt(body, 'ClientMessage'), 'SystemMessage')) return;
    people.forget();
    base.inviteHashes.clear();
  });
  return {
    ports,
    base,
    directory: new DirectoryService(base, chats, messages, people, new Resolver(base, chats, search)),
    chats,
    details: new ChatDetails(base, chats, messages),
    history,
    messages,
    search,
    reactions: new ReactionLists(base),
    polls: new Polls(base, messages),
    threads: new Threads(base, history, messages),
    unread: new Unread(base, chats, history),
    media: new Media(history),
    downloads: new Downloads(base),
    stateSince: () => stateSince,
    close() {
      stopStates();
      stopEvents();
    },
  };
}
