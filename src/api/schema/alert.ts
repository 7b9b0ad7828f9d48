import { z } from 'zod';

/** Something that deserves attention, and what became of it. */
export const alert = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  instrument: z.string(),
  severity: z.enum(['warning', 'critical']),
  rule: z.string().describe('The rule that fired, e.g. `three-declines`'),
  subject: z.string(),
  message: z.string(),
  at: z.iso.datetime(),
  state: z.enum(['open', 'acknowledged', 'silenced', 'resolved']),
  event: z
    .strictObject({
      who: z.string(),
      why: z.string().nullable(),
      at: z.iso.datetime(),
      until: z.iso.datetime().nullable().describe('When a silence ends'),
    })
    .nullable()
    .describe('The latest thing that somebody did about it'),
});
