import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newGuid, startSimulator, type Simulator } from '../simulator/index.ts';
import { rawCsrf, RawClient, rawRegistry } from '../simulator/raw-client.ts';

let sim: Simulator;
const clients: RawClient[] = [];
async function connect(options?: Parameters<typeof RawClient.connect>[1]): Promise<RawClient> {
  const client = await RawClient.connect(sim, options);
  clients.push(client);
  return client;
}

beforeAll(async () => {
  sim = await startSimulator();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  sim.faults.clear();
});
afterAll(() => sim.stop());

describe('the simulator is as strict at the socket as the server', () => {
  it('closes with 4400 when the service has a literal plus', async () => {
    const client = await connect({
      query: `service=messenger-prod%3Aversion5*common+version5*main&session=0a1b-2c3d-4e5f-6a7b&client=web_main&user=${sim.me.uid}`,
    });
    await expect.poll(() => client.closed).toEqual({ code: 4400, reason: 'invalid argument "service"' });
  });

  it('refuses an unknown cookie, a guest and a foreign origin at the handshake', async () => {
    await expect(connect({ cookie: 'Session_id=nonsense; yandexuid=1' })).rejects.toThrow('401');
    await expect(connect({ cookie: sim.guestCookie })).rejects.toThrow('401');
    await expect(connect({ origin: 'https://evil.example' })).rejects.toThrow('403');
  });

  it('says `subscribed` and pings at once, with a new id on every connection', async () => {
    const first = await connect();
    const second = await connect();
    expect(first.subscriptionId).toMatch(/^[0-9a-f]{40}$/);
    expect(second.subscriptionId).not.toBe(first.subscriptionId);
    await expect.poll(() => first.operations[1]).toEqual({ operation: 'ping', 'server-interval-sec': 60 });
  });

  it('answers layer 1 for a missing RequestId, a skipped seq and an unknown method', async () => {
    const client = await connect();
    expect(await client.call('whoami', { RequestId: undefined })).toMatchObject({ type: 'proxy_status', errorCode: 2 });
    expect(await client.call('nonsense', {})).toMatchObject({ type: 'proxy_status', errorCode: 5 });
    expect(await client.call('whoami', {})).toMatchObject({ type: 'data', body: { UserInfo: { Guid: sim.me.guid } } });
  });

  it('list_reactions without Limit is a layer 1 error; an unknown chat is layer 2', async () => {
    const client = await connect();
    const message = sim.world.self().say(sim.me, 'hello');
    expect(await client.call('list_reactions', { ChatId: message.chat.id, Timestamp: message.ts })).toMatchObject({ type: 'proxy_status', errorCode: 2 });
    expect(await client.call('list_reactions', { ChatId: message.chat.id, Timestamp: message.ts, Limit: 10 })).toMatchObject({ body: { UserReactions: [] } });
    expect(await client.call('history', { ChatId: '0/0/nowhere', Limit: 1 })).toMatchObject({ type: 'data', body: { Status: 4 } });
  });

  it('history is exclusive above, oldest first, and finds the newest of a page', async () => {
    const client = await connect();
    const chat = sim.world.privateChat(sim.world.person({ displayName: 'Кто-то' }));
    const said = ['one', 'two', 'three', 'four'].map((text) => chat.say(sim.me, text));
    const answer = await client.call('history', { ChatId: chat.id, Limit: 2, MaxTimestamp: said[3]!.ts });
    const [entry] = (answer as unknown as { body: { Chats: { Messages: { ServerMessage: { ServerMessageInfo: { Timestamp: number } } }[] }[] } }).body.Chats;
    expect(entry!.Messages.map((message) => message.ServerMessage.ServerMessageInfo.Timestamp)).toEqual([said[1]!.ts, said[2]!.ts]);
  });
});

