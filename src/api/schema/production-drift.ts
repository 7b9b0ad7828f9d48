import { z } from 'zod';

const side = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  requests: z.number(),
});

/** Whether what comes out of a service is other than it was. */
export const productionDrift = z.object({
  format: z.literal('assay-production-drift'),
  version: z.literal(1),
  before: side,
  after: side,
  level: z.number().describe('Chance tells of a difference that is none in this share of the weeks at most'),
  least_requests: z.number().describe('With fewer on either side nothing is said'),
  parts: z.array(
    z.object({
      what: z
        .enum(['confidence', 'concepts', 'relationships', 'confidences', 'predicates'])
        .describe('The first three are means per request, the others distributions'),
      before: z.number().nullable(),
      after: z.number().nullable(),
      most: z
        .object({ name: z.string(), before: z.number(), after: z.number() })
        .nullable()
        .describe('What changed its share the most'),
      stability: z.number().nullable().describe('Population stability index'),
      p: z.number().nullable().describe('Corrected for a look at each of them every hour of a week'),
      verdict: z.enum(['moved', 'no sign', 'too few to tell']),
    }),
  ),
});
