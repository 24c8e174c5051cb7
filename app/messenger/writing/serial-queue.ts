/**
 * One at a time, in the order they came: messages the person let go one after another must arrive in that order,
 * and a wait the server asked for holds up all of them (protocol §3).
 */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
