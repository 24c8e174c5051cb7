import fs from 'node:fs';
import path from 'node:path';
import { isStoredDraft, type Draft, type DraftStore } from '../../app/approvals/index.ts';
import { JsonFile, type StoreNotice } from './json-file.ts';
import { RecordLockedError, type SecretBox } from './secrets.ts';

/**
 * Drafts on disk, one sealed record each (design §3). Every call returns after the data is on disk, because the journal has to say
 * `committing` before the push. Where the system encrypts nothing, the key lies beside them and the
 * window says so: a draft lost at a restart, or a push forgotten, would be worse.
 */
export class FileDraftStore implements DraftStore {
  private readonly file: JsonFile;
  private readonly drafts = new Map<string, Draft>();
  readonly notices: readonly StoreNotice[];

  constructor(
    folder: string,
    private readonly box: SecretBox,
  ) {
    this.file = new JsonFile(folder, 'drafts', 'drafts_broken');
    const broken: Record<string, unknown> = {};
    let locked = 0;
    for (const [id, record] of Object.entries(this.file.all())) {
      try {
        const draft: unknown = JSON.parse(box.open(record));
        if (!isStoredDraft(draft) || draft.id !== id) throw new Error('not the draft of this id');
        this.drafts.set(id, draft);
        if (box.isWeak(record)) this.file.set(id, box.seal(JSON.stringify(draft)));
      } catch (error) {
        if (error instanceof RecordLockedError) locked += 1;
        else broken[id] = record;
      }
    }
    const notices = [...this.file.notices];
    if (Object.keys(broken).length > 0) notices.push({ code: 'drafts_broken', detail: this.keepBroken(folder, broken) });
    if (locked > 0) notices.push({ code: 'drafts_locked', detail: String(locked) });
    this.notices = notices;
  }

  load(): readonly Draft[] {
    return [...this.drafts.values()];
  }

  save(draft: Draft): void {
    this.file.set(draft.id, this.box.seal(JSON.stringify(draft)));
    this.drafts.set(draft.id, draft);
  }

  remove(id: string): void {
    if (!this.drafts.has(id)) return;
    this.file.remove(id);
    this.drafts.delete(id);
  }

  /** Moves records that cannot be read to a file of their own, so that they neither get lost nor are tried again at each start. */
  private keepBroken(folder: string, broken: Readonly<Record<string, unknown>>): string {
    const aside = path.join(folder, `drafts.broken-${new Date().toISOString().replace(/[:.]/g, '-')}.json`);
    fs.writeFileSync(aside, JSON.stringify(broken, undefined, 2), { mode: 0o600 });
    const kept = Object.fromEntries(Object.entries(this.file.all()).filter(([id]) => !(id in broken)));
    this.file.replace(kept);
    return aside;
  }
}
