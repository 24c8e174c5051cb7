import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CancelledError, TimeoutError } from '../../app/wire/errors.ts';
import type { DownloadStream, UploadFile } from '../../app/wire/index.ts';
import { budget, startBench } from './wire-harness.ts';

const SEARCH = { query: 'x', entities: ['users'] };

describe('the registry', () => {
  it('gets its headers, and the token only where something changes', async () => {
    const { sim, wire } = await startBench({ protocol: { organizationId: 77 } });
    await wire.registry('search', SEARCH, budget());
    const [entry] = sim.requests('search');
    expect(entry?.headers).toMatchObject({ accept: 'application/json', referer: sim.protocol.messengerPageUrl, 'x-ya-organization-id': '77' });
    expect(entry?.headers).not.toHaveProperty('x-csrf-token');
    expect(sim.requests('request_user')[0]?.headers).toHaveProperty('x-csrf-token');
  });

  it('gets a new token once when the old one has become bad', async () => {
    const { sim, wire } = await startBench();
    await wire.connect(budget());
    sim.accounts.rotateCsrf();
    await wire.registry('create_private_chat', { guid: sim.me.guid }, { ...budget(), isMutation: true });
    expect(sim.requests('create_private_chat')).toHaveLength(2);
    sim.faults.add({ channel: 'registry', method: 'create_private_chat', action: { kind: 'http', status: 403, code: 'bad_csrf_token' }, times: 5 });
    await expect(wire.registry('create_private_chat', {}, { ...budget(), isMutation: true })).rejects.toMatchObject({ registryCode: 'bad_csrf_token' });
    expect(sim.requests('create_private_chat')).toHaveLength(4);
  });

  it.each([
    { kind: 'http', status: 500 },
    { kind: 'http', status: 503, code: 'unavailable' },
    { kind: 'http', status: 429 },
  ] as const)('is asked again for a read that met %j', async (action) => {
    const { sim, wire } = await startBench();
    sim.faults.add({ channel: 'registry', method: 'search', action });
    expect(await wire.registry('search', SEARCH, budget())).toHaveProperty('users');
    expect(sim.requests('search')).toHaveLength(2);
  });

  it('that asks a read to wait longer than it may is told as that', async () => {
    const { sim, wire } = await startBench();
    sim.faults.add({ channel: 'registry', method: 'search', action: { kind: 'http', status: 429, headers: { 'retry-after': '30' } } });
    await expect(wire.registry('search', SEARCH, budget(300))).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 30_000 });
  });

  it.each([
    { kind: 'http', status: 500 },
    { kind: 'http', status: 429 },
  ] as const)('is asked once for a change, whatever happened: %j', async (action) => {
    const { sim, wire } = await startBench();
    sim.faults.add({ channel: 'registry', method: 'create_private_chat', action });
    await expect(wire.registry('create_private_chat', { guid: sim.me.guid }, { ...budget(), isMutation: true })).rejects.toThrow();
    expect(sim.requests('create_private_chat')).toHaveLength(1);
  });

  it('that refuses, or answers what is no answer, is told with a typed error', async () => {
    const { sim, wire } = await startBench();
    await expect(wire.registry('get_chat_members', { chat_id: '0/0/none' }, budget())).rejects.toMatchObject({
      code: 'registry',
      registryCode: 'chat_not_found',
      httpStatus: 404,
    });
    sim.faults.add({ channel: 'registry', method: 'search', action: { kind: 'garbage' } });
    await expect(wire.registry('search', SEARCH, budget())).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  it('that says nothing holds a call no longer than its budget', async () => {
    const { sim, wire } = await startBench();
    await wire.connect(budget());
    sim.faults.add({ channel: 'registry', method: 'search', action: { kind: 'silence' } });
    await expect(wire.registry('search', SEARCH, budget(300))).rejects.toMatchObject({ code: 'timeout' });
    sim.faults.add({ channel: 'registry', method: 'search', action: { kind: 'silence' } });
    const controller = new AbortController();
    const call = wire.registry('search', SEARCH, { signal: controller.signal });
    await sim.waitFor(() => sim.faults.pending === 0);
    controller.abort(new CancelledError());
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('that says nothing to a change leaves it open whether it was made, and to a read it does not', async () => {
    const { sim, wire } = await startBench();
    await wire.connect(budget());
    sim.faults.add({ channel: 'registry', action: { kind: 'silence' }, times: 2 });
    const change = wire.registry('create_private_chat', { guid: sim.me.guid }, { ...budget(300), isMutation: true });
    await expect(change).rejects.toMatchObject({ code: 'timeout', wasSent: true });
    await expect(wire.registry('search', SEARCH, budget(300))).rejects.toMatchObject({ code: 'timeout', wasSent: false });
  });

  it('that cannot be reached for the first proof is tried again', async () => {
    const { sim, wire } = await startBench();
    sim.faults.add({ channel: 'csrf', action: { kind: 'drop' }, times: 2 });
    expect(await wire.connect(budget())).toMatchObject({ guid: sim.me.guid });
  });
});

async function bytesOf(stream: DownloadStream): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a download', () => {
  it('follows the storage host without the cookies, and keeps every byte and the name', async () => {
    const { sim, wire } = await startBench({ settings: { storageHops: 2 } });
    const content = randomBytes(300_000);
    const file = sim.world.file('Отчёт «за май».pdf', content, 'application/pdf');
    const stream = await wire.download({ fileId: file.id2 }, budget());
    expect(stream).toMatchObject({ contentType: 'application/pdf', contentLength: content.length, suggestedName: 'Отчёт «за май».pdf' });
    expect((await bytesOf(stream)).equals(content)).toBe(true);
    const storage = sim.log.filter((entry) => entry.channel === 'storage');
    expect(storage.map((entry) => entry.cookiesSent)).toEqual(['', '', '']);
  });

  it('of a preview asks for its size', async () => {
    const { sim, wire } = await startBench();
    const file = sim.world.file('a.png', 'png', 'image/png');
    await bytesOf(await wire.download({ fileId: file.id2, size: 'MIDDLE2048' }, budget()));
    expect(sim.log.find((entry) => String(entry.params['url']).includes('file_shortterm'))?.params['url']).toMatch(/\?size=MIDDLE2048$/);
  });

  it('that does not exist, loops, or is refused is told with a typed error', async () => {
    const { sim, wire } = await startBench({ settings: { storageHops: 9 } });
    const file = sim.world.file('a.txt', 'text');
    await expect(wire.download({ fileId: 'bucket/none' }, budget())).rejects.toMatchObject({ code: 'file_missing' });
    await expect(wire.download({ fileId: '../../chat' }, budget())).rejects.toMatchObject({ code: 'file_missing' });
    await expect(wire.download({ fileId: file.id2 }, budget())).rejects.toMatchObject({ code: 'download_failed' });
    sim.settings.storageHops = 0;
    sim.faults.add({ channel: 'storage', action: { kind: 'http', status: 403 } });
    await expect(wire.download({ fileId: file.id2 }, budget())).rejects.toMatchObject({ code: 'download_failed', httpStatus: 403 });
  });

  it('survives a storage host that fails before the first byte', async () => {
    const { sim, wire } = await startBench();
    const file = sim.world.file('a.txt', 'text');
    sim.faults.add({ channel: 'storage', action: { kind: 'http', status: 503 } });
    sim.faults.add({ channel: 'files', action: { kind: 'drop' } });
    expect((await bytesOf(await wire.download({ fileId: file.id2 }, budget()))).toString()).toBe('text');
  });

  it('that breaks off never looks whole', async () => {
    const { sim, wire } = await startBench();
    const file = sim.world.file('a.bin', randomBytes(200_000));
    sim.faults.add({ channel: 'storage', action: { kind: 'cut', afterBytes: 70_000 } });
    await expect(wire.download({ fileId: file.id2 }, budget()).then(bytesOf)).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('that stalls ends with the call, and one thrown away early ends too', async () => {
    const { sim, wire } = await startBench();
    const file = sim.world.file('a.bin', '', 'application/octet-stream', 50_000_000);
    sim.faults.add({ channel: 'storage', action: { kind: 'stall', afterBytes: 70_000 } });
    await expect(wire.download({ fileId: file.id2 }, budget(500)).then(bytesOf)).rejects.toMatchObject({ code: 'timeout' });
    const stream = await wire.download({ fileId: file.id2 }, budget());
    for await (const chunk of stream.body) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    const unread = await wire.download({ fileId: file.id2 }, budget());
    await unread.body[Symbol.asyncIterator]().return?.();
  });

  it('renews rejected cookies first', async () => {
    const { sim, wire, session } = await startBench();
    const file = sim.world.file('a.txt', 'text');
    await wire.connect(budget());
    session.renewsFor(sim);
    sim.expireSession({ closeSockets: false });
    expect((await bytesOf(await wire.download({ fileId: file.id2 }, budget()))).toString()).toBe('text');
    expect(session.refreshes).toBe(1);
  });
});

describe('an upload', () => {
  function uploadOf(chatId: string, content: Buffer, sizeBytes = content.length): UploadFile & { opened: number } {
    const file = {
      chatId,
      name: 'отчёт.bin',
      sizeBytes,
      opened: 0,
      async *open() {
        file.opened++;
        for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
      },
    };
    return file;
  }

  it('brings every byte in three steps, tells its progress and shows the foreign host no cookies', async () => {
    const { sim, wire, selfChat } = await startBench();
    const content = randomBytes(1_000_000);
    const progress: number[] = [];
    const { fileId } = await wire.upload(uploadOf(selfChat, content), { ...budget(), onProgress: (sent) => progress.push(sent) });
    expect(sim.received).toEqual([
      { fileId, name: 'отчёт.bin', size: content.length, sha256: createHash('sha256').update(content).digest('hex'), chatId: selfChat },
    ]);
    expect(progress.at(-1)).toBe(content.length);
    expect(progress.length).toBeGreaterThan(10);
  });

  it('of an empty file works', async () => {
    const { sim, wire, selfChat } = await startBench();
    await wire.upload(uploadOf(selfChat, Buffer.alloc(0)), budget());
    expect(sim.received).toMatchObject([{ size: 0 }]);
  });

  const steps = [
    ['upload_to_disk', { channel: 'registry', method: 'upload_to_disk' }],
    ['PUT', { channel: 'upload' }],
    ['add_files', { channel: 'registry', method: 'add_files' }],
  ] as const;
  it.each(
    steps.flatMap(([step, where]) => [
      [step, 403, 'upload_quota', where],
      [step, 507, 'upload_quota', where],
      [step, 413, 'upload_too_large', where],
      [step, 500, 'upload_failed', where],
    ]),
  )('refused at %s with %i is told as %s', async (_step, status, code, where) => {
    const { sim, wire, selfChat } = await startBench();
    sim.faults.add({ ...(where as (typeof steps)[number][1]), action: { kind: 'http', status: status as number } });
    await expect(wire.upload(uploadOf(selfChat, randomBytes(2_000_000)), budget())).rejects.toMatchObject({ code, httpStatus: status });
  });

  it('announced larger than allowed is refused by the server before the bytes have gone', async () => {
    const { wire, selfChat } = await startBench({ settings: { maxUploadBytes: 1000 } });
    await expect(wire.upload(uploadOf(selfChat, randomBytes(5_000_000)), budget())).rejects.toMatchObject({ code: 'upload_too_large' });
  });

  it('whose file fails or changes under it fails with that', async () => {
    const { sim, wire, selfChat } = await startBench();
    const changed = new Error('the file changed');
    const broken: UploadFile = {
      chatId: selfChat,
      name: 'x',
      sizeBytes: 100_000,
      async *open() {
        yield Buffer.alloc(1000);
        throw changed;
      },
    };
    await expect(wire.upload(broken, budget())).rejects.toBe(changed);
    await expect(wire.upload(uploadOf(selfChat, randomBytes(5000), 4000), budget())).rejects.toMatchObject({ code: 'upload_failed' });
    await expect(wire.upload(uploadOf(selfChat, randomBytes(3000), 4000), budget())).rejects.toMatchObject({ code: 'upload_failed' });
    expect(sim.received).toEqual([]);
  });

  it('ends with its call', async () => {
    const { sim, wire, selfChat } = await startBench();
    sim.faults.add({ channel: 'upload', action: { kind: 'silence' } });
    const controller = new AbortController();
    const upload = wire.upload(uploadOf(selfChat, randomBytes(1000)), { signal: controller.signal });
    await sim.waitFor(() => sim.faults.pending === 0);
    controller.abort(new TimeoutError());
    await expect(upload).rejects.toMatchObject({ code: 'timeout' });
  });

  it('cut in the middle is told as a lost connection, and nothing else is tried', async () => {
    const { sim, wire, selfChat } = await startBench();
    sim.faults.add({ channel: 'upload', action: { kind: 'cut', afterBytes: 100_000 } });
    const file = uploadOf(selfChat, randomBytes(3_000_000));
    await expect(wire.upload(file, budget())).rejects.toMatchObject({ code: 'connection_lost', wasSent: false });
    expect(file.opened).toBe(1);
    expect(sim.requests('add_files')).toEqual([]);
  });

  it('of one with expired cookies renews them first', async () => {
    const { sim, wire, session, selfChat } = await startBench();
    await wire.connect(budget());
    session.renewsFor(sim);
    sim.expireSession();
    await wire.upload(uploadOf(selfChat, Buffer.from('x')), budget());
    expect(sim.received).toHaveLength(1);
  });
});
