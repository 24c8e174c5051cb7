import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export type { Transport };

/** What the transport needs of a connection; `BridgeConnection` of `app/bridge` is one. */
export interface MessageConnection {
  send(message: unknown): Promise<void>;
  onMessage(listener: (message: unknown) => void): () => void;
  onClose(listener: () => void): () => void;
  close(): void;
}

/** An MCP transport over one bridge connection. */
export function bridgeTransport(connection: MessageConnection): Transport {
  const transport: Transport = {
    start() {
      connection.onMessage((message) => {
        const parsed = JSONRPCMessageSchema.safeParse(message);
        if (parsed.success) transport.onmessage?.(parsed.data);
        else transport.onerror?.(new Error('not a JSON-RPC message'));
      });
      connection.onClose(() => transport.onclose?.());
      return Promise.resolve();
    },
    send: (message: JSONRPCMessage) => connection.send(message),
    close() {
      connection.close();
      return Promise.resolve();
    },
  };
  return transport;
}
