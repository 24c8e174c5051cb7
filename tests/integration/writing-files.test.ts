import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { World, type Chat } from '../simulator/index.ts';
import { startCore, type RunningCore } from './support.ts';
import { confirmWith, draftAndConfirm, wireWatch } from './writing-support.ts';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4nGP8z8DwnwEKmBiQAAAqFwICz0mEPwAAAABJRU5ErkJggg==', 'base64');

let base: string;
let allowed: string;
let core: RunningCore;
let group: Chat;
let wire: () => Record<string, unknown>[];

beforeAll(async () => {
  base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'vestnik-send-')));
  allowed = path.join(base, 'Documents');
  mkdirSync(allowed);
  writeFileSync(path.join(base, 'secret.txt'), 'secret');
  const world = new World();
  group = world.group({ name: 'Файлы', members: [world.person({ displayName: 'Анна' })] });
  group.say(world.me, 'начало');
  core = await startCore({ simulator: { world }, flags: { policy: 'agent', allow: [allowed] } });
  wire = wireWatch(core);
});
afterAll(async () => {
  expect(core.sim.violations).toEqual([]);
  await core.close();
  rmSync(base, { recursive: true, force: true });
});
beforeEach(() => void wire());

function file(name: string, content: string | Buffer): string {
  const place = path.join(allowed, name);
  writeFileSync(place, content);
  return place;
}
const uploads = () => core.sim.requests('upload_to_disk').length;

it('an image goes out in three steps and can be fetched again', async () => {
  const place = file('Схема проекта.png', PNG);
  const { draft, outcome } = await draftAndConfirm(core, 'send_file', { chat: group.id, path: place });
  expect(draft).toMatchObject({ path: place, name: 'Схема проекта.png', size: PNG.length, kind: 'image', mime: 'image/png', width: 3, height: 2 });
  expect(outcome).toMatchObject({ status: 'sent', commit_status: 1, form_status: 'documented', file_id: expect.stringContaining('/') });
  expect(wire()).toEqual([
    {
      Plain: {
        ChatId: group.id,
        PayloadId: expect.any(String),
        Image: { Width: 3, Height: 2, FileInfo: { Id2: outcome['file_id'], Name: 'Схема проекта.png', Size: PNG.length, Source: 1 } },
      },
    },
  ]);
  const fetched = await core.call('download_attachment', { file_id: outcome['file_id'] });
  expect(readFileSync(fetched['path']).equals(PNG)).toBe(true);
});

it('anything else goes as a file, whatever its name', async () => {
  const { draft } = await draftAndConfirm(core, 'send_file', { chat: group.id, path: file('фото.jpg', 'MZ\0not a picture') });
  expect(draft).toMatchObject({ kind: 'file' });
  expect(wire()).toMatchObject([{ Plain: { MiscFile: { FileInfo: { Name: 'фото.jpg', Source: 1 } } } }]);
});

it('the link and its real path are the same file to a draft', async () => {
  const place = file('a.txt', 'text');
  symlinkSync(place, path.join(allowed, 'link.txt'));
  const draft = await core.call('send_file', { chat: group.id, path: path.join(allowed, 'link.txt') });
  expect(draft['path']).toBe(place);
  expect(await core.call('send_file', { chat: group.id, path: place, confirm: true, confirm_token: draft['confirm_token'] })).toMatchObject({ status: 'sent' });
});

it('refuses what may not be sent, and says so', async () => {
  symlinkSync(path.join(base, 'secret.txt'), path.join(allowed, 'innocent.txt'));
  for (const bad of [
    path.join(base, 'secret.txt'),
    path.join(allowed, 'innocent.txt'),
    path.join(allowed, '..', 'secret.txt'),
    '/etc/passwd',
    file('.env', 'x'),
  ])
    expect(await core.fail('send_file', { chat: group.id, path: bad })).toMatchObject({ code: 'file_not_allowed' });
  expect(await core.fail('send_file', { chat: group.id, path: path.join(allowed, 'gone.txt') })).toMatchObject({ code: 'file_missing' });
  expect(await core.fail('send_file', { chat: group.id, path: 'relative.txt' })).toMatchObject({ code: 'invalid_argument' });
});

