import { performance } from 'node:perf_hooks';

/** Middle and slow end of a series, in milliseconds. */
export interface Timing {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly runs: number;
}

/** Times `work` `runs` times, after one run that is not counted. */
export async function time(runs: number, work: (run: number) => Promise<unknown>): Promise<Timing> {
  await work(-1);
  const series: number[] = [];
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now();
    await work(run);
    series.push(performance.now() - startedAt);
  }
  return summarise(series);
}

export function summarise(series: readonly number[]): Timing {
  const sorted = [...series].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { medianMs: at(0.5), p95Ms: at(0.95), runs: sorted.length };
}

/** One line of the table; `ratio` compares within this run alone, since machines and their load differ. */
export interface Row {
  readonly what: string;
  readonly timing: Timing;
  readonly baseline?: { readonly what: string; readonly timing: Timing };
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, timing, baseline }) => [
    what,
    timing.medianMs.toFixed(1),
    timing.p95Ms.toFixed(1),
    String(timing.runs),
    baseline ? `${(timing.medianMs / baseline.timing.medianMs).toFixed(2)} × ${baseline.what}` : '',
  ]);
  const all = [['what', 'median ms', 'p95 ms', 'runs', 'ratio'], ...cells];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 || column === 4 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
