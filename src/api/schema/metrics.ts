import { z } from 'zod';
import { head } from './parts.ts';

const metric = z.strictObject({
  id: z.string(),
  title: z.string(),
  question: z.string(),
  formula: z.string(),
  unit: z.string(),
  range: z.tuple([z.number(), z.number().nullable().describe('`null`: there is no highest value')]),
  better: z.enum(['higher', 'lower']),
  zones: z
    .strictObject({ fail: z.number(), target: z.number(), excellent: z.number() })
    .nullable()
    .describe('`null`: it is not judged'),
  aim: z
    .tuple([z.number(), z.number()])
    .optional()
    .describe('The values that are aimed at, where neither more nor less is better without end'),
  example: z.strictObject({ given: z.string(), value: z.number() }),
});

/** The catalogue of metrics, or one of them. */
export const metricList = z.strictObject({
  ...head('assay-metrics'),
  metrics: z.array(metric),
});

/** The display names of the agents whose transcripts can be read. */
export const agents = z.strictObject({
  ...head('assay-agents'),
  agents: z.array(
    z.strictObject({
      agent: z.string().describe('As sessions name it'),
      name: z.string().describe('As people do'),
    }),
  ),
});
