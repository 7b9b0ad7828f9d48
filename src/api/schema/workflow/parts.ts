import { z } from 'zod';

export const severity = z.enum(['CRITICAL', 'IMPORTANT', 'MINOR']);

/** By metric; what has no value is `null`, and its reason stands beside it under the same key. */
export const values = z.record(z.string(), z.number().nullable());
export const reasons = z.record(z.string(), z.string());

const mapping = z.object({
  field: z.enum(['severity', 'category']),
  from: z.string(),
  to: z.string().optional().describe('Absent: the value means that there is none'),
  count: z.number(),
  because: z.string(),
});

/** What every result says about how its inputs were read. */
export const reading = { mappings: z.array(mapping), notes: z.array(z.string()) };

export const label = z.object({
  match: z.enum(['Y', 'P', 'BONUS_VALID', 'FALSE', 'DUPLICATE', 'UNRESOLVED']),
  error: z.string().optional(),
  by: z.string(),
  reason: z.string().optional(),
});

export const claim = z.object({
  claim: z.string(),
  about: z.string().optional(),
  allowed: z.boolean(),
  missing: z.string().optional(),
});
