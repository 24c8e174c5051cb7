import { errorLine, failureLine, INVALID_PARAMS, isRecord, METHOD_NOT_FOUND, resultLine, type Request, type RequestId } from './json-rpc.ts';
import { hasMethod, initializeResult, type Snapshot } from './snapshot.ts';
import { NOT_RUNNING } from './words.ts';

/** Answers in the app's absence, from the snapshot or from what the app said last, and remembers what the client was told. */
export class StandIn {
  #snapshot: Snapshot | undefined;
  /** The app's last whole list of tools, and the one that the client was told last, as JSON. */
  #known: string | undefined;
  #told: string | undefined;

  constructor(private readonly load: () => Snapshot) {}

  /** The line that answers a request as well as can be done without the app. Tool calls have their own failures. */
  answer(request: Request): string {
    const snapshot = (this.#snapshot ??= this.load());
    const { id, method, params } = request;
    if (method === 'ping') return resultLine(id, {});
    if (method === 'initialize') return resultLine(id, initializeResult(snapshot, params));
    if (method === 'tools/list') return this.#listTools(id, params, snapshot);
    return hasMethod(snapshot, method) ? failureLine(request, NOT_RUNNING) : errorLine(id, METHOD_NOT_FOUND, 'Method not found');
  }

  /** Whether the client has a list of tools at all. */
  get hasToldTools(): boolean {
    return this.#told !== undefined;
  }

  /** The client is about to get this answer of the app to `tools/list`. */
  tellTools(result: unknown): void {
    if (this.#learn(result)) this.#told = this.#known;
  }

  /** Whether the app's list differs from what the client was told. True once for each difference: the client asks again. */
  isNews(result: unknown): boolean {
    if (!this.#learn(result) || this.#known === this.#told) return false;
    this.#told = this.#known;
    return true;
  }

  /** False for an error and for one page of many. */
  #learn(result: unknown): boolean {
    if (!isRecord(result) || !Array.isArray(result.tools) || result.nextCursor !== undefined) return false;
    this.#known = JSON.stringify(result.tools);
    return true;
  }

  #listTools(id: RequestId, params: unknown, snapshot: Snapshot): string {
    if (isRecord(params) && params.cursor !== undefined) return errorLine(id, INVALID_PARAMS, 'Invalid cursor');
    this.#told = this.#known ?? JSON.stringify(snapshot.tools);
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":${this.#told}}}`;
  }
}
