import { z } from 'zod';
import { measurement } from './measurement.ts';

const figures = {
  runs: z.number(),
  outputs: z.number(),
  error_rate: measurement.describe('Share of the outputs that gave nothing to measure'),
  concepts: measurement.describe('Mean number per output'),
  relationships: measurement.describe('Mean number per output'),
  confidence: measurement.describe('Mean over concepts that say it'),
  latency_p50_ms: measurement,
  latency_p95_ms: measurement,
  latency_p99_ms: measurement,
  cost_usd: measurement.describe('Mean over outputs that say it'),
  total_cost_usd: measurement,
  verified_quotes: measurement.describe('Share of the quotes that stand in the text'),
};

const bucket = z.object({ at: z.iso.datetime().describe('Its beginning, UTC'), ...figures });

/** How extraction went: errors, latency, cost and how much came of it, over the outputs of stored runs. */
export const decompositionActivity = z.object({
  format: z.literal('assay-decomposition-activity'),
  version: z.literal(1),
  whole: z.object(figures),
  hours: z.array(bucket),
  days: z.array(bucket),
  confidences: z.array(z.number()).describe('Concepts with a confidence of 0–0.1, 0.1–0.2 and so on'),
  without_evidence: z.number().describe('Runs that kept only their numbers'),
  partial: z.boolean().describe('There are older runs that were not looked at'),
});
