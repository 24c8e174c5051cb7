import fs from 'node:fs';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { ActionResult, McpClientView } from '../../app/ipc/contract.ts';
import { ConfigUnusableError, ENTRY_NAME, pointsTo, readEntry, removeEntry, type ServerEntry, writeEntry } from './config-edit.ts';
import { type ClientId, clientIdOf, type KnownClient, knownClients, type Surroundings } from './known-clients.ts';

/** Sets up MCP clients: shows how each stands, writes our entry and takes it away again. Never touches anything else in their files. */
export class ClientSetup {
  constructor(
    private readonly around: Surroundings,
    /** What a client must run; undefined where nothing can run the shim (no Node found). */
    private readonly entry: () => ServerEntry | undefined,
    /** Names of the clients connected now, as they gave them. */
    private readonly connectedNames: () => readonly string[],
  ) {}

  list(): McpClientView[] {
    const connected = new Set(this.connectedNames().map(clientIdOf));
    return knownClients(this.around).map((client) => this.view(client, connected.has(client.id)));
  }

  /** Writes our entry, with a copy of the file as it was beside it. Safe to repeat. */
  connect(id: ClientId): ActionResult {
    const client = this.find(id);
    const entry = this.entry();
    if (!entry) return { ok: false, code: 'node_missing', detail: '' };
    return this.change(client, (text) => writeEntry(text, client.container, { ...(client.hasType ? { type: 'stdio' } : {}), ...entry }));
  }

  /** Takes our entry away. */
  disconnect(id: ClientId): ActionResult {
    const client = this.find(id);
    return this.change(client, (text) => removeEntry(text, client.container));
  }

  /** Takes our entry away wherever it is; files that cannot be read are left alone. */
  disconnectAll(): void {
    for (const client of knownClients(this.around)) if (this.view(client, false).configured) this.disconnect(client.id);
  }

  /** Text to paste where no button helps. */
  snippets(): { json: string; claudeCode: string } {
    const entry = this.entry() ?? { command: 'node', args: [] };
    const json = JSON.stringify({ mcpServers: { [ENTRY_NAME]: entry } }, undefined, 2);
    const env = Object.entries(entry.env ?? {}).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const words = ['claude', 'mcp', 'add', '--scope', 'user', ENTRY_NAME, ...env, '--', entry.command, ...entry.args];
    return { json, claudeCode: words.map((word) => quoteForShell(word, this.around.platform)).join(' ') };
  }

  private find(id: ClientId): KnownClient {
    const client = knownClients(this.around).find((candidate) => candidate.id === id);
    if (!client) throw new Error('unknown client');
    return client;
  }

  private view(client: KnownClient, isConnected: boolean): McpClientView {
    const base = { id: client.id, detected: client.isDetected, connected: isConnected, configPath: client.configPath };
    try {
      const found = readEntry(readText(client.configPath), client.container);
      const wanted = this.entry();
      return { ...base, configured: found !== undefined, outdated: found !== undefined && wanted !== undefined && !pointsTo(found, wanted), problem: null };
    } catch (error) {
      return { ...base, configured: false, outdated: false, problem: problemCode(error) };
    }
  }

  private change(client: KnownClient, edit: (text: string) => string): ActionResult {
    const file = client.configPath;
    try {
      const before = readText(file);
      const after = edit(before);
      if (after === before) return { ok: true };
      fs.mkdirSync(path.dirname(file), { recursive: true });
      if (fs.existsSync(file)) backUp(file);
      // Follows a symbolic link to the real file and keeps the file's mode; a new one may come to hold secrets of other servers.
      writeFileAtomic.sync(file, after, fs.existsSync(file) ? {} : { mode: 0o600 });
      return { ok: true };
    } catch (error) {
      return { ok: false, code: problemCode(error), detail: file };
    }
  }
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** Copies the file beside itself, with its mode: it may hold other servers' keys. */
function backUp(file: string): void {
  const copy = `${file}.before-vestnik-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  fs.copyFileSync(file, copy);
  if (process.platform !== 'win32') fs.chmodSync(copy, fs.statSync(file).mode & 0o700);
}

function problemCode(error: unknown): string {
  if (error instanceof ConfigUnusableError) return error.code;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'not_writable';
  return 'not_readable';
}

function quoteForShell(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === 'win32' || !word.includes('\\'))) return word;
  return platform === 'win32' ? `"${word.replace(/"/g, '\\"')}"` : `'${word.replace(/'/g, `'\\''`)}'`;
}
