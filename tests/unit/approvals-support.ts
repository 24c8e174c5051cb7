import { Approvals, type CommitContext, type Draft, type DraftStore, type NewDraft, type Operation, type Outcome } from '../../app/approvals/index.ts';

/** Time that stands still until told otherwise. */
export class HeldClock {
  #now = Date.parse('2026-11-30T12:00:00Z');
  #timers: { at: number; callback: () => void }[] = [];
  now = () => this.#now;
  after = (delayMs: number, callback: () => void) => {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = until;
  }
}

/** What would stand on the disk. */
export class DiskDouble implements DraftStore {
  readonly files = new Map<string, string>();
  /** Statuses in the order they were written. */
  readonly written: string[] = [];
  load = () => [...this.files.values()].map((text) => JSON.parse(text) as Draft);
  save(draft: Draft): void {
    this.written.push(draft.status);
    this.files.set(draft.id, JSON.stringify(draft));
  }
  remove(id: string): void {
    this.files.delete(id);
  }
}

export const SENT: Outcome = { status: 'sent', data: { commit_status: 1 } };

/** An operation whose every step the test decides; counts its pushes. */
export class ScriptedOperation implements Operation {
  readonly tool = 'send_message';
  readonly budgetMs = 60_000;
  pushes = 0;
  verify: Operation['verify'] = () => Promise.resolve();
  outcome: () => Promise<Outcome> = () => Promise.resolve(SENT);
  found: () => Promise<Outcome | undefined> = () => Promise.resolve(undefined);
  async commit(_draft: Draft, context: CommitContext): Promise<Outcome> {
    context.aboutToPush();
    this.pushes++;
    return this.outcome();
  }
  reconcile = () => this.found();
  applyEdit(payload: Draft['payload'], preview: Draft['preview'], text: string) {
    return { payload: { ...payload, text }, preview: { ...preview, text } };
  }
}

export const LIFETIME_MS = 3600_000;

export function setUp(disk = new DiskDouble(), clock = new HeldClock()) {
  const operation = new ScriptedOperation();
  const approvals = new Approvals({ store: disk, clock, draftLifetimeMs: () => LIFETIME_MS }, [operation]);
  return { approvals, operation, disk, clock };
}

export function newDraft(approvals: Approvals, text = 'Привет'): NewDraft {
  return {
    tool: 'send_message',
    client: { name: 'test client' },
    chat: { id: '0/0/group', name: 'Группа', kind: 'group' },
    fingerprint: approvals.fingerprint('send_message', '0/0/group', { text }),
    payload: { text },
    payloadId: 'payload-1',
    preview: { text },
  };
}
