import type { Socket } from 'node:net';
import { BridgeError } from './errors.ts';
import { LineSplitter } from './line-splitter.ts';

type LineListener = (line: Buffer) => void;

/**
 * Lines over one socket, in both directions, with back pressure. Lines that come while nobody listens are kept and the
 * socket is paused, so none is lost between the handshake and what follows. A line over the cap destroys the socket.
 */
export class LineChannel {
  readonly #socket: Socket;
  readonly #splitter: LineSplitter;
  readonly #closeListeners = new Set<(error: BridgeError) => void>();
  readonly #drainListeners = new Set<() => void>();
  #listener: LineListener | undefined;
  #kept: Buffer[] = [];
  #isHeld = false;
  #closedBy: BridgeError | undefined;

  constructor(socket: Socket, maxLineBytes: number) {
    this.#socket = socket;
    this.#splitter = new LineSplitter(
      maxLineBytes,
      (line) => this.#deliver(line),
      () => this.destroy(new BridgeError('line_too_long', 'The other side sent a line that is too long.')),
    );
    socket.on('data', (chunk: Buffer) => {
      if (!socket.destroyed) this.#splitter.push(chunk);
    });
    socket.on('drain', () => {
      for (const listener of [...this.#drainListeners]) listener();
    });
    // A half-closed peer is gone for us: nothing more can come, and answers have nobody to read them.
    socket.on('end', () => socket.end());
    socket.on('error', (error) => this.destroy(new BridgeError('closed', error.message)));
    socket.on('close', () => this.#finish(new BridgeError('closed', 'The connection was closed.')));
  }

  get isOpen(): boolean {
    return this.#closedBy === undefined && !this.#socket.destroyed;
  }

  /** Bytes that wait to be taken by the other side. */
  get backlogBytes(): number {
    return this.#socket.writableLength;
  }

  set maxLineBytes(bytes: number) {
    this.#splitter.maxLineBytes = bytes;
  }

  /** Sets or takes away the one reader of lines; what was kept is delivered at once. */
  setListener(listener: LineListener | undefined): void {
    this.#listener = listener;
    while (this.#listener && this.#kept.length > 0) this.#listener(this.#kept.shift() as Buffer);
    this.#flow();
  }

  /** The next line, for a dialogue of turns. Rejects with the BridgeError that closed the channel. */
  nextLine(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const stopWatching = this.onClose(reject);
      if (this.#closedBy) return;
      this.setListener((line) => {
        stopWatching();
        this.setListener(undefined);
        resolve(line);
      });
    });
  }

  /**
   * Sends one line; it must not contain a newline.
   * @param onSent called when the operating system took it, or with the reason why not
   * @returns false when the sender should wait for {@link onDrain}
   */
  write(line: string | Buffer, onSent?: (error?: Error | null) => void): boolean {
    if (!this.isOpen) {
      onSent?.(this.#closedBy ?? new BridgeError('closed', 'The connection was closed.'));
      return true;
    }
    if (typeof line === 'string') return this.#socket.write(`${line}\n`, onSent);
    this.#socket.cork();
    this.#socket.write(line);
    const hasRoom = this.#socket.write('\n', onSent);
    this.#socket.uncork();
    return hasRoom;
  }

  /** Holds back the other side's lines, or lets them come again. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#flow();
  }

  onDrain(listener: () => void): () => void {
    this.#drainListeners.add(listener);
    return () => this.#drainListeners.delete(listener);
  }

  /** Called once, also if the channel is closed already. */
  onClose(listener: (error: BridgeError) => void): () => void {
    if (this.#closedBy) {
      listener(this.#closedBy);
      return () => undefined;
    }
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  /** Sends what is waiting, then closes. */
  end(): void {
    this.#socket.destroySoon();
  }

  /** Closes now, whatever waits. */
  destroy(error = new BridgeError('closed', 'The connection was closed.')): void {
    this.#socket.destroy();
    this.#finish(error);
  }

  #deliver(line: Buffer): void {
    if (this.#closedBy) return;
    if (this.#listener && this.#kept.length === 0) this.#listener(line);
    else {
      this.#kept.push(line);
      this.#flow();
    }
  }

  #flow(): void {
    if (this.#isHeld || (!this.#listener && this.#kept.length > 0)) this.#socket.pause();
    else this.#socket.resume();
  }

  #finish(error: BridgeError): void {
    if (this.#closedBy) return;
    this.#closedBy = error;
    this.#kept = [];
    this.#listener = undefined;
    for (const listener of [...this.#closeListeners]) listener(error);
    this.#closeListeners.clear();
    this.#drainListeners.clear();
  }
}
