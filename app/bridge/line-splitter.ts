const NEWLINE = 0x0a;
const FIRST_CAPACITY_BYTES = 1024;

/**
 * Cuts a byte stream into lines. Works on bytes, so a character split between two chunks stays whole, and keeps no more
 * than one line of `maxLineBytes`: the rest of a longer line is thrown away up to its end, after one call of `onOverflow`.
 */
export class LineSplitter {
  #buffer = Buffer.alloc(0);
  #length = 0;
  #isDiscarding = false;

  constructor(
    public maxLineBytes: number,
    private readonly onLine: (line: Buffer) => void,
    private readonly onOverflow: () => void,
  ) {}

  push(chunk: Buffer): void {
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, start);
      this.#take(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#finishLine();
      start = end + 1;
    }
  }

  #take(part: Buffer): void {
    if (this.#isDiscarding) return;
    if (this.#length + part.length > this.maxLineBytes) {
      this.#isDiscarding = true;
      this.#reset();
      this.onOverflow();
      return;
    }
    const needed = this.#length + part.length;
    if (needed > this.#buffer.length) {
      // Doubling keeps a line that comes byte by byte from being copied once per byte.
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2, FIRST_CAPACITY_BYTES));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    part.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  #finishLine(): void {
    if (this.#isDiscarding) {
      this.#isDiscarding = false;
      return;
    }
    const line = this.#buffer.subarray(0, this.#length);
    this.#reset();
    this.onLine(line);
  }

  /** The emitted line keeps its memory; the next one gets its own. */
  #reset(): void {
    this.#buffer = Buffer.alloc(0);
    this.#length = 0;
  }
}
