import type { Body } from './chat.ts';

/** Where a fault strikes. `push` and `read` are socket requests; `files` is a download, `upload` the PUT of bytes. */
export type FaultChannel = 'push' | 'read' | 'registry' | 'csrf' | 'handshake' | 'upload' | 'files' | 'storage' | 'page';

export type FaultAction =
  /** The connection is dropped; a push is committed first, or not. */
  | { kind: 'drop'; commit?: boolean }
  /** No answer ever; a push is committed, or not. */
  | { kind: 'silence'; commit?: boolean }
  /** Answer after so many milliseconds; a push is written just before the answer, or at once. */
  | { kind: 'delay'; ms: number; isCommittedFirst?: boolean }
  /** Layer 1 (protocol §3). A push is not committed unless said. */
  | { kind: 'proxy_status'; status: number; commit?: boolean }
  /** Layer 2 for reads, commit status for pushes. A push is committed for 1, 2 and 9 unless said otherwise. */
  | { kind: 'status'; status: number; commit?: boolean; waitFor?: number | null; details?: string }
  /** A push answer without a numeric Status. */
  | { kind: 'no_status'; commit?: boolean }
  /** A frame that cannot be decoded in place of the answer; `text`: an operation that is not JSON. */
  | { kind: 'garbage'; commit?: boolean; form?: 'bytes' | 'text' | 'body' | 'request_id' | 'seq' }
  /** HTTP status (handshake, registry, csrf, upload, files, storage), optionally with a registry code or headers. */
  | { kind: 'http'; status: number; code?: string; headers?: Record<string, string>; body?: string }
  /** Close the socket with a code and reason. */
  | { kind: 'close'; code: number; reason: string; commit?: boolean }
  /** A transfer: stops in the middle and stays open, or is cut. */
  | { kind: 'stall'; afterBytes?: number }
  | { kind: 'cut'; afterBytes?: number };

export interface FaultRule {
  channel: FaultChannel;
  action: FaultAction;
  /** Socket or registry method. */
  method?: string;
  /** How often it strikes; default once. */
  times?: number;
  /** Lets so many matching requests pass first. */
  skip?: number;
  /** 0..1; default always. */
  probability?: number;
  /** Decides by the request's parameters. */
  when?: (params: Body) => boolean;
}

/** The list of what goes wrong next. Rules strike in the order they were added. */
export class Faults {
  private rules: (FaultRule & { left: number; toSkip: number })[] = [];
  /** The server stops sending pings (a dead connection that still looks open). */
  arePingsStopped = false;

  /** Decides rules with a probability; replace it for a repeatable run. */
  chance: () => number = Math.random;

  /** Adds a rule; the returned function takes it back. */
  add(rule: FaultRule): () => void {
    const entry = { ...rule, left: rule.times ?? 1, toSkip: rule.skip ?? 0 };
    this.rules.push(entry);
    return () => {
      this.rules = this.rules.filter((other) => other !== entry);
    };
  }
  clear(): void {
    this.rules = [];
    this.arePingsStopped = false;
  }
  get pending(): number {
    return this.rules.length;
  }

  nextPush(action: FaultAction, times = 1): () => void {
    return this.add({ channel: 'push', action, times });
  }
  /** The server writes the next push and the connection dies before the answer. */
  dropAfterCommit(times = 1): () => void {
    return this.nextPush({ kind: 'drop', commit: true }, times);
  }
  /** The connection dies before the next push is written. */
  dropBeforeCommit(times = 1): () => void {
    return this.nextPush({ kind: 'drop', commit: false }, times);
  }
  nextRead(action: FaultAction, method?: string, times = 1): () => void {
    return this.add({ channel: 'read', action, times, ...(method ? { method } : {}) });
  }
  refuseHandshakes(status = 401, times = 1): () => void {
    return this.add({ channel: 'handshake', action: { kind: 'http', status }, times });
  }

  /** The fault that strikes this request, if any. */
  take(channel: FaultChannel, method: string, params: Body = {}): FaultAction | undefined {
    for (const rule of this.rules) {
      if (rule.channel !== channel || (rule.method !== undefined && rule.method !== method) || (rule.when && !rule.when(params))) continue;
      if (rule.toSkip > 0) {
        rule.toSkip -= 1;
        continue;
      }
      if (rule.probability !== undefined && this.chance() >= rule.probability) continue;
      rule.left -= 1;
      if (rule.left <= 0) this.rules = this.rules.filter((other) => other !== rule);
      return rule.action;
    }
    return undefined;
  }
}
