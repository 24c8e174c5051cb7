import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectFile } from '../../app/messenger/writing/file-content.ts';
import { hasForbiddenSegment, isInside, openForSending } from '../../app/messenger/writing/file-policy.ts';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4nGP8z8DwnwEKmBiQAAAqFwICz0mEPwAAAABJRU5ErkJggg==', 'base64');
const isPosix = process.platform !== 'win32';

let base: string;
let allowed: string;
let outside: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'vestnik-files-')));
  allowed = path.join(base, 'Documents');
  outside = path.join(base, 'secrets');
  mkdirSync(path.join(allowed, 'deep', 'er'), { recursive: true });
  mkdirSync(path.join(allowed, '.hidden'));
  mkdirSync(outside);
  writeFileSync(path.join(allowed, 'a.txt'), 'hello');
  writeFileSync(path.join(allowed, 'deep', 'er', 'b.txt'), 'deep');
  writeFileSync(path.join(allowed, '.env'), 'secret');
  writeFileSync(path.join(allowed, '.hidden', 'c.txt'), 'secret');
  writeFileSync(path.join(outside, 'key.txt'), 'secret');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function tryOpen(file: string, rules: { allowedFolders?: string[]; maxFileBytes?: number } = {}): Promise<string> {
  try {
    const { handle, realPath } = await openForSending(file, { allowedFolders: [allowed], maxFileBytes: 1000, ...rules });
    await handle.close();
    return `open ${path.relative(base, realPath)}`;
  } catch (error) {
    return (error as { code: string }).code;
  }
}
const inAllowed = (...names: string[]) => path.join(allowed, ...names);

