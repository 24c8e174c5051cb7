import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { numberedName, safeFileName } from '../../app/messenger/reading/safe-name.ts';
import { sweepFolder } from '../../app/messenger/reading/sweep.ts';

describe('names of downloads', () => {
  it.each([
    ['отчёт.pdf', 'отчёт.pdf'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['..\\..\\evil.exe', '_.._evil.exe'],
    ['C:\\Windows\\x.dll', 'C__Windows_x.dll'],
    ['a.txt:hidden', 'a.txt_hidden'],
    ['.bashrc', 'bashrc'],
    ['name. . ', 'name'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['com1.tar.gz', '_com1.tar.gz'],
    ['COM².txt', '_COM².txt'],
    ['console.txt', 'console.txt'],
    ['photo\u202Egpj.exe', 'photogpj.exe'],
    ['a\u0000b\nc.txt', 'ab_c.txt'],
    ['zero\u200Bwidth', 'zerowidth'],
    ['', 'attachment'],
    ['...', 'attachment'],
    ['\u202E', 'attachment'],
    ['what? "yes" <no>|*', 'what_ _yes_ _no___'],
  ])('%j is saved as %j', (given, expected) => expect(safeFileName(given)).toBe(expected));

  it('a long name fits in bytes and keeps its extension', () => {
    const name = safeFileName(`${'ё'.repeat(300)}.pdf`);
    expect(Buffer.byteLength(numberedName(name, 9999))).toBeLessThanOrEqual(255);
    expect(name.endsWith('ё.pdf')).toBe(true);
    const emoji = safeFileName('👩‍💻'.repeat(100));
    expect(Buffer.byteLength(emoji)).toBeLessThanOrEqual(255);
    expect(emoji).not.toMatch(/[\uD800-\uDFFF]/u);
  });

  it('a copy is numbered before its extension', () => {
    expect(numberedName('photo.jpg', 1)).toBe('photo.jpg');
    expect(numberedName('photo.jpg', 2)).toBe('photo (2).jpg');
    expect(numberedName('README', 3)).toBe('README (3)');
  });
});

describe('old downloads', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'vestnik-sweep-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const DAY = 86_400_000;

  it('only plain files right in the folder and strictly older than the limit are removed', async () => {
    const now = Date.UTC(2026, 6, 10);
    const age = (name: string, ms: number) => {
      writeFileSync(path.join(folder, name), 'x');
      utimesSync(path.join(folder, name), new Date(now - ms), new Date(now - ms));
    };
    age('old.txt', 7 * DAY + 1000);
    age('edge.txt', 7 * DAY);
    age('young.txt', 1000);
    const outside = mkdtempSync(path.join(tmpdir(), 'vestnik-outside-'));
    writeFileSync(path.join(outside, 'precious.txt'), 'x');
    utimesSync(path.join(outside, 'precious.txt'), new Date(0), new Date(0));
    symlinkSync(path.join(outside, 'precious.txt'), path.join(folder, 'link.txt'));
    symlinkSync(outside, path.join(folder, 'linked-folder'));
    mkdirSync(path.join(folder, 'sub'));
    expect(await sweepFolder(folder, 7, now)).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['edge.txt', 'link.txt', 'linked-folder', 'sub', 'young.txt']);
    expect(readdirSync(outside)).toEqual(['precious.txt']);
    rmSync(outside, { recursive: true });
  });

  it('zero days mean never, and a missing folder is no error', async () => {
    writeFileSync(path.join(folder, 'a'), 'x');
    utimesSync(path.join(folder, 'a'), new Date(0), new Date(0));
    expect(await sweepFolder(folder, 0, Date.now())).toBe(0);
    expect(await sweepFolder(folder, -1, Date.now())).toBe(0);
    expect(await sweepFolder(path.join(folder, 'nowhere'), 7, Date.now())).toBe(0);
    expect(readdirSync(folder)).toEqual(['a']);
  });
});
