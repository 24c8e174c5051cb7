import { inflateRawSync } from 'node:zlib';
import { isRecord } from './json-rpc.ts';

/** What the real server said when the shim was built (`build/tools-snapshot.mjs`). */
export interface Snapshot {
  /** MCP versions that the server speaks, newest first. */
  readonly protocolVersions: readonly string[];
  /** The server's answer to `initialize`, without the version. */
  readonly initialize: Readonly<Record<string, unknown>>;
  readonly tools: readonly unknown[];
}

/** Both are put in by `build/bundle-shim.mjs`. */
declare const __VESTNIK_SHIM_VERSION__: string;
declare const __VESTNIK_SNAPSHOT__: string;

export function shimVersion(): string {
  return typeof __VESTNIK_SHIM_VERSION__ === 'string' ? __VESTNIK_SHIM_VERSION__ : '0.0.0-dev';
}

/** Unpacks the copy inside the bundle; compressed, because tool schemas repeat themselves a lot. */
export function bundledSnapshot(): Snapshot {
  if (typeof __VESTNIK_SNAPSHOT__ !== 'string')
    return { protocolVersions: ['2025-11-25'], initialize: { capabilities: { tools: { listChanged: true } } }, tools: [] };
  return JSON.parse(inflateRawSync(Buffer.from(__VESTNIK_SNAPSHOT__, 'base64')).toString('utf8')) as Snapshot;
}

/** The answer to `initialize` in the app's absence: the version the client asked for if the server speaks it, else the newest. */
export function initializeResult(snapshot: Snapshot, params: unknown): Record<string, unknown> {
  const asked = isRecord(params) ? params.protocolVersion : undefined;
  const isSpoken = typeof asked === 'string' && snapshot.protocolVersions.includes(asked);
  return { protocolVersion: isSpoken ? asked : snapshot.protocolVersions[0], ...snapshot.initialize };
}

/** Whether the server has the feature that a method belongs to (`prompts/list` → `prompts`). */
export function hasMethod(snapshot: Snapshot, method: string): boolean {
  const feature = { completion: 'completions' }[method.split('/')[0] as string] ?? (method.split('/')[0] as string);
  return isRecord(snapshot.initialize.capabilities) && feature in snapshot.initialize.capabilities;
}
