import type { AppConnection } from '../bridge/client.ts';
import { isRecord, parseMessage, type Incoming, type Notification, type Request, type RequestId, type Response } from './json-rpc.ts';

export interface LinkEvents {
  /** A line for the client. */
  toClient(line: string | Buffer): void;
  /** The answer of the app to a request of the client is about to be passed on. */
  onAnswer(request: Request, response: Response): void;
  onDown(): void;
  log(text: string): void;
}

/** How the two kinds of id are kept apart in one map. */
export function keyOf(id: RequestId): string {
  return `${typeof id}:${id}`;
}

/**
 * One connection to the app, from proved to closed. Passes lines on as they are, remembers what is unanswered in either
 * direction, and asks private questions of its own, whose answers the client never sees.
 */
export class Link {
  /** The client's requests that the app has not answered. */
  readonly inFlight = new Map<string, Request>();
  /** Set by the mediator when the app has answered `initialize`. */
  isReady = false;
  readonly #channel: AppConnection['channel'];
  readonly #private = new Map<string, (response: Response) => void>();
  /** The app's requests to the client: id as the client knows it → id as the app knows it. */
  readonly #asked = new Map<string, RequestId>();
  #lastPrivate = 0;

  /** @param epoch distinguishes this connection from those before, in ids that the client sees */
  constructor(
    readonly connection: AppConnection,
    private readonly epoch: string,
    private readonly events: LinkEvents,
  ) {
    this.#channel = connection.channel;
  }

  /** Lets the app's lines in. */
  start(): void {
    this.#channel.setListener((line) => this.#receive(line));
    this.#channel.onClose(() => this.#finish());
  }

  /** Passes a request on. Returns false when the client should be held back, see `onDrain` of the channel. */
  request(request: Request, line: Buffer): boolean {
    this.inFlight.set(keyOf(request.id), request);
    return this.#channel.write(line);
  }

  pass(line: Buffer | string): boolean {
    return this.#channel.write(line);
  }

  /** Passes the client's answer to the app's request on; an answer to an earlier connection's request is dropped. */
  answer(response: Response): boolean {
    if (response.id === null) return true;
    const id = this.#asked.get(keyOf(response.id));
    if (id === undefined) return true;
    this.#asked.delete(keyOf(response.id));
    const { jsonrpc, result, error } = response;
    return this.#channel.write(JSON.stringify(error === undefined ? { jsonrpc, id, result } : { jsonrpc, id, error }));
  }

  /** Asks the app something on the shim's own account. */
  ask(method: string, params: unknown, onAnswer: (response: Response) => void): void {
    const id = `vestnik-mcp-${this.epoch}-${++this.#lastPrivate}`;
    this.#private.set(keyOf(id), onAnswer);
    this.#channel.write(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }));
  }

  hold(isHeld: boolean): void {
    this.#channel.hold(isHeld);
  }

  close(): void {
    this.#channel.end();
  }

  destroy(): void {
    this.#channel.destroy();
  }

  #receive(line: Buffer): void {
    let message: Incoming;
    try {
      message = parseMessage(line);
    } catch {
      this.events.log('dropped a line from Vestnik that is no message');
      return;
    }
    if (message.kind === 'response') this.#receiveResponse(message, line);
    else if (message.kind === 'request') this.#receiveRequest(message);
    else this.#receiveNotification(message, line);
  }

  #receiveResponse(response: Response, line: Buffer): void {
    if (response.id !== null) {
      const key = keyOf(response.id);
      const onAnswer = this.#private.get(key);
      if (onAnswer) {
        this.#private.delete(key);
        onAnswer(response);
        return;
      }
      const request = this.inFlight.get(key);
      this.inFlight.delete(key);
      if (request) this.events.onAnswer(request, response);
    }
    this.events.toClient(line);
  }

  /** The next app counts its ids from the start again, so the client gets ids that are unique across connections. */
  #receiveRequest({ id, method, params }: Request): void {
    const clientId = `vestnik-${this.epoch}-${id}`;
    this.#asked.set(keyOf(clientId), id);
    this.events.toClient(JSON.stringify({ jsonrpc: '2.0', id: clientId, method, ...(params === undefined ? {} : { params }) }));
  }

  #receiveNotification({ method, params }: Notification, line: Buffer): void {
    if (method !== 'notifications/cancelled' || !isRecord(params)) {
      this.events.toClient(line);
      return;
    }
    const clientId = `vestnik-${this.epoch}-${String(params.requestId)}`;
    if (this.#asked.delete(keyOf(clientId))) this.#cancelAtClient(clientId, params);
  }

  #cancelAtClient(requestId: string, params: Record<string, unknown>): void {
    this.events.toClient(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { ...params, requestId } }));
  }

  #finish(): void {
    for (const key of this.#asked.keys()) this.#cancelAtClient(key.slice('string:'.length), { reason: 'the connection to Vestnik was lost' });
    this.#asked.clear();
    this.#private.clear();
    this.events.onDown();
  }
}
