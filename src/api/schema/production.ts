import { z } from 'zod';
import { measurement } from './parts.ts';

const figures = z.object({
  requests: z.number(),
  errors: z.number(),
  error_rate: measurement,
  concepts: measurement.describe('Mean number per request'),
  relationships: measurement.describe('Mean number per request'),
  confidence: measurement.describe('Mean over concepts; the interval is that of the means of requests'),
  latency_p50_ms: measurement,
  latency_p95_ms: measurement,
  latency_p99_ms: measurement,
  cost_usd: measurement.describe('Mean per request'),
  total_cost_usd: measurement,
});

/** The requests of one span of time. */
export const productionSpan = z.object({
  at: z.iso.datetime().describe('When the span begins, UTC'),
  ...figures.shape,
  sampled: z.number(),
  confidences: z.array(z.number()).describe('Concepts by confidence, in twentieths'),
  predicates: z.record(z.string(), z.number()),
  error_kinds: z.record(z.string(), z.number()),
});

const version = z.object({
  prompt_version: z.string().nullable(),
  model: z.string().nullable(),
  ...figures.shape,
});

/** How a decomposition service did in some time: operational metrics, and what its sample says. */
export const production = z.object({
  format: z.literal('assay-production'),
  version: z.literal(1),
  since: z.string().nullable(),
  until: z.string().nullable(),
  by: z.enum(['minute', 'hour', 'day']),
  whole: figures,
  sample: z.object({
    sampled: z.number().describe('Requests that were drawn for a closer look'),
    rated: z.number().describe('Those of them that a person rated'),
    share_rated: measurement,
    acceptable: measurement.describe('Rated acceptable, weighed by how they were drawn'),
    feedback: measurement.describe('Of users, on 1–5: who speaks speaks for themselves'),
    quotes_verified: measurement.describe('Quotes that stand in the text'),
    unsupported_quotes: measurement.describe('Quotes that do not'),
    unmentioned_concepts: measurement.describe('Concepts that the text never mentions'),
    rated_fabrications: measurement.describe('Concepts that a rater calls made up'),
    partial: z.boolean().describe('There are older sampled requests that were not looked at'),
  }),
  spans: z.array(productionSpan).describe('Oldest first'),
  versions: z.array(version).describe('By prompt version and model, the most requests first'),
});
