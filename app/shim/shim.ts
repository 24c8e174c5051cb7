import type { AppConnection } from '../bridge/client.ts';
import type { BridgeError } from '../bridge/errors.ts';
import { Connector } from './connector.ts';
import {
  errorLine,
  failureLine,
  InvalidMessageError,
  isId,
  isRecord,
  parseMessage,
  type Failure,
  type Incoming,
  type Notification,
  type Request,
  type Response,
} from './json-rpc.ts';
import type { Launcher } from './launcher.ts';
import { keyOf, Link } from './link.ts';
import type { Snapshot } from './snapshot.ts';
import { StandIn } from './stand-in.ts';
import { WaitingRoom } from './waiting-room.ts';
import { CLIENT_LEAVING, CONNECTION_LOST, inWords, notReady, TOO_MANY_WAITING } from './words.ts';

/** How long a question that the snapshot can answer waits for an app that is there but slow. */
const LOCAL_ANSWER_MS = 2_000;
/** How long the app may take to answer the replayed `initialize`. */
const INITIALIZE_TIMEOUT_MS = 10_000;
/** How long the last answers may take after stdin has ended. */
const FAREWELL_MS = 2_000;
/** More calls than any client has under way at once. */
const MAX_WAITING = 256;
/** What only a person can put right; waiting or starting the app does not help. */
const LASTING = new Set(['version_mismatch', 'folder_unsafe', 'file_unsafe', 'file_malformed', 'too_many_clients']);

/** The stdio side. */
export interface Client {
  /** Returns false when its buffer is full; {@link Shim.clientDrained} is called when it has room again. */
  write(line: string | Buffer): boolean;
  /** Holds back the client's lines, or lets them come again. */
  hold(isHeld: boolean): void;
}

export interface ShimOptions {
  readonly folder: string;
  readonly version: string;
  readonly client: Client;
  readonly launcher: Launcher;
  /** Called at most once, when first needed. */
  readonly loadSnapshot: () => Snapshot;
  /** How long a call waits for the app to be started, in milliseconds. */
  readonly launchWaitMs: number;
  readonly log: (text: string) => void;
}

/** The mediator between one MCP client, which stays, and the app, which comes and goes. */
export class Shim {
  readonly #options: ShimOptions;
  readonly #connector: Connector;
  readonly #standIn: StandIn;
  readonly #waiting = new WaitingRoom();
  #link: Link | undefined;
  #epoch = 0;
  /** Why the last look for the app failed; undefined when nothing is known. */
  #absence: BridgeError | undefined;
  #hasLaunched = false;
  /** The client's own `initialize`, for replay. */
  #initialize: { readonly params: unknown } | undefined;
  /** `notifications/initialized` has come. */
  #isClientReady = false;
  #isClientFull = false;
  #onQuiet: (() => void) | undefined;

  constructor(options: ShimOptions) {
    this.#options = options;
    this.#standIn = new StandIn(options.loadSnapshot);
    this.#connector = new Connector(
      options.folder,
      options.version,
      { onUp: (connection) => this.#onUp(connection), onAbsent: (reason) => this.#onAbsent(reason) },
      () => this.#waiting.size > 0,
    );
  }

  /** One line from the client. */
  receive(line: Buffer): void {
    if (line.length < 8 && line.toString('latin1').trim() === '') return; // an empty line, or one of \r
    let message: Incoming;
    try {
      message = parseMessage(line);
    } catch (error) {
      if (error instanceof InvalidMessageError) this.#write(errorLine(error.id, error.code, error.message));
      return;
    }
    if (message.kind === 'request') this.#receiveRequest(message, line);
    else if (message.kind === 'notification') this.#receiveNotification(message, line);
    else this.#holdUnless(this.#link?.answer(message) ?? true);
  }

  clientDrained(): void {
    this.#isClientFull = false;
    this.#link?.hold(false);
  }

