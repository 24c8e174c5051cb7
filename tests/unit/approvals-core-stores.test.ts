import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FileDraftStore, FilePolicyStore } from '../core/stores.ts';
import { newDraft, setUp } from './approvals-support.ts';

/** Broken files of the core are kept aside; what is good in them is used. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vestnik-stores-'));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const good = () => {
  const { approvals } = setUp();
  return approvals.create(newDraft(approvals));
};

it.each([
  ['half a file', '[{"id":', 0],
  ['no list', '{}', 0],
  ['records that are no drafts', `[null, 5, {"id":"a","status":"pending"}]`, 0],
  ['one good draft among broken ones', () => JSON.stringify([null, good(), { id: 3 }]), 1],
])('drafts: %s', (_what, content, kept) => {
  writeFileSync(path.join(folder, 'drafts.json'), typeof content === 'string' ? content : content());
  const store = new FileDraftStore(path.join(folder, 'drafts.json'));
  expect(store.load()).toHaveLength(kept);
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^drafts\.json\.broken-/)]);
  store.save(good());
  expect(new FileDraftStore(path.join(folder, 'drafts.json')).load()).toHaveLength(kept + 1);
});

it.each(['{"chats":null}', '[]', 'null', '{"chats":{"x":"anything"}}', '{'])('policy: %s', (content) => {
  writeFileSync(path.join(folder, 'policy.json'), content);
  const store = new FilePolicyStore(path.join(folder, 'policy.json'), { mode: 'full', defaultAccess: 'default' });
  expect(store.read()).toEqual({ mode: 'full', defaultAccess: 'default', chats: {} });
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^policy\.json\.broken-/)]);
});
