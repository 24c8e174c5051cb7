import { connectToApp, type AppConnection } from '../bridge/client.ts';
import { readEndpoint } from '../bridge/endpoint.ts';
import { BridgeError } from '../bridge/errors.ts';

/** While a call waits, the app's arrival is noticed within this time. */
const EAGER_MS = 100;
/** While nothing waits, looking costs one `stat`, and slows down from the first to the last of these. */
const QUIET_FIRST_MS = 200;
const QUIET_LAST_MS = 3_000;

export interface ConnectorEvents {
  /** Connected and proved. */
  onUp(connection: AppConnection): void;
  /** One attempt failed; the next follows by itself. */
  onAbsent(reason: BridgeError): void;
}

/** Looks for the app until it is there. Attempts follow one another, never side by side. */
export class Connector {
  #timer: NodeJS.Timeout | undefined;
  #isTrying = false;
  #isStopped = true;
  #quietMs = QUIET_FIRST_MS;

  constructor(
    private readonly folder: string,
    private readonly shimVersion: string,
    private readonly events: ConnectorEvents,
    /** Whether a call waits for the app right now. */
    private readonly isEager: () => boolean,
  ) {}

  /** Looks at once, also if the next look is already planned. */
  start(): void {
    this.#isStopped = false;
    if (this.#isTrying) return;
    clearTimeout(this.#timer);
    void this.#try();
  }

  /** Looks again after a pause: a connection that is lost as soon as it is made must not be made all the time. */
  resume(): void {
    this.#isStopped = false;
    if (!this.#isTrying) this.#plan();
  }

  /** All is well: the next pause is a short one again. */
  calm(): void {
    this.#quietMs = QUIET_FIRST_MS;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Never rejects: every failure becomes an event. */
  async #try(): Promise<void> {
    this.#isTrying = true;
    let reason: BridgeError;
    try {
      await Promise.resolve(); // events never come from inside start()
      const endpoint = readEndpoint(this.folder);
      if (!endpoint) throw new BridgeError('absent', 'Vestnik is not running.');
      const connection = await connectToApp(endpoint, this.shimVersion);
      this.#isTrying = false;
      if (this.#isStopped) connection.channel.destroy();
      else {
        this.#isStopped = true;
        this.events.onUp(connection);
      }
      return;
    } catch (error) {
      reason = error instanceof BridgeError ? error : new BridgeError('absent', 'Vestnik cannot be reached.');
    }
    this.#isTrying = false;
    if (this.#isStopped) return;
    this.events.onAbsent(reason);
    if (!this.#isStopped && !this.#isTrying) this.#plan();
  }

  #plan(): void {
    const delayMs = this.isEager() ? EAGER_MS : this.#quietMs;
    this.#quietMs = Math.min(this.#quietMs * 2, QUIET_LAST_MS);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#try(), delayMs);
  }
}
