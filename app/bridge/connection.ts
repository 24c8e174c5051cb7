import { BridgeError } from './errors.ts';
import { MESSAGE_LINE_BYTES } from './handshake.ts';
import type { LineChannel } from './line-channel.ts';
import type { BridgeLog } from './server.ts';

/** Above this, the client's own requests wait until it has read its answers. */
const HOLD_BACKLOG_BYTES = 1024 * 1024;
/** A client that reads nothing at all is cut off here, before it costs the app its memory. */
const MAX_BACKLOG_BYTES = 4 * MESSAGE_LINE_BYTES;

/** One client that has proved itself: JSON messages, one per line, in both directions. An MCP transport is made from it in `app/mcp`. */
export interface BridgeConnection {
  /** Unique within one launch of the app. */
  readonly id: string;
  /** As the shim says; for display and for the log. */
  readonly shimVersion: string;
  /** Resolves when the operating system took the message; rejects with a BridgeError: `closed` if the client is gone, `line_too_long` over 16 MB. */
  send(message: unknown): Promise<void>;
  /** One listener at a time. Messages that came before are delivered at once. */
  onMessage(listener: (message: unknown) => void): () => void;
  /** Called once, also if it is closed already. */
  onClose(listener: () => void): () => void;
  /** Sends what is waiting, then closes. */
  close(): void;
}

/** The app's side of a connection. */
export class BridgeServerConnection implements BridgeConnection {
  constructor(
    readonly id: string,
    readonly shimVersion: string,
    private readonly channel: LineChannel,
    private readonly log: BridgeLog,
  ) {
    channel.onDrain(() => channel.hold(false));
  }

  async send(message: unknown): Promise<void> {
    const line = JSON.stringify(message);
    if (Buffer.byteLength(line) > MESSAGE_LINE_BYTES) throw new BridgeError('line_too_long', 'The message is too long for the bridge.');
    await new Promise<void>((resolve, reject) => {
      this.channel.write(line, (error) => (error ? reject(error) : resolve()));
      if (this.channel.backlogBytes > MAX_BACKLOG_BYTES) {
        this.log.warn('bridge.client_reads_nothing', { connection: this.id });
        this.channel.destroy();
      } else if (this.channel.backlogBytes > HOLD_BACKLOG_BYTES) this.channel.hold(true);
    });
  }

  onMessage(listener: (message: unknown) => void): () => void {
    this.channel.setListener((line) => {
      let message: unknown;
      try {
        message = JSON.parse(line.toString('utf8'));
      } catch {
        // The shim passes on nothing that is not JSON, so this is not the shim.
        this.log.warn('bridge.not_json', { connection: this.id });
        this.channel.destroy();
        return;
      }
      try {
        listener(message);
      } catch (error) {
        // One client's odd message must not end the app that serves all the others.
        this.log.warn('bridge.listener_failed', { connection: this.id, code: error instanceof Error ? error.name : 'unknown' });
      }
    });
    return () => this.channel.setListener(undefined);
  }

  onClose(listener: () => void): () => void {
    return this.channel.onClose(() => listener());
  }

  close(): void {
    this.channel.end();
  }

  destroy(): void {
    this.channel.destroy();
  }
}
