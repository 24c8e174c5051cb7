import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError, type Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ActivityJournal, DraftClient } from '../approvals/index.ts';
import type { Clock, Log } from '../messenger/api.ts';
import { runTool } from './call.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { Services, Tool } from './tool.ts';
import { readTools } from './tools/read-tools.ts';
import { writeTools } from './tools/write-tools.ts';

export const SERVER_NAME = 'vestnik';

/** Every tool, in the order they are listed. */
export const TOOLS: readonly Tool[] = [...readTools, ...writeTools];

/**
 * The tools as `tools/list` gives them. Schemas are JSON Schema 2020-12 with `type:"object"` at the root
 * (clients reject draft-07 output schemas, design §5). Pure: the shim's build-time copy comes from here too.
 */
export function listTools(tools: readonly Tool[] = TOOLS): ListedTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: z.toJSONSchema(tool.output, { target: 'draft-2020-12', io: 'output' }) as NonNullable<ListedTool['outputSchema']>,
    annotations: { title: tool.title, ...tool.annotations },
  }));
}

function inputSchemaOf(tool: Tool): ListedTool['inputSchema'] {
  const schema = z.toJSONSchema(tool.input, { target: 'draft-2020-12', io: 'input' }) as ListedTool['inputSchema'];
  return tool.required === undefined ? schema : { ...schema, required: [...new Set([...(schema.required ?? []), ...tool.required])] };
}

let listed: ListedTool[] | undefined;

export interface ServerPorts {
  readonly services: Services;
  readonly activity: ActivityJournal;
  readonly clock: Clock;
  readonly log: Log;
  /** Overrides the call budget, in milliseconds; tests only. */
  readonly callBudgetMs?: number;
}

/** One MCP connection: its own `McpServer`, the app's shared services. */
export interface McpConnection {
  /** The client's self-given name, once it has initialised. */
  client(): DraftClient;
  close(): Promise<void>;
  /** Called when the client has said who it is. */
  onReady(listener: () => void): void;
  /** Called once when the connection has ended. */
  onClose(listener: () => void): void;
}

/** Serves MCP on a transport until either side closes it. */
export async function serveMcp(transport: Transport, ports: ServerPorts): Promise<McpConnection> {
  const mcp = new McpServer(
    { name: SERVER_NAME, title: 'Vestnik', version: ports.services.appVersion },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: true } } },
  );
  const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));
  const client = (): DraftClient => {
    const info = mcp.server.getClientVersion();
    return { name: (info?.title ?? info?.name ?? 'unknown').slice(0, 100), ...(info?.version && { version: info.version.slice(0, 50) }) };
  };
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: (listed ??= listTools()) }));
  mcp.server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const tool = byName.get(request.params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(request.params.name.slice(0, 100))}; tools/list names them.`);
    const startedAt = ports.clock.now();
    const progressToken = extra._meta?.progressToken;
    const onProgress = (done: number, total: number | undefined) => {
      // A client that has gone away no longer wants progress; the call itself goes on.
      extra
        .sendNotification({
          method: 'notifications/progress',
          params: { progressToken: progressToken ?? 0, progress: done, ...(total !== undefined && { total }) },
        })
        .catch(() => undefined);
    };
    const record = await runTool(tool, request.params.arguments, {
      services: ports.services,
      client: client(),
      clientSignal: extra.signal,
      ...(progressToken !== undefined && { onProgress }),
      ...(ports.callBudgetMs !== undefined && { budgetMs: ports.callBudgetMs }),
    });
    const durationMs = ports.clock.now() - startedAt;
    ports.activity.append({ at: startedAt, by: 'agent', client: client().name, tool: tool.name, chatId: record.chatId, outcome: record.outcome, durationMs });
    ports.log.info('tool_call', { tool: tool.name, outcome: record.outcome, durationMs, ...(record.cause instanceof Error && { cause: record.cause.name }) });
    return {
      content: [{ type: 'text', text: JSON.stringify(record.result) }],
      structuredContent: { ...record.result },
      ...(record.isError && { isError: true }),
    };
  });
  const closeListeners = new Set<() => void>();
  const readyListeners = new Set<() => void>();
  mcp.server.oninitialized = () => readyListeners.forEach((listener) => listener());
  mcp.server.onclose = () => {
    for (const listener of closeListeners) listener();
    closeListeners.clear();
  };
  mcp.server.onerror = (error) => ports.log.warn('mcp_error', { name: error.name });
  await mcp.connect(transport);
  return { client, close: () => mcp.close(), onReady: (listener) => readyListeners.add(listener), onClose: (listener) => closeListeners.add(listener) };
}
