import { z } from 'zod';

const gateVerdict = z.enum(['passed', 'blocked', 'inconclusive', 'could not run']);

const check = z.object({
  id: z.string(),
  outcome: z.enum(['passed', 'warning', 'blocked', 'inconclusive']),
  reason: z.string(),
});

export const gate = z.object({
  verdict: gateVerdict,
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  reasons: z.array(z.string()),
  checks: z.array(check),
});
