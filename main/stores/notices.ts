import type { SessionView } from '../../app/ipc/contract.ts';
import type { StoreNotice } from './json-file.ts';

type Notice = SessionView['notices'][number];

/** Things the person should know once, until they dismiss them. Kept in memory: a problem that lasts is found again at the next start. */
export class Notices {
  private list: Notice[] = [];
  private next = 1;
  private readonly listeners = new Set<() => void>();

  add(...notices: readonly StoreNotice[]): void {
    for (const { code, detail } of notices) {
      if (this.list.some((notice) => notice.code === code && notice.detail === detail)) continue;
      this.list = [...this.list, { id: `n${this.next}`, code, detail }];
      this.next += 1;
    }
    if (notices.length > 0) this.announce();
  }

  /** Takes back a notice that no longer holds. */
  clear(code: string): void {
    const kept = this.list.filter((notice) => notice.code !== code);
    if (kept.length === this.list.length) return;
    this.list = kept;
    this.announce();
  }

  dismiss(id: string): void {
    this.list = this.list.filter((notice) => notice.id !== id);
    this.announce();
  }

  all(): readonly Notice[] {
    return this.list;
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private announce(): void {
    for (const listener of this.listeners) listener();
  }
}
