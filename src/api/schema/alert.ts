import { z } from 'zod';

/** Something that deserves attention. */
export const alert = z.strictObject({
  id: z.string(),
  instrument: z.string(),
  severity: z.enum(['warning', 'critical']),
  rule: z.string().describe('The rule that fired, e.g. `three-declines`'),
  subject: z.string(),
  message: z.string(),
  at: z.iso.datetime(),
});
