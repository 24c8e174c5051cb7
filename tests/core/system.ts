import type { Clock, Log } from '../../app/wire/index.ts';

/** The machine's own time. Timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A log on stderr, one JSON object a line. @param level lowest level written; `warn` by default, so that a test's output stays readable */
export function stderrLog(level = 'warn'): Log {
  const known = LEVELS.find((each) => each === level) ?? 'warn';
  const lowest = LEVELS.indexOf(known);
  const write =
    (name: (typeof LEVELS)[number]) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (LEVELS.indexOf(name) >= lowest) process.stderr.write(`${JSON.stringify({ level: name, event, ...fields })}\n`);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
