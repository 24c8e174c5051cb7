// What set-up says to the person in front of it. All of it goes to stderr, so that `npm run --silent core` keeps its stdout pure.

/** An expected failure: its message is all the person needs, no stack. */
export class SetupError extends Error {
  code = 'setup_failed';
}

/** Prints one line. @param {string} line */
export function say(line) {
  process.stderr.write(`[setup] ${line}\n`);
}

/**
 * Says `describe()` every few seconds while `work` runs, so that a slow network does not look like a hang.
 * @template T
 * @param {Promise<T>} work
 * @param {() => string} describe
 * @returns {Promise<T>}
 */
export async function withProgress(work, describe) {
  const intervalMs = process.stderr.isTTY ? 1000 : 4000;
  const timer = setInterval(() => say(`  … ${describe()}`), intervalMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
