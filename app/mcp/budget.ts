/** How big a result may get (design §5: pages stay under about 8k tokens). */

/** What a page's items may take by our estimate, in tokens. The largest page measured has 7.9k as o200k counts, everything included. */
export const PAGE_TOKENS = 7750;

export const TRUNCATED_BY_SIZE = 'size: the page was cut to stay under about 8k tokens; use the cursor for the rest';

/**
 * Tokens of a value as JSON, estimated without a tokenizer: on pages of chat data between what o200k counts and a quarter more.
 * Digits and hex (ids) take far more tokens per character than words; Cyrillic more than Latin.
 */
export function estimateTokens(value: unknown): number {
  const text = JSON.stringify(value) ?? '';
  let tokens = 0;
  for (const [run] of text.matchAll(/[0-9a-f-]{8,}|\d+|[a-zA-Z]+|\s+|\P{ASCII}+|[^\w\s]+|./gsu)) tokens += runTokens(run);
  return Math.ceil(tokens);
}

function runTokens(run: string): number {
  const first = run.codePointAt(0)!;
  if (first > 0x7f) return isMostlyLetters(run) ? run.length / 2.6 : run.length * 1.2;
  if (/^\d+$/.test(run)) return Math.ceil(run.length / 3);
  if (/^[0-9a-f-]{8,}$/.test(run)) return run.length / 1.55;
  if (/^[a-zA-Z]+$/.test(run)) return Math.max(1, run.length / 5);
  if (/^\s+$/.test(run)) return run.length > 1 ? 1 : 0.1;
  return Math.max(1, run.length / 2.4);
}

function isMostlyLetters(run: string): boolean {
  const letters = run.match(/[\p{Script=Cyrillic}\p{Script=Latin}]/gu)?.length ?? 0;
  return letters * 2 >= run.length;
}

/** How many of the first `items` fit into the budget; at least one, which is then told whole. */
export function countThatFits<T>(items: readonly T[], tokensOf: (item: T) => number, budget = PAGE_TOKENS): number {
  let used = 0;
  for (const [index, item] of items.entries()) {
    used += tokensOf(item);
    if (used > budget && index > 0) return index;
  }
  return items.length;
}

/** The largest count from 1 to `all` whose page fits, found by halving: a page grows with its items. At least one, told whole. */
export function largestThatFits(all: number, tokensOf: (count: number) => number, budget = PAGE_TOKENS): number {
  if (all <= 1 || tokensOf(all) <= budget) return all;
  let [fits, tooBig] = [1, all];
  while (tooBig - fits > 1) {
    const middle = (fits + tooBig) >> 1;
    if (tokensOf(middle) <= budget) fits = middle;
    else tooBig = middle;
  }
  return fits;
}
