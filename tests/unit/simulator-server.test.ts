import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDemo, fillChat, newGuid, startSimulator, threadId, type Simulator } from '../simulator/index.ts';
import { rawCsrf, RawClient, rawRegistry } from '../simulator/raw-client.ts';

let sim: Simulator;
let client: RawClient;
beforeAll(async () => {
  sim = await startSimulator({ world: 'demo' });
  client = await RawClient.connect(sim);
});
afterAll(async () => {
  client.close();
  await sim.stop();
});

interface HistoryBody {
  Status?: number;
  Chats: { ChatId: string; Messages?: { ServerMessage: { ServerMessageInfo: { Timestamp: number }; [key: string]: unknown } }[]; [key: string]: unknown }[];
}
async function history(params: Record<string, unknown>): Promise<HistoryBody> {
  return ((await client.call('history', params)) as unknown as { body: HistoryBody }).body;
}
const stamps = (body: HistoryBody): number[] => (body.Chats[0]?.Messages ?? []).map((message) => message.ServerMessage.ServerMessageInfo.Timestamp);

describe('reading from the simulator', () => {
  it('pages through 5,000 messages without a gap or a double', async () => {
    const chat = sim.world.group({ name: 'Big' });
    fillChat(chat, [sim.me], 5000, { stepMs: 1000 });
    const all: number[] = [];
    let before: number | undefined;
    for (;;) {
      const page = stamps(await history({ ChatId: chat.id, Limit: 200, ...(before ? { MaxTimestamp: before } : {}) }));
      if (page.length === 0) break;
      all.unshift(...page);
      before = page[0];
    }
    expect(all).toEqual(chat.messages.map((message) => message.ts));
  });

  it('plays both readings of MinTimestamp and of the limited window', async () => {
    const chat = sim.world.group({ name: 'Window' });
    fillChat(chat, [sim.me], 6);
    const ts = chat.messages.map((message) => message.ts);
    const ask = async (): Promise<number[]> => stamps(await history({ ChatId: chat.id, Limit: 2, MinTimestamp: ts[1] }));
    expect(await ask()).toEqual([ts[4], ts[5]]);
    sim.settings.limitedWindowEnd = 'oldest';
    expect(await ask()).toEqual([ts[2], ts[3]]);
    sim.settings.minTimestamp = 'inclusive';
    expect(await ask()).toEqual([ts[1], ts[2]]);
    Object.assign(sim.settings, { minTimestamp: 'exclusive', limitedWindowEnd: 'newest' });
    expect(stamps(await history({ ChatId: chat.id, MaxTimestamp: ts[3], Offset: 2, Limit: 4 }))).toEqual([ts[1], ts[2], ts[3], ts[4]]);
  });

  it('lists chats with exactly their last message, threads apart, and drops what a filter drops', async () => {
    const list = await history({ Limit: 1, ChatDataFilter: {} });
    expect(list.Chats.every((chat) => (chat.Messages?.length ?? 0) <= 1 && !/^1\d\d\//.test(chat.ChatId))).toBe(true);
    const lab = sim.demo!.chats.lab;
    const threads = await history({ Threads: true, ChatIds: [lab.id], ChatDataFilter: {}, Limit: 0 });
    expect(threads.Chats).toMatchObject([{ ChatId: threadId(lab.id, sim.demo!.messages['threadRoot']!.ts), ThreadParentMessage: expect.anything() }]);
    const dropped = await history({ ChatId: lab.id, Limit: 3, MessageDataFilter: { DropPayload: true } });
    expect(dropped.Chats[0]!.Messages![0]!.ServerMessage.ServerMessageInfo).not.toHaveProperty('From');
    expect(await history({ ChatId: threadId(lab.id, lab.last!.ts), Limit: 1 })).toMatchObject({ Status: 4 });
  });

  it('truncates the actors beside a message and has them all in list_reactions', async () => {
    const message = sim.demo!.messages['reactions']!;
    const [chat] = (await history({ ChatId: message.chat.id, MaxTimestamp: message.ts + 1, Limit: 1 })).Chats;
    const server = chat!.Messages![0]!.ServerMessage as Record<string, unknown>;
    expect(server).toMatchObject({
      ReadsCount: 10,
      RecentUserReads: expect.objectContaining({ length: 3 }),
      RecentUserReactions: expect.objectContaining({ length: 3 }),
    });
    const params = { ChatId: message.chat.id, Timestamp: message.ts, Limit: 50 };
    expect(await client.call('list_reactions', params)).toMatchObject({ body: { UserReactions: expect.objectContaining({ length: 9 }) } });
    expect(await client.call('list_reactions', { ...params, Mode: 1 })).toMatchObject({
      body: { UserReads: expect.objectContaining({ length: 10 }), ReadsCount: 10 },
    });
  });

  it('hides the voters of an anonymous poll and answers nothing before the first vote', async () => {
    const ask = async (name: string): Promise<unknown> => {
      const message = sim.demo!.messages[name]!;
      return client.call('poll_info', { ChatId: message.chat.id, Timestamp: message.ts, Limit: 10, ReturnResults: true });
    };
    expect(await ask('pollEmpty')).toMatchObject({ body: { Results: {} } });
    expect(await ask('pollMany')).toMatchObject({ body: { MyChoices: [2], Results: { VotedCount: 2, Answers: [1, 0, 2] } } });
    const anonymous = (await ask('pollAnonymous')) as { body: object };
    expect(anonymous.body).not.toHaveProperty('AnswerVotes');
    expect(JSON.stringify(anonymous.body)).not.toContain('RecentVoters');
  });

  it('is the same demo world every time', () => {
    const ids = (demo: ReturnType<typeof buildDemo>): string[] => [...demo.world.chats.keys()].filter((id) => !/^1\d\d\//.test(id));
    expect(ids(buildDemo())).toEqual(ids(buildDemo()));
    const { me, people } = sim.demo!.world as unknown as { me: { guid: string }; people: { guid: string }[] };
    expect(people.some((person) => person.guid < me.guid) && people.some((person) => person.guid > me.guid)).toBe(true);
  });
});

describe('files in the simulator', () => {
  it('a download goes over to a foreign host, per segment, with the cookies left behind', async () => {
    const file = sim.demo!.files.pdf;
    const url = `${sim.protocol.privateFilesUrl}/file_shortterm/${file.id2}?attach=true`;
    const headers = { Cookie: sim.cookie };
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(401);
    expect((await fetch(url.replace(file.id2, encodeURIComponent(file.id2)), { headers, redirect: 'manual' })).status).toBe(404);
    const first = await fetch(url, { headers, redirect: 'manual' });
    expect(first.status).toBe(302);
    const target = first.headers.get('location')!;
    expect(new URL(target).hostname).toBe('localhost');
    const got = await fetch(target);
    expect(Buffer.from(await got.arrayBuffer())).toEqual(file.bytes);
    expect(got.headers.get('content-disposition')).toContain("filename*=UTF-8''");
    const seen = sim.violations.length;
    await fetch(target, { headers });
    expect(sim.violations.slice(seen)).toEqual(["storage: the foreign host received the session's cookies"]);
  });

  it('an upload takes three steps and can be sent afterwards', async () => {
    const csrf = await rawCsrf(sim);
    const chat = sim.world.self();
    const bytes = Buffer.from('hello file');
    const files = [{ name: 'a.txt', upload_id: newGuid(), size: bytes.length, chat_id: chat.id }];
    expect(await rawRegistry(sim, 'upload_to_disk', { files })).toMatchObject({ status: 403 });
    const first = (await rawRegistry(sim, 'upload_to_disk', { files }, { csrf })).body as { data: { files: { upload_url: string }[] } };
    const put = await fetch(first.data.files[0]!.upload_url, { method: 'PUT', body: bytes });
    const location = put.headers.get('location');
    const second = (await rawRegistry(sim, 'add_files', { chat_id: chat.id, files: [{ location }] }, { csrf })).body as { data: { files: { id: string }[] } };
    const FileInfo = { Id2: second.data.files[0]!.id, Name: 'a.txt', Size: bytes.length, Source: 1 };
    expect(await client.push({ Plain: { ChatId: chat.id, PayloadId: newGuid(), MiscFile: { FileInfo } } })).toMatchObject({ body: { Status: 1 } });
    expect(sim.received.at(-1)).toMatchObject({ name: 'a.txt', size: bytes.length });
  });
});

describe('the simulator from another process', () => {
  it('is scripted and looked at over its control address', async () => {
    const act = async (body: object): Promise<unknown> => (await fetch(`${sim.urls.control}do`, { method: 'POST', body: JSON.stringify(body) })).json();
    const chatId = sim.demo!.chats.anna.id;
    expect(await act({ op: 'say', chatId, from: 'anna', text: 'over control' })).toMatchObject({ ok: true });
    await expect.poll(() => client.frames.some((frame) => frame.type === 'push' && JSON.stringify(frame.body).includes('over control'))).toBe(true);
    expect(await act({ op: 'dance' })).toMatchObject({ error: expect.stringContaining('dance') });
    expect(await (await fetch(`${sim.urls.control}state`)).json()).toMatchObject({ connections: 1, me: { guid: sim.me.guid } });
  });

  it('says in one sentence that its port is taken', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const child = spawn(process.execPath, ['--import', 'tsx', 'tests/simulator/cli.ts', '--port', String(port)], { stdio: ['pipe', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    blocker.close();
    expect(code).toBe(1);
    expect(said.trim()).toBe(`The simulator cannot start: port ${port} is already taken; choose another with --port, or 0 for any free one.`);
  });
});
