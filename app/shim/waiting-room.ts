import type { Request, RequestId } from './json-rpc.ts';
import { keyOf } from './link.ts';

/** A request that came while the app was not there, with the line it came in. */
export interface Guest {
  readonly request: Request;
  readonly line: Buffer;
}

/** Requests that wait for the app, in the order they came, each with its own patience. */
export class WaitingRoom {
  readonly #guests = new Map<string, Guest & { readonly timer: NodeJS.Timeout }>();

  /** Calls `onTooLong` after `patienceMs` unless the request has left before. */
  enter(request: Request, line: Buffer, patienceMs: number, onTooLong: () => void): void {
    this.leave(request.id);
    this.#guests.set(keyOf(request.id), { request, line, timer: setTimeout(onTooLong, patienceMs) });
  }

  /** False if it was not there. */
  leave(id: RequestId): boolean {
    clearTimeout(this.#guests.get(keyOf(id))?.timer);
    return this.#guests.delete(keyOf(id));
  }

  get size(): number {
    return this.#guests.size;
  }

  /** A copy: guests may leave while it is walked through. */
  get guests(): readonly Guest[] {
    return [...this.#guests.values()];
  }

  get hasCalls(): boolean {
    return this.guests.some(({ request }) => request.method === 'tools/call');
  }
}
