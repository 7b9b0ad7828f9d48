/** What the rules look at, taken from the sums and the sample of their window. */
import { sdOfMoments } from '../../stats/moments.ts';
import { countAbove, quantileOfSketch } from '../../stats/quantile-sketch.ts';
import { studentTAround } from '../../stats/student-t-interval.ts';
import { type DrawnItem, weightedRatio } from '../../stats/weighted-ratio.ts';
import { type AlertRule, LATENCY_QUANTILE } from './alert-rules.ts';
import type { ProductionCell } from './cell.ts';
import { ALERT_LEVEL, type RuleReading } from './rule-finding.ts';
import type { Watched } from './watched.ts';

/** Both bounds of such an interval hold at `ALERT_LEVEL`. */
const CONFIDENCE = 1 - 2 * ALERT_LEVEL;

/** What is in the sample of a window, beside all its requests. */
export type WindowSample = { readonly requests: number; readonly sampled: readonly Watched[] };

/** Rules that look at the sample, and not at every request. */
export function looksAtSample({ id }: AlertRule): boolean {
  return id.startsWith('hallucination') || id === 'sample-too-small';
}

export function readingOfRequests(rule: AlertRule, cell: ProductionCell): RuleReading | undefined {
  switch (rule.id) {
    case 'errors-high':
      return { kind: 'share', count: cell.errors, n: cell.requests };
    case 'latency-high':
      return latencyReading(rule, cell);
    case 'cost-high':
      return { kind: 'mean', moments: cell.cost };
    case 'concepts-few':
      return { kind: 'mean', moments: cell.concepts };
    case 'confidence-low':
      return confidenceReading(cell);
    default:
      return undefined;
  }
}

function latencyReading({ line }: AlertRule, { latency }: ProductionCell): RuleReading | undefined {
  const value = quantileOfSketch(latency, LATENCY_QUANTILE);
  if (value === undefined) return undefined;
  return { kind: 'quantile', p: LATENCY_QUANTILE, value, above: countAbove(latency, line), n: latency.n };
}

/** Over concepts; how sure it is goes by requests, as the concepts of one text are alike. */
function confidenceReading({ confidence, confidenceOfRequests }: ProductionCell): RuleReading | undefined {
  const { n, sum } = confidenceOfRequests;
  if (n === 0) return undefined;
  const value = confidence.sum / confidence.n;
  const sd = sdOfMoments(confidenceOfRequests) ?? 0;
  const around = studentTAround(sum / n, sd, n, CONFIDENCE) ?? { low: sum / n, high: sum / n };
  const shift = value - sum / n;
  return { kind: 'estimate', value, low: around.low + shift, high: around.high + shift, n };
}

export function readingOfSample(rule: AlertRule, sample: WindowSample): RuleReading | undefined {
  if (rule.id === 'sample-too-small') return { kind: 'count', value: lookedAt(sample), n: sample.requests };
  const items = sample.sampled.flatMap((one): DrawnItem[] => {
    const part = partOf(rule, one);
    return part === undefined ? [] : [{ ...part, probability: one.probability }];
  });
  const found = weightedRatio(items, 'share', CONFIDENCE);
  if (found === undefined) return undefined;
  const { value, low = 0, high = 1, n } = found;
  return { kind: 'estimate', value, low, high, n };
}

function partOf(
  { id }: AlertRule,
  { fabricated, unmentioned, quotes }: Watched,
): { readonly count: number; readonly of: number } | undefined {
  if (id === 'hallucination-rated')
    return fabricated && { count: fabricated.fabricated, of: fabricated.concepts };
  if (id === 'hallucination-unmentioned')
    return unmentioned && { count: unmentioned.unmentioned, of: unmentioned.concepts };
  return quotes && { count: quotes.given - quotes.verified, of: quotes.given };
}

function lookedAt({ sampled }: WindowSample): number {
  return sampled.filter(
    ({ fabricated, unmentioned }) => fabricated !== undefined || unmentioned !== undefined,
  ).length;
}
