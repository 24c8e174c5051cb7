/**
 * A card that has just appeared or moved takes no click (the click was meant for what was there before).
 * Pure bookkeeping of where things are: the page measures, this decides.
 */

/** Half a second: longer than a click already on its way, shorter than a glance. */
export const GUARD_MS = 500;
/** Layout rounds to fractions of a pixel. */
const STILL_PX = 0.75;

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface ScrollState {
  readonly top: number;
  readonly height: number;
  readonly viewport: number;
}

interface Seen {
  box: Box;
  scroll: ScrollState;
  content: string;
  openAt: number;
}

const differs = (a: number, b: number) => Math.abs(a - b) > STILL_PX;

/** The whole move is a plain scroll: content and viewport kept their size, and everything slid by what was scrolled. */
function isPlainScroll(before: Seen, box: Box, scroll: ScrollState): boolean {
  if (differs(before.scroll.height, scroll.height) || differs(before.scroll.viewport, scroll.viewport)) return false;
  return !differs(box.top - before.box.top, before.scroll.top - scroll.top);
}

export class ClickGuard {
  readonly #seen = new Map<string, Seen>();

  constructor(private readonly now: () => number) {}

  /**
   * Tells where a thing is (viewport pixels) and what it shows. Closes it for {@link GUARD_MS} if it is new, shows something
   * else, or moved other than by the person's scrolling.
   * @returns whether that happened.
   */
  observe(id: string, box: Box, scroll: ScrollState, content = ''): boolean {
    const before = this.#seen.get(id);
    const hasMoved =
      before !== undefined &&
      (differs(before.box.left, box.left) ||
        differs(before.box.width, box.width) ||
        differs(before.box.height, box.height) ||
        (differs(before.box.top, box.top) && !isPlainScroll(before, box, scroll)));
    const isClosing = before === undefined || hasMoved || before.content !== content;
    this.#seen.set(id, { box, scroll, content, openAt: isClosing ? this.now() + GUARD_MS : (before?.openAt ?? 0) });
    return isClosing;
  }

  /** Closes everything: the window itself has just come before the person's eyes. */
  closeAll(): void {
    for (const seen of this.#seen.values()) seen.openAt = this.now() + GUARD_MS;
  }

  /** Milliseconds until a click is taken; 0 when open. A thing never observed is closed. */
  remainingMs(id: string): number {
    const seen = this.#seen.get(id);
    return seen ? Math.max(0, seen.openAt - this.now()) : GUARD_MS;
  }

  isOpen(id: string): boolean {
    return this.remainingMs(id) === 0;
  }

  forget(id: string): void {
    this.#seen.delete(id);
  }
}
