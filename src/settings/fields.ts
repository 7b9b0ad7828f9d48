/** Kinds of settings that several sections have. */
import { z } from 'zod';

export const wordsSetting = (value: readonly string[], what: string) =>
  z
    .array(z.string().trim().min(1).max(100))
    .min(1)
    .max(200)
    .default([...value])
    .describe(what);

export function sumOfWeights(weights: object): number {
  return Object.values(weights).reduce((sum: number, one) => sum + one, 0);
}

/** People round what they write by hand. */
const SUM_TOLERANCE = 1e-6;

/** Weights that count only together; those not named are the documented ones. */
export function weightsTogether<T extends Readonly<Record<string, number>>>(documented: T, what: string) {
  const shape = Object.fromEntries(
    Object.entries(documented).map(([name, value]) => [name, z.number().min(0).max(1).default(value)]),
  ) as { [K in keyof T]: z.ZodDefault<z.ZodNumber> };
  return z
    .strictObject(shape)
    .refine((weights) => Math.abs(sumOfWeights(weights) - 1) <= SUM_TOLERANCE, {
      error: ({ input }) =>
        `the weights must sum to 1, the documented ones of those left out included; these sum to ${Number(sumOfWeights(input as object).toPrecision(6))}`,
    })
    .meta({ settings: 'one' })
    .prefault({} as never)
    .describe(what);
}

export const daysSetting = z.number().positive().max(100_000);
