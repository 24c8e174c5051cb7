import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ActivityJournal, type ActivityEntry } from '../../app/approvals/index.ts';

let folder: string;
const file = () => path.join(folder, 'activity.jsonl');
const entry = (index: number, change: Partial<ActivityEntry> = {}) => ({
  at: index,
  by: 'agent' as const,
  client: 'Claude',
  tool: 'send_message',
  chatId: '0/0/a',
  outcome: 'sent',
  durationMs: 5,
  ...change,
});

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'activity-'));
});

describe('the activity journal', () => {
  it('shows the newest first, in pages, also after a restart', async () => {
    const journal = new ActivityJournal({ file: file() });
    for (let index = 0; index < 25; index++) journal.append(entry(index, index % 2 ? { tool: 'search' } : {}));
    await journal.flush();
    for (const view of [journal, new ActivityJournal({ file: file() })]) {
      expect(view.page(0, 2).rows.map((row) => row.at)).toEqual([24, 23]);
      expect(view.page(10, 3)).toMatchObject({ total: 25, rows: [{ at: 14 }, { at: 13 }, { at: 12 }] });
      expect(view.page(0, 2, { tool: 'search' })).toMatchObject({ total: 12, rows: [{ at: 23 }, { at: 21 }] });
    }
  });

  it('keeps a broken line aside and everything else usable', async () => {
    const first = new ActivityJournal({ file: file() });
    first.append(entry(1));
    first.append(entry(2));
    await first.flush();
    writeFileSync(file(), `${readFileSync(file(), 'utf8')}{"at":3,"half a li\nnull\n`);
    const second = new ActivityJournal({ file: file() });
    expect(second.broken?.count).toBe(2);
    expect(readFileSync(second.broken!.file, 'utf8')).toContain('half a li');
    expect(second.page(0, 10).total).toBe(2);
    expect(new ActivityJournal({ file: file() }).broken).toBeUndefined();
  });

  it('drops the oldest half when it is full, and keeps writing', async () => {
    const journal = new ActivityJournal({ file: file(), maxEntries: 10 });
    for (let index = 0; index < 14; index++) journal.append(entry(index));
    await journal.flush();
    const reread = new ActivityJournal({ file: file(), maxEntries: 10 });
    expect(reread.page(0, 100).rows.map((row) => row.at)).toEqual([13, 12, 11, 10, 9, 8, 7, 6]);
  });

  it('exports lines and a table that no spreadsheet takes for a formula', () => {
    const journal = new ActivityJournal({ file: file() });
    journal.append(entry(0, { client: '=HYPERLINK("x"),1', chatId: null }));
    expect(journal.export('csv').split('\r\n')).toEqual([
      'at,by,client,tool,chatId,outcome,durationMs',
      `1970-01-01T00:00:00.000Z,agent,"'=HYPERLINK(""x""),1",send_message,,sent,5`,
      '',
    ]);
    expect(
      journal
        .export('jsonl')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as ActivityEntry).client),
    ).toEqual(['=HYPERLINK("x"),1']);
  });

  it('is for the owner alone and can be cleared', async () => {
    const journal = new ActivityJournal({ file: file() });
    journal.append(entry(1));
    await journal.flush();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    journal.clear();
    await journal.flush();
    expect(readFileSync(file(), 'utf8')).toBe('');
    expect(readdirSync(folder)).toEqual(['activity.jsonl']);
  });
});
