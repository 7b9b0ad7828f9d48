/** What the schemas of all instruments are made of. */
import { z } from 'zod';
import type { JudgedMetric } from '../../judge/verdict.ts';
import { type Measurement, metricKey } from '../../measure/metric.ts';
import { from, type Source } from '../wire.ts';

/** What every result begins with. */
export function head<const Format extends string>(format: Format) {
  return { format: z.literal(format), version: z.literal(1) };
}

/** A part of a list, and where the next one begins. */
export function pageOf<const Format extends string, Item extends z.ZodType>(format: Format, item: Item) {
  return z.object({
    ...head(format),
    items: z.array(item),
    next: z.string().nullable().describe('The cursor of the next page; `null` when this is the last'),
  });
}

/** What was measured, or `null` with the reason why not. Full precision; rounding is a matter of reports. */
export const measurement = z
  .object({
    value: from((one: Measurement) => (one.measured ? one.value : null), z.number().nullable()),
    low: from(lowOf, z.number().nullable().describe('Lower end of the 95% interval')),
    high: from(highOf, z.number().nullable().describe('Upper end of the 95% interval')),
    n: from(
      (one: Measurement) => (one.measured ? one.n : 0),
      z.number().describe('How many units the value rests on'),
    ),
    micro: from(
      // Of one case or one execution the pooled value is the value.
      (one: Measurement) => (one.measured ? (one.pooled ?? one.value) : null),
      z.number().nullable().describe('Over all units thrown together, where value is the mean over cases'),
    ),
    reason: from(
      (one: Measurement) => (one.measured ? undefined : one.reason),
      z.string().optional().describe('Why there is no value'),
    ),
    spread: from(
      (one: Measurement) => (one.measured ? one.spread : undefined),
      z
        .number()
        .optional()
        .describe('Where cases were repeated: standard deviation between repeats of one case'),
    ),
    coverage: from(
      (one: Measurement) => (one.measured ? one.coverage : undefined),
      z.number().optional().describe('Of a composite: the share of its weight that was measured'),
    ),
    skipped: from(
      (one: Measurement) => (one.measured ? one.skipped : undefined),
      z.record(z.string(), z.number()).optional().describe('Units that could not be counted, by reason'),
    ),
  })
  .refine(
    ({ value, reason }) => (value === null) === (reason !== undefined),
    'a value, or a reason why there is none',
  );

function lowOf(one: Measurement) {
  return one.measured ? one.low : undefined;
}

function highOf(one: Measurement) {
  return one.measured ? one.high : undefined;
}

const zone = z.enum(['fail', 'below target', 'pass', 'excellent']);

/** A measurement with its zone; `null` where it has no lines or no value. */
export const judgedMeasurement = measurement.safeExtend({ zone: zone.nullable() });

/** Metrics by their keys, in the order of the catalogue. */
export const judgedMetrics = z.record(z.string(), judgedMeasurement);

export function byKey(metrics: readonly JudgedMetric[]): Source<typeof judgedMetrics> {
  return Object.fromEntries(
    metrics.map(({ id, measurement: one, zone }) => [metricKey(id), { ...one, zone }] as const),
  );
}

/** What may be missing, or its value. */
export function numberOf(one: Measurement | undefined): number | undefined {
  return one?.measured ? one.value : undefined;
}

/** A next step: an operation with its arguments. `assay OPERATION POSITIONALS --OPTION VALUE` does it. */
export const action = z.object({
  operation: z.string().describe('The words that name it, e.g. `decomposition compare`'),
  positionals: from(({ positionals = [] }: Step) => positionals, z.array(z.string())),
  options: from(
    ({ options = {} }: Step) => given(options),
    z
      .record(z.string(), z.union([z.string(), z.number(), z.literal(true)]))
      .describe('`true` is an option without a value'),
  ),
  into: z.string().optional().describe('The file that takes what is printed'),
});

type Options = Readonly<Record<string, string | number | boolean | undefined>>;
type Step = { readonly positionals?: readonly string[]; readonly options?: Options };

function given(options: Options): Record<string, string | number | true> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) =>
      value === undefined || value === false ? [] : [[name, value] as const],
    ),
  );
}