describe('the simulator is as strict about pushes as the server', () => {
  const text = (MessageText: string, more = {}) => ({ Plain: { ChatId: sim.world.self().id, PayloadId: newGuid(), Text: { MessageText }, ...more } });

  it('a flat push gets the misleading NO_SUCH_CHAT', async () => {
    const client = await connect();
    expect(await client.call('push', text('x'))).toMatchObject({ type: 'data', body: { Status: 4 } });
  });

  it('a repeated PayloadId is DUPLICATE with the original message', async () => {
    const client = await connect();
    const variant = text('once');
    const first = await client.push(variant);
    expect(first).toMatchObject({ body: { Status: 1, MessageInfo: { Version: 1 } } });
    const second = await client.push(variant);
    expect(second).toMatchObject({ body: { Status: 8, MessageInfo: (first as unknown as { body: { MessageInfo: object } }).body.MessageInfo } });
    expect(sim.messagesIn(sim.world.self()).filter((message) => message.payloadId === variant.Plain.PayloadId)).toHaveLength(1);
  });

  it('Reaction.Type as a string is a layer 1 error, any number is stored', async () => {
    const client = await connect();
    const message = sim.world.self().say(sim.me, 'react');
    const reaction = (Type: unknown) => ({ Reaction: { ChatId: message.chat.id, Timestamp: message.ts, Type } });
    expect(await client.push(reaction('128077'))).toMatchObject({ type: 'proxy_status', errorCode: 2 });
    expect(await client.push(reaction(424242))).toMatchObject({ body: { Status: 1 } });
    expect(message.reactions).toMatchObject([{ type: 424242 }]);
  });

  it("somebody else's message cannot be edited or deleted, a missing one is not found, a foreign chat refuses", async () => {
    const client = await connect();
    const other = sim.world.person({ displayName: 'Other' });
    const chat = sim.world.privateChat(other);
    const theirs = chat.say(other, 'mine');
    const foreign = sim.world.group({ name: 'Foreign', members: [other], withMe: false });
    expect(await client.push({ Plain: { ChatId: chat.id, Timestamp: theirs.ts } })).toMatchObject({ body: { Status: 15 } });
    expect(await client.push({ Plain: { ChatId: chat.id, Timestamp: theirs.ts, Text: { MessageText: 'x' } } })).toMatchObject({ body: { Status: 15 } });
    expect(await client.push({ Plain: { ChatId: chat.id, Timestamp: theirs.ts + 1, Text: { MessageText: 'x' } } })).toMatchObject({ body: { Status: 11 } });
    expect(await client.push({ Plain: { ChatId: foreign.id, PayloadId: newGuid(), Text: { MessageText: 'x' } } })).toMatchObject({ body: { Status: 7 } });
  });

  it('a subscription id of another connection is refused', async () => {
    const client = await connect();
    const other = await connect();
    client.operations.splice(0, client.operations.length, { operation: 'subscribed', 'subscription-id': other.subscriptionId });
    expect(await client.push(text('x'))).toMatchObject({ type: 'proxy_status', errorCode: 2 });
  });

  it('a dropped push is written or not, as the fault says', async () => {
    const chat = sim.world.self();
    for (const commit of [true, false]) {
      const client = await connect();
      const variant = text(`drop ${commit}`);
      sim.faults.nextPush({ kind: 'drop', commit });
      void client.push(variant).catch(() => undefined);
      await expect.poll(() => client.closed).toBeTruthy();
      expect(chat.messages.some((message) => message.payloadId === variant.Plain.PayloadId)).toBe(commit);
    }
  });
});

describe('the simulator is as strict in the registry as the server', () => {
  it('request_user needs the CSRF token and gives a guest no uid', async () => {
    expect(await rawRegistry(sim, 'request_user', { bind_phone_number: false })).toMatchObject({ status: 403, body: { data: { code: 'bad_csrf_token' } } });
    const mine = await rawRegistry(sim, 'request_user', { bind_phone_number: false }, { csrf: await rawCsrf(sim) });
    expect(mine.body).toMatchObject({ status: 'ok', data: { user: { guid: sim.me.guid, uid: Number(sim.me.uid) } } });
    const guest = { cookie: sim.guestCookie };
    const theirs = await rawRegistry(sim, 'request_user', { bind_phone_number: false }, { ...guest, csrf: await rawCsrf(sim, sim.guestCookie) });
    expect(theirs.body).toMatchObject({ status: 'ok', data: { sign: expect.any(String) } });
    expect((theirs.body as { data: { user: object } }).data.user).not.toHaveProperty('uid');
  });

  it('a bad cookie, a second field and missing headers are errors', async () => {
    expect(await rawRegistry(sim, 'search', {}, { cookie: 'Session_id=x' })).toMatchObject({ status: 401, body: { data: { code: 'invalid_cookies' } } });
    const form = new FormData();
    form.append('request', JSON.stringify({ method: 'search', params: {} }));
    form.append('more', '1');
    expect(await rawRegistry(sim, '', {}, { form })).toMatchObject({ status: 400 });
    expect(await rawRegistry(sim, 'search', {}, { headers: { Referer: 'https://evil.example/' } })).toMatchObject({ status: 400 });
  });

  it('search throws `contacts` out and then complains about the empty list; total is what came back', async () => {
    expect(await rawRegistry(sim, 'search', { query: 'x', entities: ['contacts'] })).toMatchObject({ status: 400 });
    const chat = sim.world.group({ name: 'Поиск' });
    for (let i = 0; i < 9; i += 1) chat.say(sim.me, `иголка ${i}`);
    const found = await rawRegistry(sim, 'search', { query: 'Иголка', entities: ['messages'] });
    expect(found.body).toMatchObject({ data: { messages: { total: 5, items: expect.objectContaining({ length: 5 }) } } });
  });
});
