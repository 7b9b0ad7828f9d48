import { z } from 'zod';
import { measurement } from './measurement.ts';

const paired = z.object({
  points: measurement.describe('Percentage points, positive when better; `n` counts the cases'),
  p: z.number(),
  verdict: z.string(),
});

const change = z.object({
  size: z.enum(['improved', 'unchanged', 'small regression', 'regression', 'lost', 'not comparable']),
  points: z.number().nullable().describe('Percentage points, positive when better'),
  baseline: measurement,
  paired: paired.optional().describe('Over the cases that both runs measured'),
});

const changes = z.record(z.string(), change);

export const comparison = z.object({
  baseline: z.object({ id: z.string(), at: z.string() }),
  differences: z.array(z.string()).describe('Why the two should not be compared; empty when all is well'),
  insisted: z.boolean(),
  action: z.string().optional(),
  metrics: changes,
  cases: z.array(z.object({ id: z.string(), metrics: changes })),
  missing_cases: z.array(z.string()),
  approvals: z.array(z.object({ metric: z.string(), reason: z.string(), who: z.string(), at: z.string() })),
});
