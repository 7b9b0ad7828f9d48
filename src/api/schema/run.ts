import { z } from 'zod';
import { comparison } from './comparison.ts';
import { gate } from './gate.ts';
import { judgedMeasurement } from './measurement.ts';

const RUN_FORMAT = 'assay-run';
const RUN_VERSION = 2;

const metrics = z.record(z.string(), judgedMeasurement);

export const caseResult = z.looseObject({
  id: z.string(),
  error: z
    .string()
    .optional()
    .describe('Why it, or a part of it, gave nothing to measure; that part counts as nothing found'),
  metrics,
  zone: judgedMeasurement.shape.zone,
  notes: z.array(z.string()),
});

export const trend = z.object({
  metric: z.string(),
  title: z.string(),
  unit: z.string(),
  points: z.array(z.object({ run_id: z.string(), at: z.string(), value: z.number() })),
  declines: z.number(),
  alert: z.boolean(),
});

/** One execution of an instrument: what was measured, how it was judged and why. Instruments add facts of their own. */
export const run = z.looseObject({
  format: z.literal(RUN_FORMAT),
  version: z.literal(RUN_VERSION),
  run: z.looseObject({
    id: z.string(),
    at: z.string(),
    instrument: z.string(),
    subject: z.string(),
    scorer: z.string().describe('Version of the code that measured'),
    standard: z
      .string()
      .optional()
      .describe('The standard it was held to: documented, or the name of one of your own'),
  }),
  suite: z.looseObject({
    truth_hash: z.string().nullable().describe('Hash of the golden set or ground truth'),
    n_cases: z.number(),
    n_errored: z.number(),
    metrics,
  }),
  cases: z.array(caseResult),
  comparison: comparison.optional(),
  gate,
  trends: z.array(trend),
  notes: z.array(z.string()),
});
