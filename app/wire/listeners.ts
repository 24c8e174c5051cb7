import type { Log } from './ports.ts';

/** Listeners of one kind. A listener's failure is its own: it must not end the connection that called it. */
export class Listeners<T> {
  private readonly all = new Set<(value: T) => void>();

  constructor(private readonly log: Log) {}

  /** Adds a listener; returns the undo. */
  add(listener: (value: T) => void): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.all]) {
      try {
        listener(value);
      } catch (error) {
        this.log.error('wire.listener_failed', { name: error instanceof Error ? error.name : typeof error });
      }
    }
  }

  clear(): void {
    this.all.clear();
  }
}
