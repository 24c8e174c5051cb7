import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const projectRoot = path.resolve(import.meta.dirname, '../..');

it.each(['docs/security.md', 'docs/release.md'])('every file that %s names is there', (page) => {
  const text = fs.readFileSync(path.join(projectRoot, page), 'utf8');
  const named = [...text.matchAll(/`((?:app|build|main|preload|tests|docs|\.github)\/[\w./-]+)`/g)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !fs.existsSync(path.join(projectRoot, file)))).toEqual([]);
});

it('the table of the checklist has every item of Electron, each with a test', () => {
  const text = fs.readFileSync(path.join(projectRoot, 'docs/security.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (\d+) +\|.*\| ([^|]+) \|$/gm)];
  expect(rows.map((row) => Number(row[1]))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  for (const row of rows) expect(row[2], `item ${row[1]}`).toMatch(/tests\/|as 11/);
});
