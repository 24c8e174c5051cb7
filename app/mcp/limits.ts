import { z } from 'zod';

/** Bounded numbers are clamped rather than refused, and the result says so (design §5: `limit` clamps). */

export interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** A whole-number argument with its default. The bounds stand in the JSON Schema; a value outside them is clamped by {@link clampAll}. */
export function boundedArgument(bounds: Bounds, description: string) {
  return z
    .int('must be a whole number')
    .meta({ minimum: bounds.min, maximum: bounds.max })
    .default(bounds.default)
    .describe(`${description}; ${bounds.min}–${bounds.max}, default ${bounds.default}. A value outside is clamped, and \`clamped\` says so`);
}

export type Clamped = Readonly<Record<string, { readonly requested: number; readonly used: number }>>;

/** The values to use, and the `clamped` key of the result when one of them was outside its bounds. */
export function clampAll<K extends string>(
  values: Readonly<Record<K, number>>,
  bounds: Readonly<Record<K, Bounds>>,
): { used: Record<K, number>; note: { clamped?: Clamped } } {
  const used = {} as Record<K, number>;
  const clamped: Record<string, { requested: number; used: number }> = {};
  for (const name of Object.keys(values) as K[]) {
    const { min, max } = bounds[name];
    used[name] = Math.min(max, Math.max(min, values[name]));
    if (used[name] !== values[name]) clamped[name] = { requested: values[name], used: used[name] };
  }
  return { used, note: Object.keys(clamped).length > 0 ? { clamped } : {} };
}

export const clampedKey = {
  clamped: z
    .record(z.string(), z.looseObject({ requested: z.number(), used: z.number() }))
    .describe('Arguments that were outside their bounds, and what was used'),
} satisfies z.ZodRawShape;
