import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { sync as writeFileAtomicSync } from 'write-file-atomic';
import { z } from 'zod';
import { isStoredDraft, OPEN_POLICY, type Draft, type DraftStore, type PolicyState, type PolicyStore } from '../../app/approvals/index.ts';

const policyShape = z.looseObject({ chats: z.record(z.string(), z.enum(['hidden', 'read_only', 'default', 'agent_confirms'])) });

/** Drafts in one JSON file, written through to the disk on every change. A broken file is kept aside, its good drafts are used. */
export class FileDraftStore implements DraftStore {
  readonly #drafts = new Map<string, Draft>();

  constructor(private readonly file: string) {
    const records = readJson(file) ?? [];
    const good = Array.isArray(records) ? records.filter(isStoredDraft) : [];
    if (!Array.isArray(records) || good.length < records.length) keepAside(file);
    for (const draft of good) this.#drafts.set(draft.id, draft);
  }

  load(): readonly Draft[] {
    return [...this.#drafts.values()];
  }

  save(draft: Draft): void {
    this.#drafts.set(draft.id, draft);
    this.#write();
  }

  remove(id: string): void {
    if (this.#drafts.delete(id)) this.#write();
  }

  #write(): void {
    writeJson(this.file, [...this.#drafts.values()]);
  }
}

/** The person's policy in one JSON file; the command line decides the mode and what `default` means. */
export class FilePolicyStore implements PolicyStore {
  #state: PolicyState;

  constructor(
    private readonly file: string,
    start: Pick<PolicyState, 'mode' | 'defaultAccess'>,
  ) {
    const kept = readJson(file);
    const { success, data } = policyShape.safeParse(kept);
    if (kept !== undefined && !success) keepAside(file);
    this.#state = { ...OPEN_POLICY, ...(data && { chats: data.chats }), ...start };
  }

  read(): PolicyState {
    return this.#state;
  }

  write(state: PolicyState): void {
    this.#state = state;
    writeJson(this.file, state);
  }
}

function readJson(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    keepAside(file);
    return undefined;
  }
}

function keepAside(file: string): void {
  const aside = `${file}.broken-${Date.now()}`;
  renameSync(file, aside);
  console.error(`core: ${path.basename(file)} could not be read and was kept as ${path.basename(aside)}; what is good in it is used`);
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileAtomicSync(file, JSON.stringify(value), { mode: 0o600 });
}