it('refuses another file, a changed one, and one that has gone', async () => {
  const place = file('doc.txt', 'one');
  const args = { chat: group.id, path: place };
  const draft = await core.call('send_file', args);
  const before = uploads();
  expect(await confirmWith(core, 'send_file', draft, { ...args, path: file('other.txt', 'one') })).toMatchObject({ code: 'args_changed' });
  appendFileSync(place, '!');
  expect(await confirmWith(core, 'send_file', draft, args)).toMatchObject({ code: 'file_changed' });
  rmSync(place);
  expect(await confirmWith(core, 'send_file', draft, args)).toMatchObject({ code: 'file_missing' });
  expect(uploads()).toBe(before);
  expect(wire()).toEqual([]);
  // The person's click checks again by itself.
  expect(await core.person({ op: 'confirm', id: draft['draft_id'] })).toMatchObject({ status: 'failed', outcome: { code: 'file_missing' } });
  const second = await core.call('send_file', { ...args, path: file('doc2.txt', 'one') });
  writeFileSync(path.join(allowed, 'doc2.txt'), 'two');
  expect(await core.person({ op: 'confirm', id: second['draft_id'] })).toMatchObject({ status: 'failed', outcome: { code: 'file_changed' } });
  expect(uploads()).toBe(before);
});

it('a finished draft tells its outcome even when the file has gone', async () => {
  const place = file('once.txt', 'once');
  const { draft, outcome } = await draftAndConfirm(core, 'send_file', { chat: group.id, path: place });
  rmSync(place);
  expect(await core.call('send_file', { chat: group.id, path: place, confirm: true, confirm_token: draft['confirm_token'] })).toEqual(outcome);
  expect(wire()).toHaveLength(1);
});

it('tells quota and size apart, and sends no message then', async () => {
  for (const [status, code] of [
    [507, 'upload_quota'],
    [403, 'upload_quota'],
    [413, 'upload_too_large'],
    [500, 'server_error'],
  ] as const) {
    core.sim.faults.add({ channel: 'upload', action: { kind: 'http', status } });
    const args = { chat: group.id, path: file(`f${status}.txt`, 'x') };
    const draft = await core.call('send_file', args);
    expect(await confirmWith(core, 'send_file', draft, args)).toMatchObject({ status: 'failed', code });
    core.sim.faults.clear();
  }
  expect(wire()).toEqual([]);
});

it('an answer lost after the push is found by reading, and nothing is sent twice', async () => {
  const args = { chat: group.id, path: file('lost.txt', 'lost') };
  const draft = await core.call('send_file', args);
  core.sim.faults.dropAfterCommit();
  const before = group.messages.length;
  const outcome = await core.call('send_file', { ...args, confirm: true, confirm_token: draft['confirm_token'] });
  expect(outcome).toMatchObject({ status: 'sent', found_by_reading: true });
  expect(await core.call('send_file', { ...args, confirm: true, confirm_token: draft['confirm_token'] })).toEqual(outcome);
  expect(group.messages.length).toBe(before + 1);
  expect(wire()).toHaveLength(1);
});

it('streams a large file whole and tells how far it is', async () => {
  const big = Buffer.alloc(12 * 1024 * 1024 + 17, 'vestnik');
  const args = { chat: group.id, path: file('big.bin', big) };
  const draft = await core.call('send_file', args);
  const progress: number[] = [];
  const onprogress = ({ progress: done, total }: { progress: number; total?: number | undefined }) => void (total === big.length && progress.push(done));
  const outcome = await core.call('send_file', { ...args, confirm: true, confirm_token: draft['confirm_token'] }, { onprogress });
  expect(progress.at(-1)).toBe(big.length);
  expect(progress.length).toBeGreaterThan(2);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(core.sim.world.files.get(outcome['file_id'] as string)?.bytes.equals(big)).toBe(true);
});
