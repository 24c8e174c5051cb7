import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Chat, SayOptions, SimMessage } from './chat.ts';
import type { FaultRule } from './faults.ts';
import type { Simulator } from './simulator.ts';
import type { Settings } from './state.ts';
import type { GroupOptions, Person } from './world.ts';

/**
 * `/__sim/`: the simulator from another process. `GET /__sim/state` gives what arrived; `POST /__sim/do {op, …}` scripts
 * the world. This is no part of the Messenger.
 */

type Command = { op: string } & Record<string, unknown>;

function summary(message: SimMessage): unknown {
  const { ts, seqNo, from, payloadId, body, deleted, editedTs, envelope } = message;
  return {
    timestamp: String(ts),
    seqNo,
    from: from.guid,
    payloadId,
    body,
    deleted,
    editedTs,
    envelope,
    reactions: message.reactions.map((each) => ({ guid: each.person.guid, type: each.type })),
  };
}

function chatOf(sim: Simulator, command: Command): Chat {
  const chat = sim.world.chat(String(command['chatId']));
  if (!chat) throw new Error(`no chat ${String(command['chatId'])}`);
  return chat;
}
function personOf(sim: Simulator, value: unknown): Person {
  if (value === undefined || value === 'me') return sim.me;
  const person = sim.world.people.find((each) => each.guid === value || each.displayName === value || each.nickname === value);
  if (!person) throw new Error(`no person ${String(value)}`);
  return person;
}
function messageOf(sim: Simulator, command: Command): SimMessage {
  const message = chatOf(sim, command).at(Number(command['timestamp']));
  if (!message) throw new Error('no such message');
  return message;
}

const OPS: Readonly<Record<string, (sim: Simulator, command: Command) => unknown>> = {
  say: (sim, command) =>
    summary(
      chatOf(sim, command).say(
        personOf(sim, command['from']),
        command['body'] === undefined ? String(command['text']) : (command['body'] as never),
        (command['options'] ?? {}) as SayOptions,
      ),
    ),
  edit: (sim, command) => messageOf(sim, command).chat.edit(messageOf(sim, command), String(command['text'])),
  delete: (sim, command) => messageOf(sim, command).chat.delete(messageOf(sim, command)),
  react: (sim, command) => messageOf(sim, command).chat.react(personOf(sim, command['from']), messageOf(sim, command), Number(command['type'])),
  read: (sim, command) => chatOf(sim, command).read(personOf(sim, command['from'])),
  person: (sim, command) => sim.world.person(command['fields'] as { displayName: string }),
  privateChat: (sim, command) => ({ chatId: sim.world.privateChat(personOf(sim, command['with'])).id }),
  group: (sim, command) => {
    const { members, ...options } = command['options'] as { name: string; members?: string[] };
    return { chatId: sim.world.group({ ...(options as GroupOptions), members: (members ?? []).map((each) => personOf(sim, each)) }).id };
  },
  messages: (sim, command) => chatOf(sim, command).messages.map(summary),
  chats: (sim) =>
    [...sim.world.chats.values()].map((chat) => ({
      chatId: chat.id,
      kind: chat.kind,
      name: chat.name,
      members: [...chat.members.keys()],
      count: chat.messages.length,
    })),
  people: (sim) => sim.world.people,
  fault: (sim, command) => void sim.faults.add(command['rule'] as FaultRule),
  clearFaults: (sim) => sim.faults.clear(),
  stopPings: (sim) => void (sim.faults.arePingsStopped = true),
  settings: (sim, command) => Object.assign(sim.settings, command['settings'] as Partial<Settings>),
  expireSession: (sim, command) => sim.expireSession(command as { canRefresh?: boolean; closeSockets?: boolean }),
  setCanRefresh: (sim, command) => void (sim.accounts.canRefresh = command['value'] === true),
  reviveSession: (sim) => sim.accounts.revive(),
  unsubscribe: (sim) => sim.socketSide.unsubscribeAll(),
  dropSockets: (sim) => sim.socketSide.dropAll(),
  cookie: (sim, command) => ({ cookie: sim.cookieFor(personOf(sim, command['as'])).header }),
  clearLog: (sim) => {
    for (const list of [sim.log, sim.pushes, sim.violations, sim.hostileReports]) list.length = 0;
  },
};

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body ?? null));
}

export async function serveControl(sim: Simulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  if (path === '/__sim/state') {
    const { pushes, log, violations, received, hostileReports, urls, protocol, cookie, guestCookie, me, state } = sim;
    return json(response, 200, {
      pushes,
      log,
      violations,
      received,
      hostileReports,
      urls,
      protocol,
      cookie,
      guestCookie,
      me,
      connections: sim.socketSide.connections.size,
      unclickedPopups: state.unclickedPopups,
      settings: sim.settings,
      sessions: [...sim.accounts.sessions.values()].map(({ person, isValid }) => ({ guid: person?.guid, isValid })),
    });
  }
  if (path !== '/__sim/do' || request.method !== 'POST') return json(response, 404, { error: 'GET /__sim/state or POST /__sim/do' });
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString('utf8');
  try {
    const command = JSON.parse(text) as Command;
    const run = OPS[command.op];
    if (!run) throw new Error(`no operation ${command.op}; there are ${Object.keys(OPS).join(', ')}`);
    const result = run(sim, command);
    sim.state.log.changed();
    json(response, 200, { ok: true, result: result ?? null });
  } catch (error) {
    json(response, 400, { error: (error as Error).message });
  }
}
