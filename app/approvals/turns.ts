/**
 * Per key, one after the other in the order they came. A commit's checks take differently long; without turns, messages that
 * the person let go a moment apart could leave in another order.
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** `after`: whose turn must be over first, if anybody's. `onHandedOver` ends one's own; calling it again does nothing. */
  take(key: string): { readonly after: Promise<void> | undefined; readonly onHandedOver: () => void } {
    const after = this.#last.get(key);
    let onHandedOver = () => {};
    const mine = new Promise<void>((resolve) => {
      onHandedOver = () => {
        if (this.#last.get(key) === mine) this.#last.delete(key);
        resolve();
      };
    });
    this.#last.set(key, mine);
    return { after, onHandedOver };
  }
}
