import { z } from 'zod';

/** What was measured, or `null` with the reason why not. Full precision; rounding is a matter of reports. */
export const measurement = z
  .object({
    value: z.number().nullable(),
    low: z.number().nullable().describe('Lower end of the 95% interval'),
    high: z.number().nullable().describe('Upper end of the 95% interval'),
    n: z.number().describe('How many units the value rests on'),
    micro: z
      .number()
      .nullable()
      .describe('Over all units thrown together, where value is the mean over cases'),
    reason: z.string().optional().describe('Why there is no value'),
    spread: z
      .number()
      .optional()
      .describe('Where cases were repeated: standard deviation between repeats of one case'),
    coverage: z.number().optional().describe('Of a composite: the share of its weight that was measured'),
    skipped: z
      .record(z.string(), z.number())
      .optional()
      .describe('Units that could not be counted, by reason'),
  })
  .refine(
    ({ value, reason }) => (value === null) === (reason !== undefined),
    'a value, or a reason why there is none',
  );

const zone = z.enum(['fail', 'below target', 'pass', 'excellent']);

/** A measurement beside its zone; `null` where it has no lines or no value. */
export const judgedMeasurement = measurement.safeExtend({ zone: zone.nullable() });
