import { z } from 'zod';

/** What the rules of production say at a moment. */
const ruleFinding = z.strictObject({
  rule: z.string(),
  subject: z.string().describe('What it is about: `production`, or a prompt version or model of it'),
  severity: z.enum(['warning', 'critical']),
  what: z.string(),
  state: z
    .enum(['firing', 'ok', 'unsure', 'too few to tell'])
    .describe('`unsure`: beyond the line, but chance may have done it'),
  value: z.number().nullable().describe('`null` where there was nothing to look at'),
  n: z.number().describe('Requests it rests on, or sampled outputs'),
  side: z.enum(['above', 'below']),
  line: z.number(),
  unit: z.enum(['ms', 'share', 'usd', 'count', 'score']),
  minutes: z.number().describe('How much time was looked at'),
  minimum: z.number().describe('With fewer, nothing is said'),
});

export const productionCheck = z.strictObject({
  format: z.literal('assay-production-check'),
  version: z.literal(1),
  findings: z.array(ruleFinding),
  fired: z.array(z.string()).describe('Ids of alerts that fired with this look'),
  resolved: z.array(z.string()).describe('Ids of alerts that were resolved with it'),
});
