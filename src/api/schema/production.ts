import { z } from 'zod';
import type { Production, ProductionSpan } from '../../decomposition/production/production.ts';
import type { RuleFinding } from '../../decomposition/production/rule-finding.ts';
import { from } from '../wire.ts';
import { head, measurement } from './parts.ts';

const figures = z.object({
  requests: z.number(),
  errors: z.number(),
  error_rate: measurement,
  concepts: measurement.describe('Mean number per request'),
  relationships: measurement.describe('Mean number per request'),
  confidence: measurement.describe('Mean over concepts; the interval is that of the means of requests'),
  latency_p50_ms: from('latencyP50', measurement),
  latency_p95_ms: from('latencyP95', measurement),
  latency_p99_ms: from('latencyP99', measurement),
  cost_usd: measurement.describe('Mean per request'),
  total_cost_usd: measurement,
});

/** The requests of one span of time. */
export const productionSpan = z.object({
  at: z.iso.datetime().describe('When the span begins, UTC'),
  ...figures.shape,
  sampled: z.number(),
  confidences: from('bins', z.array(z.number()).describe('Concepts by confidence, in twentieths')),
  predicates: z.record(z.string(), z.number()),
  error_kinds: z.record(z.string(), z.number()),
});

type Spans = Pick<Production, 'spans' | 'versions'>;

function flat({ cell, figures: own }: ProductionSpan) {
  return { ...cell, bins: cell.confidence.bins, ...own };
}

const version = z.object({
  prompt_version: z.string().nullable(),
  model: z.string().nullable(),
  ...figures.shape,
});

/** How a decomposition service did in some time: operational metrics, and what its sample says. */
export const production = z.object({
  ...head('assay-production'),
  since: z.string().nullable(),
  until: z.string().nullable(),
  by: z.enum(['minute', 'hour', 'day']),
  whole: from('operational', figures),
  sample: z.object({
    sampled: z.number().describe('Requests that were drawn for a closer look'),
    rated: z.number().describe('Those of them that a person rated'),
    share_rated: measurement,
    acceptable: measurement.describe('Rated acceptable, weighed by how they were drawn'),
    precision: measurement.describe('Concepts that raters accept, of those that the outputs have'),
    recall: measurement.describe('The same, of those that raters say the outputs should have'),
    agreement: measurement.describe('Krippendorff’s alpha of several raters of the same output'),
    feedback: measurement.describe('Of users, on 1–5: who speaks speaks for themselves'),
    quotes_verified: measurement.describe('Quotes that stand in the text'),
    unsupported_quotes: from('hallucination.unsupportedQuotes', measurement.describe('Quotes that do not')),
    unmentioned_concepts: from(
      'hallucination.unmentionedConcepts',
      measurement.describe('Concepts that the text never mentions'),
    ),
    rated_fabrications: from(
      'hallucination.ratedFabrications',
      measurement.describe('Concepts that a rater calls made up'),
    ),
    partial: from(
      'isPartial',
      z.boolean().describe('There are older sampled requests that were not looked at'),
    ),
  }),
  events: z
    .array(
      z.object({
        at: z.string(),
        kind: z.enum(['alert', 'prompt', 'experiment']),
        label: z.string(),
        text: z.string(),
      }),
    )
    .describe('Alerts, new prompt versions and experiments, oldest first'),
  spans: from(({ spans }: Spans) => spans.map(flat), z.array(productionSpan).describe('Oldest first')),
  versions: from(
    ({ versions }: Spans) => versions.map(flat),
    z.array(version).describe('By prompt version and model, the most requests first'),
  ),
});

const driftSide = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  requests: z.number(),
});

/** Whether what comes out of a service is other than it was. */
export const productionDrift = z.object({
  ...head('assay-production-drift'),
  before: driftSide,
  after: driftSide,
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

/** What the rules of production say at a moment. */
const ruleFinding = z.strictObject({
  rule: from('id', z.string()),
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
  minutes: z.number().describe('The window that decided'),
});

type Changed = { readonly alertId: string };

export const productionCheck = z.strictObject({
  ...head('assay-production-check'),
  findings: from(
    ({ findings }: { readonly findings: readonly RuleFinding[] }) =>
      findings.map(({ rule, ...found }) => ({ ...rule, ...found })),
    z.array(ruleFinding),
  ),
  fired: from(
    ({ fired }: { readonly fired: readonly Changed[] }) => fired.map(({ alertId }) => alertId),
    z.array(z.string()).describe('Ids of alerts that fired with this look'),
  ),
  resolved: from(
    ({ resolved }: { readonly resolved: readonly Changed[] }) => resolved.map(({ alertId }) => alertId),
    z.array(z.string()).describe('Ids of alerts that were resolved with it'),
  ),
});