describe.runIf(isPosix)('a file leaves only from where the person allows', () => {
  it('opens files inside the folder, at any depth', async () => {
    expect(await tryOpen(inAllowed('a.txt'))).toBe('open Documents/a.txt');
    expect(await tryOpen(inAllowed('deep', 'er', 'b.txt'))).toBe('open Documents/deep/er/b.txt');
    expect(await tryOpen(`${allowed}/deep/../a.txt`)).toBe('open Documents/a.txt');
    expect(await tryOpen(inAllowed('a.txt'), { allowedFolders: [outside, `${allowed}/`] })).toBe('open Documents/a.txt');
  });

  it('refuses everything outside, whatever the path looks like', async () => {
    mkdirSync(`${allowed}2`);
    writeFileSync(`${allowed}2/a.txt`, 'x');
    expect(await tryOpen(path.join(outside, 'key.txt'))).toBe('file_not_allowed');
    expect(await tryOpen(`${allowed}/../secrets/key.txt`)).toBe('file_not_allowed');
    expect(await tryOpen(`${allowed}2/a.txt`)).toBe('file_not_allowed');
    expect(await tryOpen('/etc/passwd')).toBe('file_not_allowed');
    expect(await tryOpen('/proc/self/environ')).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('a.txt'), { allowedFolders: [] })).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('a.txt'), { allowedFolders: [path.join(base, 'gone'), '', 'Documents'] })).toBe('file_not_allowed');
  });

  it('does not tell whether a file outside exists', async () => {
    expect(await tryOpen(path.join(outside, 'nothing.txt'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('.hidden', 'nothing.txt'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('nothing.txt'))).toBe('file_missing');
    expect(await tryOpen(inAllowed('a.txt', 'below-a-file'))).toBe('file_missing');
  });

  it('follows links before it decides', async () => {
    symlinkSync(path.join(outside, 'key.txt'), inAllowed('innocent.txt'));
    symlinkSync(outside, inAllowed('folder'));
    symlinkSync(inAllowed('.env'), inAllowed('plain.txt'));
    symlinkSync(inAllowed('a.txt'), inAllowed('alias.txt'));
    symlinkSync(inAllowed('loop'), inAllowed('loop'));
    symlinkSync(allowed, path.join(base, 'my-documents'));
    expect(await tryOpen(inAllowed('innocent.txt'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('folder', 'key.txt'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('plain.txt'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('loop'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('alias.txt'))).toBe('open Documents/a.txt');
    expect(await tryOpen(path.join(base, 'my-documents', 'a.txt'))).toBe('open Documents/a.txt');
    expect(await tryOpen(inAllowed('a.txt'), { allowedFolders: [path.join(base, 'my-documents')] })).toBe('open Documents/a.txt');
  });

  it('refuses hidden files and folders below the allowed one, but not above it', async () => {
    expect(await tryOpen(inAllowed('.env'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('.hidden', 'c.txt'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('.hidden', 'c.txt'), { allowedFolders: [inAllowed('.hidden')] })).toBe('open Documents/.hidden/c.txt');
  });

  it('refuses what is no regular file, without waiting on it', async () => {
    execFileSync('mkfifo', [inAllowed('pipe')]);
    const socket = createServer().listen(inAllowed('socket'));
    await new Promise((resolve) => socket.once('listening', resolve));
    symlinkSync('/dev/zero', inAllowed('zero'));
    expect(await tryOpen(inAllowed('pipe'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('socket'))).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('zero'))).toBe('file_not_allowed');
    expect(await tryOpen('/dev/zero', { allowedFolders: ['/dev'] })).toBe('file_not_allowed');
    expect(await tryOpen(inAllowed('deep'))).toBe('file_not_allowed');
    expect(await tryOpen(allowed)).toBe('file_not_allowed');
    socket.close();
  });

  it('tells a file over the cap its size', async () => {
    writeFileSync(inAllowed('big'), '');
    truncateSync(inAllowed('big'), 1000);
    expect(await tryOpen(inAllowed('big'))).toBe('open Documents/big');
    truncateSync(inAllowed('big'), 1001);
    await expect(openForSending(inAllowed('big'), { allowedFolders: [allowed], maxFileBytes: 1000 })).rejects.toMatchObject({
      code: 'file_too_large',
      details: { size: 1001, max_size: 1000 },
    });
  });

  it('wants an absolute path', async () => {
    for (const bad of ['a.txt', './a.txt', '~/a.txt', '', `${allowed}/a.txt\0.png`, 'file:///etc/passwd']) expect(await tryOpen(bad)).toBe('invalid_argument');
  });

  it.skipIf(process.getuid?.() === 0)('says so when the system does not let it read', async () => {
    chmodSync(inAllowed('a.txt'), 0);
    expect(await tryOpen(inAllowed('a.txt'))).toBe('file_not_allowed');
  });

  it('goes on reading the file it checked when another takes its name', async () => {
    const { handle } = await openForSending(inAllowed('a.txt'), { allowedFolders: [allowed], maxFileBytes: 1000 });
    renameSync(path.join(outside, 'key.txt'), inAllowed('a.txt'));
    expect((await handle.readFile()).toString()).toBe('hello');
    await handle.close();
  });
});

describe('paths are compared the way the system does', () => {
  it.each<[platform: NodeJS.Platform, folder: string, candidate: string, expected: boolean]>([
    ['linux', '/home/a/Documents', '/home/a/Documents/x', true],
    ['linux', '/home/a/Documents', '/home/a/documents/x', false],
    ['linux', '/home/a/Documents', '/home/a/Documents', false],
    ['linux', '/home/a/Documents', '/home/a/Documents2/x', false],
    ['linux', '/home/a/Documents', '/home/a/Documents/..x', true],
    ['linux', '/', '/etc/passwd', true],
    ['darwin', '/Users/a/Documents', '/users/A/documents/x', true],
    ['win32', 'C:\\Users\\a\\Documents', 'c:\\users\\A\\documents\\x', true],
    ['win32', 'C:\\Users\\a\\Documents', 'C:/Users/a/Documents/x', true],
    ['win32', 'C:\\Users\\a\\Documents', 'D:\\Users\\a\\Documents\\x', false],
    ['win32', 'C:\\Users\\a\\Documents', '\\\\server\\share\\x', false],
    ['win32', 'C:\\Users\\a\\Documents', 'C:\\Users\\a\\Documents2\\x', false],
  ])('%s: is %s above %s', (platform, folder, candidate, expected) => expect(isInside(folder, candidate, platform)).toBe(expected));

  it.each<[platform: NodeJS.Platform, name: string, expected: boolean]>([
    ['linux', 'a/.git/config', true],
    ['linux', 'a/b.txt', false],
    ['linux', 'a:b', false],
    ['linux', 'con', false],
    ['win32', 'a.txt:stream', true],
    ['win32', 'CON', true],
    ['win32', 'sub\\nul.txt', true],
    ['win32', 'com1.log', true],
    ['win32', 'trailing.', true],
    ['win32', 'console.txt', false],
  ])('%s: does %s hold a forbidden segment', (platform, name, expected) => {
    const folder = platform === 'win32' ? 'C:\\Docs' : '/docs';
    expect(hasForbiddenSegment(folder, platform === 'win32' ? `${folder}\\${name}` : `${folder}/${name}`, platform)).toBe(expected);
  });
});

describe.runIf(isPosix)('the content decides what a file is', () => {
  async function inspect(name: string, bytes: Buffer | string) {
    writeFileSync(inAllowed(name), bytes);
    const { handle } = await openForSending(inAllowed(name), { allowedFolders: [allowed], maxFileBytes: 10_000_000 });
    const facts = await inspectFile(handle, new AbortController().signal);
    await handle.close();
    return facts;
  }

  it('a picture with its size, whatever its name', async () => {
    expect(await inspect('report.pdf', PNG)).toMatchObject({ kind: 'image', mime: 'image/png', width: 3, height: 2 });
  });
  it('no picture, whatever its name', async () => {
    expect(await inspect('photo.jpg', 'MZ\0\0not a picture')).toMatchObject({ kind: 'file', width: undefined });
    expect(await inspect('photo.png', '<svg xmlns="http://www.w3.org/2000/svg"/>')).toMatchObject({ kind: 'file' });
    expect(await inspect('notes.png', 'просто текст')).toMatchObject({ kind: 'file', mime: 'text/plain' });
    expect(await inspect('empty.png', '')).toMatchObject({ kind: 'file' });
  });
  it('a broken picture is a picture without a size', async () => {
    expect(await inspect('cut.png', PNG.subarray(0, 12))).toMatchObject({ kind: expect.any(String), width: undefined });
  });
  it('the hash is of every byte', async () => {
    const big = Buffer.alloc(3_000_001, 7);
    const first = await inspect('big', big);
    big[3_000_000] = 8;
    const second = await inspect('big', big);
    expect(first.sha256).not.toBe(second.sha256);
    expect((await inspect('a.txt', 'hello')).sha256).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
  });
});
