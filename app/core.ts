import { Approvals, Policy, type ActivityJournal, type Draft, type DraftStore, type Operation, type PolicyStore } from './approvals/index.ts';
import { bridgeTransport, type MessageConnection, type Transport } from './mcp/bridge-transport.ts';
import { serveMcp, type McpConnection } from './mcp/server.ts';
import type { Services } from './mcp/tool.ts';
import type { MessengerSettings } from './messenger/api.ts';
import { parentChatId } from './messenger/ids.ts';
import { createMessenger, type Messenger } from './messenger/messenger.ts';
import { createOperations } from './messenger/writing/index.ts';
import type { Clock, Log, Protocol, Wire } from './wire/index.ts';

/**
 * The app without Electron, put together once: `main` and `tests/core` supply the ports and get the very same thing.
 * This file is the only one in `app/` that knows all folders.
 */

export interface CoreSettings extends Omit<MessengerSettings, 'messengerPageUrl' | 'userAgent'> {
  readonly draftLifetimeMs: number;
}

export interface CorePorts {
  readonly protocol: Protocol;
  /** Made with `createWire` from the session and the network of the host. Closed with the core. */
  readonly wire: Wire;
  readonly clock: Clock;
  readonly log: Log;
  readonly draftStore: DraftStore;
  readonly policyStore: PolicyStore;
  readonly activity: ActivityJournal;
  /** Asked anew at each use: a changed setting holds from the next call on. */
  readonly settings: () => CoreSettings;
  readonly appVersion: string;
}

export type SessionState = 'signed_out' | 'signing_in' | 'online' | 'reconnecting' | 'paused';

export interface Core {
  readonly wire: Wire;
  readonly messenger: Messenger;
  readonly approvals: Approvals;
  readonly policy: Policy;
  readonly activity: ActivityJournal;
  /** The state as the person sees it (design §2). */
  sessionState(): SessionState;
  onSessionState(listener: () => void): () => void;
  /** Signs in with the session there is, if any, and finds out what became of open drafts. Never rejects. */
  start(): Promise<void>;
  /** Serves MCP on a transport of the SDK. */
  serve(transport: Transport): Promise<McpConnection>;
  /** Serves MCP on a connection of the bridge. */
  serveConnection(connection: MessageConnection): Promise<McpConnection>;
  /** Connections that are open now. */
  connections(): readonly McpConnection[];
  onConnections(listener: () => void): () => void;
  close(): Promise<void>;
}

/** How long looking back at open drafts may take after the session came online, in milliseconds. */
const RECONCILE_BUDGET_MS = 60_000;
const START_BUDGET_MS = 45_000;

export function createCore(ports: CorePorts): Core {
  const { protocol, wire, clock, log, activity } = ports;
  const policy = new Policy(ports.policyStore, parentChatId);
  const messenger = createMessenger({
    wire,
    visibility: policy,
    settings: () => ({ ...ports.settings(), messengerPageUrl: protocol.messengerPageUrl, userAgent: protocol.userAgent }),
    clock,
    log,
  });
  const operations: readonly Operation[] = createOperations({ ports: messenger.ports, directory: messenger.directory });
  const approvals = new Approvals({ store: ports.draftStore, clock, draftLifetimeMs: () => ports.settings().draftLifetimeMs }, operations);
  const sessionState = () => (policy.mode === 'paused' ? 'paused' : stateOf(wire));
  const services: Services = { messenger, approvals, policy, appVersion: ports.appVersion, sessionState, timeZone: () => ports.settings().timeZone };
  const connections = new Set<McpConnection>();
  const connectionListeners = new Set<() => void>();
  const connectionsChanged = () => connectionListeners.forEach((listener) => listener());

  const stopRecording = approvals.onChange(recordDecisions(activity));
  const stopReconciling = wire.onState((state) => {
    if (state === 'online') withBudget(clock, RECONCILE_BUDGET_MS, (signal) => approvals.reconcileOpen(signal)).catch(() => log.warn('reconcile_failed'));
  });

  async function serve(transport: Transport): Promise<McpConnection> {
    const connection = await serveMcp(transport, { services, activity, clock, log });
    connections.add(connection);
    connection.onClose(() => {
      connections.delete(connection);
      connectionsChanged();
    });
    connection.onReady(connectionsChanged);
    return connection;
  }

  return {
    wire,
    messenger,
    approvals,
    policy,
    activity,
    sessionState,
    onSessionState(listener) {
      const undo = [wire.onState(listener), policy.onChange(listener)];
      return () => undo.forEach((step) => step());
    },
    start() {
      messenger.downloads.sweep().catch(() => log.warn('sweep_failed'));
      return withBudget(clock, START_BUDGET_MS, async (signal) => {
        await wire.connect({ signal });
      }).catch(() => log.info('start_without_session'));
    },
    serve,
    serveConnection: (connection) => serve(bridgeTransport(connection)),
    connections: () => [...connections],
    onConnections(listener) {
      connectionListeners.add(listener);
      return () => connectionListeners.delete(listener);
    },
    async close() {
      stopRecording();
      stopReconciling();
      approvals.close();
      messenger.close();
      await Promise.all([...connections].map((connection) => connection.close()));
      await wire.close();
      await activity.flush();
    },
  };
}

function stateOf(wire: Wire): SessionState {
  if (wire.state !== 'offline') return wire.state;
  return wire.identity ? 'reconnecting' : 'signed_out';
}

/** The person's own decisions stand in the journal too, beside the agents' calls. */
function recordDecisions(activity: ActivityJournal): (draft: Draft) => void {
  return (draft) => {
    const byPerson = draft.committedBy === 'person' || (draft.status === 'rejected' && draft.rejectedBy !== 'agent') || draft.status === 'expired';
    if (draft.finishedAt === undefined || !byPerson) return;
    activity.append({
      at: draft.finishedAt,
      by: draft.status === 'expired' ? 'clock' : 'person',
      client: draft.client.name,
      tool: draft.tool,
      chatId: draft.chat.id,
      outcome: draft.status,
      durationMs: 0,
    });
  };
}

async function withBudget(clock: Clock, budgetMs: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const cancel = clock.after(budgetMs, () => abort.abort(new Error('budget ended')));
  try {
    await work(abort.signal);
  } finally {
    cancel();
  }
}
