import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lineCodec } from '../../main/stores/line-codec.ts';
import { localCipher } from '../../main/stores/local-key.ts';
import { Notices } from '../../main/stores/notices.ts';
import { type Cipher, RecordLockedError, RecordUnreadableError, SecretBox } from '../../main/stores/secrets.ts';
import { openingBounds } from '../../main/stores/window-bounds-rules.ts';
import { RotatingFile } from '../../main/log.ts';

let folder: string;
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vk-'))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const cipher: Cipher = {
  encrypt: (text) => Buffer.from(`sealed:${Buffer.from(text).toString('hex')}`),
  decrypt: (bytes) => {
    const text = bytes.toString();
    if (!text.startsWith('sealed:')) throw new Error('not ours');
    return Buffer.from(text.slice(7), 'hex').toString();
  },
};

describe('what is stored', () => {
  it('does not show its text where the system encrypts', () => {
    const box = new SecretBox(cipher, localCipher(folder));
    const record = box.seal('секрет');
    expect(JSON.stringify(record)).not.toContain('секрет');
    expect(box.open(record)).toBe('секрет');
  });

  it('that was sealed is locked, not broken, while the keyring is away', () => {
    const record = new SecretBox(cipher, localCipher(folder)).seal('x');
    expect(() => new SecretBox(undefined, localCipher(folder)).open(record)).toThrow(RecordLockedError);
  });

  it('that is damaged is told apart from locked', () => {
    const box = new SecretBox(cipher, localCipher(folder));
    for (const broken of [undefined, 7, {}, { enc: 'odd', data: 'x' }, { enc: 'safe', data: 'AAAA' }])
      expect(() => box.open(broken)).toThrow(RecordUnreadableError);
  });

  it('does not show its text without a keyring either, and its key is for the owner alone', () => {
    const record = new SecretBox(undefined, localCipher(folder)).seal('секрет');
    expect(Buffer.from(record.data, 'base64').toString('utf8')).not.toContain('секрет');
    expect(new SecretBox(undefined, localCipher(folder)).open(record)).toBe('секрет');
    expect(fs.statSync(path.join(folder, 'local.key')).mode & 0o777).toBe(0o600);
  });

  it('cannot be changed on disk without being noticed', () => {
    const box = new SecretBox(undefined, localCipher(folder));
    const bytes = Buffer.from(box.seal('да').data, 'base64');
    bytes[14] = (bytes[14] ?? 0) ^ 1;
    expect(() => box.open({ enc: 'local', data: bytes.toString('base64') })).toThrow(RecordUnreadableError);
  });

  it('with a key beside it is readable and due to be sealed once a keyring is there', () => {
    const open = new SecretBox(undefined, localCipher(folder)).seal('x');
    const box = new SecretBox(cipher, localCipher(folder));
    expect(box.open(open)).toBe('x');
    expect(box.isWeak(open)).toBe(true);
  });

  it('a journal line goes there and back, sealed by either key', () => {
    for (const system of [cipher, undefined]) {
      const lines = lineCodec(new SecretBox(system, localCipher(folder)));
      expect(lines.decode(lines.encode('{"a":1}'))).toBe('{"a":1}');
      expect(lines.encode('{"a":1}')).not.toContain('"a"');
      expect(lines.decode('{"a":1}')).toBe('{"a":1}');
    }
  });
});

it('a notice is said once and goes when dismissed', () => {
  const notices = new Notices();
  notices.add({ code: 'a', detail: '1' });
  notices.add({ code: 'a', detail: '1' }, { code: 'b', detail: '' });
  expect(notices.all().map(({ code }) => code)).toEqual(['a', 'b']);
  notices.dismiss(notices.all()[0]?.id ?? '');
  expect(notices.all().map(({ code }) => code)).toEqual(['b']);
});

describe('the window opens', () => {
  const screen = { x: 0, y: 0, width: 1920, height: 1080 };
  it('where it was', () => expect(openingBounds({ x: 100, y: 50, width: 900, height: 700 }, [screen])).toEqual({ x: 100, y: 50, width: 900, height: 700 }));
  it('in sight, when its screen is gone', () =>
    expect(openingBounds({ x: 3000, y: 50, width: 900, height: 700 }, [screen])).toEqual({ width: 900, height: 700 }));
  it('not smaller than its layout', () => expect(openingBounds({ x: 0, y: 0, width: 10, height: 10 }, [screen])).toMatchObject({ width: 380, height: 480 }));
  it('with its usual size after nonsense', () => expect(openingBounds({ x: 'left' }, [screen])).toEqual({ width: 960, height: 720 }));
});

it('the log starts anew when it is full and keeps a few old files, all private', () => {
  const file = path.join(folder, 'logs', 'vestnik.log');
  const log = new RotatingFile(file, 100);
  for (let index = 0; index < 20; index += 1) log.write(`${'x'.repeat(40)} ${index}\n`);
  log.close();
  const names = fs.readdirSync(path.dirname(file)).sort();
  expect(names).toEqual(['vestnik.log', 'vestnik.log.1', 'vestnik.log.2']);
  for (const name of names) {
    const { mode, size } = fs.statSync(path.join(path.dirname(file), name));
    expect((mode & 0o777).toString(8)).toBe('600');
    expect(size).toBeLessThanOrEqual(100);
  }
  expect(fs.readFileSync(file, 'utf8')).toContain(' 19\n');
});
