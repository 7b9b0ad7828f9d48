/**
 * What figures say of a rule. A line counts as crossed when chance would put a service that is exactly on it so far beyond in
 * fewer than one look of a thousand, and never on fewer items than the rule asks for; `bench/alert-false-alarms.ts` counts
 * how often that is wrong.
 */

import { type Moments, sdOfMoments } from '../../stats/descriptive.ts';
import { binomialCdf, studentTQuantile } from '../../stats/distributions.ts';
import { studentTAround } from '../../stats/intervals.ts';
import { countAbove, quantileOfSketch } from '../../stats/quantile-sketch.ts';
import { weightedRatio } from '../../stats/weighted-ratio.ts';
import { type AlertRule, LATENCY_QUANTILE, subjectOf } from './alert-rules.ts';
import type { ProductionCell } from './cell.ts';
import { drawnItems, HALLUCINATED } from './figures.ts';
import type { Watched } from './watched.ts';

/** Of a service that is exactly on a line, this share of looks is beyond it by chance. */
export const ALERT_LEVEL = 0.001;

export type RuleReading =
  /** So many of so many, each for itself. */
  | { readonly kind: 'share'; readonly count: number; readonly n: number }
  | { readonly kind: 'mean'; readonly moments: Moments }
  /** A quantile, and how many of the `n` values lie above the line. */
  | {
      readonly kind: 'quantile';
      readonly p: number;
      readonly value: number;
      readonly above: number;
      readonly n: number;
    }
  /** How many there were, beside so many requests: nothing is estimated. */
  | { readonly kind: 'count'; readonly value: number; readonly n: number }
  /** Estimated from a sample, with the bounds that hold at `ALERT_LEVEL` on each side. */
  | {
      readonly kind: 'estimate';
      readonly value: number;
      readonly low: number;
      readonly high: number;
      readonly n: number;
    };

export type RuleFinding = {
  readonly rule: AlertRule;
  readonly subject: string;
  /** `unsure`: it may be chance on which side of the line it is; an alert that fired goes on, and none fires. */
  readonly state: 'firing' | 'ok' | 'unsure' | 'too few to tell';
  readonly value?: number;
  readonly n: number;
};

export function findingOf(rule: AlertRule, reading: RuleReading | undefined): RuleFinding {
  return { ...stateOf(rule, reading), subject: subjectOf(rule) };
}

function stateOf(rule: AlertRule, reading: RuleReading | undefined): Omit<RuleFinding, 'subject'> {
  const n = reading === undefined ? 0 : reading.kind === 'mean' ? reading.moments.n : reading.n;
  if (reading === undefined || n === 0) return { rule, state: 'too few to tell', n: 0 };
  const value = centreOf(reading);
  if (n < rule.minimum) return { rule, state: 'too few to tell', value, n };
  const isBeyond = rule.side === 'above' ? value > rule.line : value < rule.line;
  if (!isBeyond) return { rule, state: isBarelyEnough(rule, reading) ? 'unsure' : 'ok', value, n };
  return { rule, state: isProven(rule, reading) ? 'firing' : 'unsure', value, n };
}

/** A count that hovers around its line would be told of again and again: it is over when there are clearly enough. */
function isBarelyEnough({ side, line }: AlertRule, reading: RuleReading): boolean {
  return reading.kind === 'count' && side === 'below' && reading.value < line + 3 * Math.sqrt(line);
}

function centreOf(reading: RuleReading): number {
  if (reading.kind === 'share') return reading.count / reading.n;
  if (reading.kind === 'mean') return reading.moments.sum / reading.moments.n;
  return reading.value;
}

function isProven({ side, line }: AlertRule, reading: RuleReading): boolean {
  switch (reading.kind) {
    case 'share':
      return isMoreThan(reading.count, reading.n, line);
    case 'quantile':
      return isMoreThan(reading.above, reading.n, 1 - reading.p);
    case 'mean':
      return isMeanBeyond(reading.moments, line);
    case 'count':
      return true;
    case 'estimate':
      return side === 'above' ? reading.low > line : reading.high < line;
  }
}

/** The exact binomial tail: so many or more of n where each had this chance. */
function isMoreThan(count: number, n: number, chance: number): boolean {
  return count > 0 && 1 - binomialCdf(count - 1, n, chance) < ALERT_LEVEL;
}

function isMeanBeyond(moments: Moments, line: number): boolean {
  const { n, sum } = moments;
  const sd = sdOfMoments(moments) ?? 0;
  return Math.abs(sum / n - line) > studentTQuantile(1 - ALERT_LEVEL, n - 1) * (sd / Math.sqrt(n));
}

/** One sentence: what, over which time, how much, on how many, where the line is, and what to do where it is crossed. */
export function sayFinding({ rule, value, n, state }: RuleFinding): string {
  const { what, side, line, minutes, promptVersion, model } = rule;
  const narrow = [promptVersion && `prompt ${promptVersion}`, model && `model ${model}`].filter(Boolean);
  const about = narrow.length === 0 ? '' : ` of ${narrow.join(' and ')}`;
  const of = rule.id.startsWith('hallucination') ? 'sampled outputs' : 'requests';
  const is = value === undefined ? 'unknown' : sayIn(rule, value);
  const where = state === 'ok' ? 'no longer ' : '';
  const action = state === 'ok' ? '' : `: ${rule.action}`;
  return `${what}${about}, last ${sayMinutes(minutes)}: ${is}, ${where}${side} ${sayIn(rule, line)} (${n} ${of})${action}`;
}

function sayIn({ unit }: AlertRule, value: number): string {
  if (unit === 'share') return `${(100 * value).toFixed(1)}%`;
  if (unit === 'ms') return `${Math.round(value)} ms`;
  if (unit === 'usd') return `$${value.toFixed(3)}`;
  return unit === 'count' ? String(Number(value.toFixed(1))) : value.toFixed(2);
}

export function sayMinutes(minutes: number): string {
  return minutes % 60 === 0 ? (minutes === 60 ? 'hour' : `${minutes / 60} hours`) : `${minutes} minutes`;
}

/** Both bounds of such an interval hold at `ALERT_LEVEL`. */
const CONFIDENCE = 1 - 2 * ALERT_LEVEL;

export type WindowSample = { readonly requests: number; readonly sampled: readonly Watched[] };

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
  const items = drawnItems(sample.sampled, HALLUCINATED[SAMPLED_PARTS[rule.id] ?? 'unsupportedQuotes']);
  const found = weightedRatio(items, 'share', CONFIDENCE);
  if (found === undefined) return undefined;
  const { value, low = 0, high = 1, n } = found;
  return { kind: 'estimate', value, low, high, n };
}

const SAMPLED_PARTS: Readonly<Record<string, keyof typeof HALLUCINATED>> = {
  'hallucination-rated': 'ratedFabrications',
  'hallucination-unmentioned': 'unmentionedConcepts',
};

function lookedAt({ sampled }: WindowSample): number {
  return sampled.filter(
    ({ fabricated, unmentioned }) => fabricated !== undefined || unmentioned !== undefined,
  ).length;
}
