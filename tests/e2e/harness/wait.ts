interface WaitOptions {
  /** Ends the sentence "Waited in vain for …". */
  readonly what: string;
  readonly limitMs?: number;
  /** More for the failure's text, asked only then. */
  readonly detail?: () => string;
}

/** Asks again and again until the answer is truthy, and returns it. Throws with all it knows when the time is over. */
export async function waitFor<T>(ask: () => T | Promise<T>, { what, limitMs = 10_000, detail }: WaitOptions): Promise<NonNullable<T>> {
  const started = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() - started > limitMs) throw new Error(`Waited in vain for ${what} (${limitMs} ms). ${detail?.() ?? ''}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
