/*
 * A stand-in for the app behind the bridge: it speaks just enough MCP to be called, and remembers what it heard. Run as a
 * program it is what a launch command starts: `node --import … shim-fake-app.ts DATA_FOLDER LAUNCH_LOG`.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startBridge, type Bridge, type BridgeConnection, type BridgeLog } from '../../app/bridge/server.ts';

export interface Message {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export const silentLog: BridgeLog = { info: () => undefined, warn: () => undefined };

export interface FakeApp {
  readonly bridge: Bridge;
  readonly connections: BridgeConnection[];
  /** Everything that any client said, in order. */
  readonly heard: Message[];
  /** The calls of one tool that arrived. */
  calls(tool: string): Message[];
  close(): Promise<void>;
}

/** Tools: `echo` answers with its arguments, `hang` never, `ask` asks the client first, `progress` reports, `big` answers with `bytes` bytes. */
export async function startFakeApp(dataFolder: string, { tools = ['echo'], appVersion = '1.0.0' } = {}): Promise<FakeApp> {
  const heard: Message[] = [];
  const connections: BridgeConnection[] = [];
  const bridge = await startBridge({
    dataFolder,
    appVersion,
    log: silentLog,
    onConnection(connection) {
      connections.push(connection);
      serve(connection, heard, tools);
    },
  });
  return {
    bridge,
    connections,
    heard,
    calls: (tool) => heard.filter(({ method, params }) => method === 'tools/call' && params?.name === tool),
    close: () => bridge.close(),
  };
}

function serve(connection: BridgeConnection, heard: Message[], tools: string[]): void {
  const say = (message: object): void => void connection.send({ jsonrpc: '2.0', ...message }).catch(() => undefined);
  const asked = new Map<unknown, (answer: Message) => void>();
  let lastId = 0;
  connection.onMessage((raw) => {
    const message = raw as Message;
    heard.push(message);
    const { id, method, params = {} } = message;
    if (id === undefined) return;
    if (method === undefined) asked.get(id)?.(message);
    else if (method === 'initialize') {
      const serverInfo = { name: 'fake', version: '1' };
      say({
        id,
        result: { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo, instructions: 'from the app' },
      });
    } else if (method === 'tools/list') say({ id, result: { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) } });
    else if (method === 'ping') say({ id, result: {} });
    else if (method !== 'tools/call') say({ id, error: { code: -32601, message: 'Method not found' } });
    else call(id, params.name as string, (params.arguments ?? {}) as Record<string, unknown>, params);
  });

  function call(id: unknown, tool: string, args: Record<string, unknown>, params: Record<string, unknown>): void {
    const answer = (text: string): void => say({ id, result: { content: [{ type: 'text', text }] } });
    if (tool === 'echo') answer(JSON.stringify(args));
    if (tool === 'big') answer('ж'.repeat((args.bytes as number) / 2));
    if (tool === 'ask') {
      const question = lastId++;
      asked.set(question, (reply) => answer(JSON.stringify(reply.result)));
      say({ id: question, method: 'elicitation/create', params: { message: 'sure?' } });
    }
    if (tool === 'progress') {
      const { progressToken } = params._meta as { progressToken: unknown };
      say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      answer('done');
    }
  }
}

const [, script, folder, launches] = process.argv;
if (script === fileURLToPath(import.meta.url) && folder && launches) {
  fs.appendFileSync(
    launches,
    `${JSON.stringify({ pid: process.pid, runAsNode: process.env.ELECTRON_RUN_AS_NODE ?? null, display: process.env.DISPLAY ?? null })}\n`,
  );
  await startFakeApp(folder, { tools: ['echo', 'launched'] });
  process.on('SIGTERM', () => process.exit(0));
  setTimeout(() => process.exit(0), 60_000); // never outlives its test by much
}
