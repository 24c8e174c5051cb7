import { EventEmitter } from 'node:events';
import type { Body } from './chat.ts';

export interface LogEntry {
  /** Milliseconds since the epoch. */
  at: number;
  channel: 'socket' | 'registry' | 'http' | 'storage' | 'handshake';
  method: string;
  params: Body;
  headers: Record<string, string>;
  /** The Cookie header as it arrived; '' when none did. */
  cookiesSent: string;
  connectionId?: number;
}

export interface PushEntry {
  at: number;
  connectionId: number;
  /** Who pushed. */
  guid: string;
  /** Decoded as received, with LogData. */
  clientMessage: Body;
  params: Body;
  /** Commit status answered; undefined when layer 1 answered or nothing did. */
  status: number | undefined;
  proxyStatus?: number;
  /** Whether the world changed. */
  isCommitted: boolean;
}

/** What arrived at the server, in order; and every breach of the protocol by a client. */
export class SimLog {
  readonly entries: LogEntry[] = [];
  readonly pushes: PushEntry[] = [];
  /** Breaches of the protocol page by clients, in words; a test of the product expects none. */
  readonly violations: string[] = [];
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  add(entry: Omit<LogEntry, 'at'>): void {
    this.entries.push({ at: Date.now(), ...entry });
    this.changed();
  }
  addPush(entry: Omit<PushEntry, 'at'>): void {
    this.pushes.push({ at: Date.now(), ...entry });
    this.changed();
  }
  violate(text: string): void {
    this.violations.push(text);
    this.changed();
  }
  /** Something in the world or the log changed. */
  changed(): void {
    this.emitter.emit('change');
  }
  onChange(listener: () => void): () => void {
    this.emitter.on('change', listener);
    return () => this.emitter.off('change', listener);
  }

  /** Resolves with the first truthy value of `probe`, asked again after every change. */
  waitFor<T>(probe: () => T | undefined | false | null | 0 | '', timeoutMs = 10_000, what = 'condition'): Promise<T> {
    return new Promise((resolve, reject) => {
      const ends: (() => void)[] = [];
      const check = (): void => {
        const value = probe();
        if (!value) return;
        for (const end of ends) end();
        resolve(value);
      };
      const poll = setInterval(check, 50);
      const deadline = setTimeout(() => {
        for (const end of ends) end();
        reject(new Error(`the simulator waited ${timeoutMs} ms in vain for: ${what}`));
      }, timeoutMs);
      ends.push(
        this.onChange(check),
        () => clearInterval(poll),
        () => clearTimeout(deadline),
      );
      check();
    });
  }
}
