import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startBridge, type Bridge, type BridgeConnection } from '../../app/bridge/server.ts';
import { silentLog } from './shim-fake-app.ts';
import { makeWorkplace } from './shim-harness.ts';

let place: Awaited<ReturnType<typeof makeWorkplace>>;
let bridge: Bridge | undefined;
let client: Client | undefined;

beforeAll(async () => {
  place = await makeWorkplace();
});
afterEach(async () => {
  await client?.close();
  await bridge?.close();
  bridge = undefined;
});
afterAll(() => place.remove());

function transportOf(connection: BridgeConnection): Transport {
  const transport: Transport = {
    async start() {
      connection.onMessage((message) => transport.onmessage?.(message as JSONRPCMessage));
      connection.onClose(() => transport.onclose?.());
    },
    send: (message) => connection.send(message),
    close: async () => connection.close(),
  };
  return transport;
}

async function serve(): Promise<void> {
  bridge = await startBridge({
    dataFolder: place.folder,
    appVersion: '1.0.0',
    log: silentLog,
    onConnection(connection) {
      const server = new McpServer({ name: 'real', version: '1' });
      server.registerTool('greet', { inputSchema: { name: z.string() } }, async ({ name }, { sendNotification, _meta }) => {
        if (_meta?.progressToken !== undefined) {
          await sendNotification({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress: 1, total: 2 } });
        }
        const { action } = await server.server.elicitInput({ message: `greet ${name}?`, requestedSchema: { type: 'object', properties: {} } });
        return { content: [{ type: 'text', text: `${action} ${name}` }] };
      });
      void server.connect(transportOf(connection));
    },
  });
}

it("an MCP client of the official SDK works through the shim, without the app, with it, and over the app's restart", async () => {
  client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: {} }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [place.shimFile],
    env: { ...(process.env as Record<string, string>), VESTNIK_USER_DATA: place.folder },
    stderr: 'ignore',
  });
  const changed = new Promise<void>((resolve) =>
    client?.setNotificationHandler(z.object({ method: z.literal('notifications/tools/list_changed') }), () => resolve()),
  );
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['from_snapshot']);
  const failed = await client.callTool({ name: 'greet', arguments: { name: 'Анна' } });
  expect(failed).toMatchObject({ isError: true, structuredContent: { code: 'server_error' } });

  await serve();
  await changed;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet']);
  for (let round = 1; round <= 3; round++) {
    const progress: number[] = [];
    const call = { name: 'greet', arguments: { name: `Анна ${round}` } };
    const answer = await client.callTool(call, undefined, { onprogress: ({ progress: done }) => progress.push(done) });
    expect(answer.content).toEqual([{ type: 'text', text: `accept Анна ${round}` }]);
    expect(progress).toEqual([1]);
    await bridge?.close();
    await serve();
    // The client's next call is simply made: it waits for the new app, it is not lost.
  }
});