  /** stdin has ended: what is under way may end within a moment, the rest is told so. Resolves when all is said. */
  async farewell(): Promise<void> {
    if (!this.#isQuiet()) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve;
        setTimeout(resolve, FAREWELL_MS);
      });
    }
    this.#connector.stop();
    this.#options.launcher.releaseLock();
    for (const { request } of this.#waiting.guests) this.#fail(request, CLIENT_LEAVING);
    for (const request of this.#link?.inFlight.values() ?? []) this.#fail(request, CLIENT_LEAVING);
    this.#link?.close();
    this.#link = undefined;
  }

  // — from the client —

  #receiveRequest(request: Request, line: Buffer): void {
    if (request.method === 'initialize') {
      this.#initialize = { params: request.params };
      this.#isClientReady = false;
      this.#wait(request, line, LOCAL_ANSWER_MS);
      if (this.#link) this.#introduce(this.#link);
    } else if (this.#link?.isReady) {
      this.#holdUnless(this.#link.request(request, line));
    } else if (request.method === 'tools/call') {
      this.#wait(request, line, this.#options.launchWaitMs);
    } else if (request.method === 'ping' || (request.method === 'tools/list' && this.#absence)) {
      this.#answerHere(request);
    } else {
      this.#wait(request, line, LOCAL_ANSWER_MS);
    }
  }

  #receiveNotification({ method, params }: Notification, line: Buffer): void {
    if (method === 'notifications/initialized') {
      this.#isClientReady = true;
      if (this.#link?.isReady) this.#holdUnless(this.#link.pass(line));
      return;
    }
    if (method === 'notifications/cancelled' && isRecord(params) && isId(params.requestId)) {
      this.#link?.inFlight.delete(keyOf(params.requestId));
      if (this.#waiting.leave(params.requestId)) return; // a cancelled request gets no answer, and the app never hears of it
    }
    if (this.#link?.isReady) this.#holdUnless(this.#link.pass(line));
  }

  #wait(request: Request, line: Buffer, waitMs: number): void {
    if (this.#waiting.size >= MAX_WAITING) {
      this.#write(failureLine(request, TOO_MANY_WAITING));
      return;
    }
    this.#waiting.enter(request, line, waitMs, () => this.#onWaitOver(request));
    if (!this.#link) this.#connector.start();
  }

  #onWaitOver(request: Request): void {
    if (request.method !== 'tools/call') {
      this.#answerHere(request);
      return;
    }
    this.#fail(request, notReady(this.#options.launchWaitMs, this.#absence));
    if (!this.#waiting.hasCalls) this.#endLaunch();
  }

  // — the app comes and goes —

  #onUp(connection: AppConnection): void {
    const { version, log } = this.#options;
    log(connection.appVersion === version ? 'connected to Vestnik' : `connected to Vestnik ${connection.appVersion}; this vestnik-mcp is ${version}`);
    this.#absence = undefined;
    this.#endLaunch();
    const link: Link = new Link(connection, String(++this.#epoch), {
      toClient: (line) => this.#write(line),
      onAnswer: (request, response) => this.#onAnswer(request, response),
      onDown: () => this.#onDown(link),
      log,
    });
    this.#link = link;
    link.start();
    connection.channel.onDrain(() => this.#options.client.hold(false));
    if (this.#isClientFull) link.hold(true);
    if (this.#initialize) this.#introduce(link);
    else this.#onReady(link);
  }

  /** Says `initialize` to the app in the client's words. The client sees the answer only if it still waits for one. */
  #introduce(link: Link): void {
    link.isReady = false;
    const timer = setTimeout(() => link.destroy(), INITIALIZE_TIMEOUT_MS);
    link.ask('initialize', this.#initialize?.params, ({ result, error }) => {
      clearTimeout(timer);
      const asked = this.#waiting.guests.find(({ request }) => request.method === 'initialize')?.request;
      if (asked) {
        this.#waiting.leave(asked.id);
        this.#write(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...(error === undefined ? { result } : { error }) }));
      }
      if (error !== undefined) {
        this.#options.log('Vestnik refused to initialize');
        link.destroy();
      } else this.#onReady(link);
    });
  }

  #onReady(link: Link): void {
    link.isReady = true;
    this.#connector.calm();
    if (this.#initialize && this.#isClientReady) link.pass('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    for (const { request, line } of this.#waiting.guests) {
      this.#waiting.leave(request.id);
      this.#holdUnless(link.request(request, line));
    }
    // The client's list may come from another Vestnik, or from the snapshot.
    if (!this.#standIn.hasToldTools || !this.#isClientReady) return;
    link.ask('tools/list', undefined, ({ result }) => {
      if (this.#standIn.isNews(result)) this.#write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    });
  }

  #onAnswer(request: Request, { result }: Response): void {
    if (request.method === 'tools/list') this.#standIn.tellTools(result);
  }

  #onAbsent(reason: BridgeError): void {
    if (this.#absence?.code !== reason.code && reason.code !== 'absent') this.#options.log(`${reason.message} ${reason.nextStep ?? ''}`.trim());
    this.#absence = reason;
    const failure = LASTING.has(reason.code) ? inWords(reason) : this.#launchIfNeeded(reason);
    for (const { request } of this.#waiting.guests) {
      if (request.method !== 'tools/call') this.#answerHere(request);
      else if (failure) this.#fail(request, failure);
    }
    if (failure) this.#endLaunch();
    if (!this.#initialize && this.#waiting.size === 0) this.#connector.stop();
  }

  /** Starts the app once for the calls that wait. Returns why that is not possible. */
  #launchIfNeeded(reason: BridgeError): Failure | undefined {
    const { launcher } = this.#options;
    const failed = launcher.takeFailure();
    if (failed) return inWords(failed);
    // A socket that answers belongs to a running app, however slow it is.
    const isGone = reason.code === 'absent' || reason.code === 'proof_wrong' || reason.code === 'handshake_malformed';
    if (this.#hasLaunched || !isGone || !this.#waiting.hasCalls) return undefined;
    this.#hasLaunched = true;
    try {
      launcher.launch();
      return undefined;
    } catch (error) {
      return inWords(error as BridgeError);
    }
  }

  #endLaunch(): void {
    this.#hasLaunched = false;
    this.#options.launcher.releaseLock();
  }

  #onDown(link: Link): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#options.log('the connection to Vestnik was lost');
    this.#options.client.hold(false);
    for (const request of link.inFlight.values()) {
      if (request.method === 'ping' || request.method === 'tools/list') this.#answerHere(request);
      else this.#fail(request, CONNECTION_LOST);
    }
    if (this.#initialize || this.#waiting.size > 0) this.#connector.resume();
  }

  // — answers of the shim's own —

  #answerHere(request: Request): void {
    this.#waiting.leave(request.id);
    this.#write(this.#standIn.answer(request));
  }

  #fail(request: Request, failure: Failure): void {
    this.#waiting.leave(request.id);
    this.#write(failureLine(request, failure));
  }

  #isQuiet(): boolean {
    return this.#waiting.size === 0 && (this.#link?.inFlight.size ?? 0) === 0;
  }

  #checkQuiet(): void {
    if (this.#onQuiet && this.#isQuiet()) this.#onQuiet();
  }

  #holdUnless(hasRoom: boolean): void {
    if (!hasRoom) this.#options.client.hold(true);
  }

  #write(line: string | Buffer): void {
    if (!this.#options.client.write(line)) {
      this.#isClientFull = true;
      this.#link?.hold(true);
    }
    this.#checkQuiet();
  }
}
