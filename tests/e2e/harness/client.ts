import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { projectRoot } from './app.ts';

export const shimFile = path.join(projectRoot, 'out/shim/vestnik-mcp.cjs');

export interface McpClientOptions {
  readonly userData: string;
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another shim than the bundled one. */
  readonly shim?: string;
}

/** An AI agent's side: the official client over the real shim process. */
export interface McpClient {
  readonly client: Client;
  /** Process id of the shim. */
  readonly pid: number;
  /** What the shim said on stderr. */
  stderr(): string;
  /** Calls a tool and returns its structured result; `isError` is kept beside it. `timeoutMs` is the client's own patience. */
  call(name: string, args?: Record<string, unknown>, timeoutMs?: number): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly data: Record<string, unknown>;
  readonly text: string;
}

/** Starts the shim and connects to it. Works with or without a running app, as the shim does. */
export async function mcpClient({ userData, name = 'e2e-agent', env = {}, shim = shimFile }: McpClientOptions): Promise<McpClient> {
  const display = process.env['DISPLAY'];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [shim],
    env: { ...getDefaultEnvironment(), ...(display ? { DISPLAY: display } : {}), VESTNIK_USER_DATA: userData, ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? -1,
    stderr: () => stderr,
    call: async (tool, args = {}, timeoutMs = 60_000) => {
      const result = await client.callTool({ name: tool, arguments: args }, undefined, { timeout: timeoutMs });
      const content = Array.isArray(result.content) ? (result.content as { type: string; text?: string }[]) : [];
      const text = content.map((part) => part.text ?? '').join('\n');
      return { isError: result.isError === true, data: (result.structuredContent ?? {}) as Record<string, unknown>, text };
    },
    close: () => client.close(),
  };
}
