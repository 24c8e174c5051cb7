/**
 * Whether a person just did something in a page. Electron does not tell a window-open handler so, and the page cannot be trusted to; what
 * Chromium delivers as real input can. One activation opens at most one thing.
 */
const ACTIVATION_MS = 5_000; // Chromium's own lifetime of a transient activation

// Not `mouseDown`: between it and the click a page's own popup could take what the person meant for another.
const ACTIVATING = new Set(['mouseUp', 'keyDown', 'rawKeyDown', 'touchEnd', 'gestureTap']);

export class UserActivation {
  private at = Number.NEGATIVE_INFINITY;

  constructor(private readonly now: () => number) {}

  /** Notes an input event; movement and wheel do not count, as in Chromium. */
  noteInput(type: string): void {
    if (ACTIVATING.has(type)) this.at = this.now();
  }

  get isActive(): boolean {
    return this.now() - this.at <= ACTIVATION_MS;
  }

  /** Takes the activation, so that a second popup of the same click is refused. */
  consume(): boolean {
    const wasActive = this.isActive;
    this.at = Number.NEGATIVE_INFINITY;
    return wasActive;
  }
}
