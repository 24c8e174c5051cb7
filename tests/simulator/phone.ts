import type { IncomingMessage, ServerResponse } from 'node:http';
import { textOf, type Body, type Chat, type SimMessage } from './chat.ts';
import { PHONE_PAGE } from './phone-page.ts';
import type { Simulator } from './simulator.ts';
import type { Person } from './world.ts';

/** The "other person's" phone: what arrived there, and a way to answer. */

const SHOWN_MESSAGES = 60;

function say(message: SimMessage): string {
  if (message.deleted) return '';
  const { body } = message;
  const names = message.chat.world;
  const text = textOf(body).replace(/@([0-9a-f-]{36})/g, (token, guid: string) => `@${names.personByGuid(guid)?.displayName ?? token.slice(1, 9)}`);
  if ('Image' in body) return '🖼 Photo';
  if ('MiscFile' in body) return `📎 ${String(((body['MiscFile'] as Body)['FileInfo'] as Body)['Name'])}`;
  if ('Sticker' in body) return '🙂 Sticker';
  if ('Gallery' in body) return `🖼 ${text}`;
  if ('Voice' in body) return `🎤 ${text || 'Voice message'}`;
  if ('Poll' in body) return `📊 ${text}`;
  if (text) return text;
  return message.envelope === 'SystemMessage' ? `· ${Object.keys(body)[0] ?? ''} ·` : 'Forwarded' in body || 'ForwardedMessageRefs' in body ? '' : '(no text)';
}

function forwarded(message: SimMessage): string[] {
  const refs = (message.body['ForwardedMessageRefs'] ?? []) as { ChatId: string; Timestamp: number }[];
  const styles = (message.body['ForwardedMessageStyles'] ?? []) as { Quote?: string }[];
  return refs.map((ref, index) => {
    const source = message.chat.world.chat(ref.ChatId)?.at(ref.Timestamp);
    return `${source ? `${source.from.displayName}: ` : ''}${styles[index]?.Quote ?? (source ? say(source) : '')}`;
  });
}

function titleOf(chat: Chat, owner: Person): string {
  if (chat.kind === 'self') return 'Saved';
  return chat.partnerOf(owner)?.displayName ?? (chat.kind === 'thread' ? `↳ ${chat.name || 'Thread'}` : chat.name);
}

/** Everything one person's phone shows, as JSON. */
function phoneState(sim: Simulator, owner: Person, chatId: string | null): Body {
  const chats = sim.world
    .chatsOf(owner, true)
    .filter((chat) => chat.last)
    .sort((a, b) => (b.last?.ts ?? 0) - (a.last?.ts ?? 0));
  const open = chats.find((chat) => chat.id === chatId) ?? chats.find((chat) => chat.kind === 'private' && chat.partnerOf(owner) === sim.me) ?? chats[0];
  return {
    owner: { guid: owner.guid, name: owner.displayName },
    people: sim.world.people
      .filter((person) => sim.world.chatsOf(person).some((chat) => chat.last))
      .map((person) => ({ guid: person.guid, name: person.displayName })),
    chats: chats.map((chat) => ({
      id: chat.id,
      title: titleOf(chat, owner),
      last: chat.last ? (chat.last.deleted ? 'Message deleted' : say(chat.last) || forwarded(chat.last)[0] || '') : '',
      at: Math.floor((chat.last?.ts ?? 0) / 1000),
      unread: Math.max(0, (chat.last?.seqNo ?? 0) - (chat.members.get(owner.guid)?.seenSeq ?? 0)),
    })),
    open: open && {
      id: open.id,
      title: titleOf(open, owner),
      messages: open.messages.slice(-SHOWN_MESSAGES).map((message) => ({
        id: String(message.ts),
        at: Math.floor(message.ts / 1000),
        from: message.from.displayName,
        isMine: message.from === owner,
        isSystem: message.envelope === 'SystemMessage',
        text: say(message),
        forwarded: forwarded(message),
        poll: pollOf(message),
        isDeleted: message.deleted,
        isEdited: message.editedTs > 0,
        isRead: message.reads.size > 0,
        reactions: message.reactions.map((reaction) =>
          reaction.type > 8_000 && reaction.type < 0x1ffff ? String.fromCodePoint(reaction.type) : `#${reaction.type}`,
        ),
      })),
    },
  };
}

function pollOf(message: SimMessage): { text: string; votes: number }[] {
  const poll = message.body['Poll'] as { Answers: string[] } | undefined;
  return (poll?.Answers ?? []).map((text, index) => ({ text, votes: [...message.votes.values()].filter((vote) => vote.choices.includes(index)).length }));
}

function defaultOwner(sim: Simulator): Person {
  const partners = sim.world.chatsOf(sim.me).filter((chat) => chat.kind === 'private');
  partners.sort((a, b) => (b.last?.ts ?? 0) - (a.last?.ts ?? 0));
  return partners[0]?.partnerOf(sim.me) ?? sim.me;
}

export async function servePhone(sim: Simulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', sim.urls.chat);
  const as = url.searchParams.get('as');
  const owner = sim.world.people.find((person) => person.guid === as || person.nickname === as) ?? defaultOwner(sim);
  switch (url.pathname) {
    case '/phone/state':
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
      return void response.end(JSON.stringify(phoneState(sim, owner, url.searchParams.get('chat'))));
    case '/phone/events': {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write('retry: 500\n\n');
      let timer: NodeJS.Timeout | undefined;
      const undo = sim.state.log.onChange(() => {
        // Many changes at once are one event.
        timer ??= setTimeout(() => {
          timer = undefined;
          response.write('data: changed\n\n');
        }, 80);
      });
      return void response.on('close', () => {
        clearTimeout(timer);
        undo();
      });
    }
    case '/phone/say': {
      let text = '';
      for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString('utf8');
      const command = JSON.parse(text) as { chatId: string; text: string };
      const chat = sim.world.chat(command.chatId);
      if (!chat?.isVisibleTo(owner) || !command.text.trim()) return void response.writeHead(400).end();
      chat.say(owner, command.text);
      return void response.writeHead(204).end();
    }
    case '/phone/read':
      sim.world.chat(url.searchParams.get('chat') ?? '')?.read(owner);
      sim.state.log.changed();
      return void response.writeHead(204).end();
    case '/phone':
      return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PHONE_PAGE);
    default:
      return void response.writeHead(404).end();
  }
}
