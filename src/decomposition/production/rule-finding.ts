/**
 * What the windows of a rule say. A window is beyond the line when a service that is exactly on it would come so far beyond
 * in fewer than one look of two thousand; `bench/alert-false-alarms.ts` counts how often that is wrong and how soon it is seen.
 */

import { type Moments, sdOfMoments } from '../../stats/descriptive.ts';
import { studentTQuantile } from '../../stats/distributions.ts';
import { exactShareInterval, type Interval } from '../../stats/intervals.ts';
import { countAbove, quantileOfSketch } from '../../stats/quantile-sketch.ts';
import { type DrawnItem, weightedRatio } from '../../stats/weighted-ratio.ts';
import { type AlertRule, LATENCY_QUANTILE, LONGEST_WINDOW, subjectOf } from './alert-rules.ts';
import type { ProductionCell } from './cell.ts';
import { drawnItems, HALLUCINATED } from './figures.ts';
import type { Watched } from './watched.ts';

/** Of a service that is exactly on a line, this share of looks is beyond it by chance. */
const ALERT_LEVEL = 0.0005;

/** Fewer events are an anecdote, such as a request that was sent again. */
const LEAST_EVENTS = 3;

/** The mean of fewer is too far from normal for its bound to hold. */
const LEAST_FOR_MEAN = 10;

/** On fewer requests nobody can say that all is well. */
const ENOUGH = 30;

/** What one window says of a rule. */
export type RuleReading = {
  readonly value: number;
  readonly n: number;
  /** Between which values it lies, each end wrong in this share of cases. */
  readonly bounds: (tail: number) => Interval;
  /** On this scale, where it is not the rule's own: what is shown, and the line. */
  readonly scale?: { readonly shown: number; readonly line: number };
};

export type WindowReading = { readonly minutes: number; readonly reading: RuleReading | undefined };

export type RuleFinding = {
  readonly rule: AlertRule;
  readonly subject: string;
  /** `unsure`: it may be chance on which side of the line it is; an alert that fired goes on, and none fires. */
  readonly state: 'firing' | 'ok' | 'unsure' | 'too few to tell';
  /** The window that decided. */
  readonly minutes: number;
  readonly value?: number;
  readonly n: number;
};

type Seen = RuleReading & { readonly minutes: number };

/** `windows` from the shortest to the longest, each ending now. */
export function findingOf(rule: AlertRule, windows: readonly WindowReading[]): RuleFinding {
  const seen = windows.flatMap(({ minutes, reading }) =>
    reading === undefined || reading.n === 0 ? [] : [{ ...reading, minutes }],
  );
  const say = (state: RuleFinding['state'], one: Seen | undefined): RuleFinding => ({
    rule,
    subject: subjectOf(rule),
    state,
    minutes: one?.minutes ?? LONGEST_WINDOW,
    value: one && (one.scale?.shown ?? one.value),
    n: one?.n ?? 0,
  });
  const over: Seen[] = [];
  for (const [i, one] of seen.entries())
    if (seen.slice(0, i).some((newer) => isOver(rule, one, newer, over.includes(newer)))) over.push(one);
  const going = seen.filter((one) => !over.includes(one));
  const firing = going.find((one) => isProven(rule, one));
  if (firing !== undefined) return say('firing', firing);
  const enough = going.find(({ n }) => n >= ENOUGH);
  if (enough === undefined) return say('too few to tell', going.at(-1));
  const beyond = going.find((one) => isBeyond(rule, one));
  return beyond === undefined ? say('ok', enough) : say('unsure', beyond);
}

function lineOf({ line }: AlertRule, { scale }: RuleReading): number {
  return scale?.line ?? line;
}

function isBeyond(rule: AlertRule, reading: RuleReading, value = reading.value): boolean {
  const line = lineOf(rule, reading);
  return rule.side === 'above' ? value > line : value < line;
}

function isProven(rule: AlertRule, reading: RuleReading): boolean {
  if (!isBeyond(rule, reading)) return false;
  const { low, high } = reading.bounds(ALERT_LEVEL);
  return rule.side === 'above' ? low > lineOf(rule, reading) : high < lineOf(rule, reading);
}

/**
 * The newer requests are within the line, and could hardly be so good if they were as those before them. Or what was beyond
 * the line lies within a newer window that is over.
 */
function isOver(rule: AlertRule, older: RuleReading, newer: RuleReading, isNewerOver: boolean): boolean {
  if (!isBeyond(rule, older) || newer.n >= older.n) return false;
  const before = (older.value * older.n - newer.value * newer.n) / (older.n - newer.n);
  if (isBeyond(rule, newer)) return isNewerOver && !isBeyond(rule, older, before);
  const { low, high } = newer.bounds(ALERT_LEVEL);
  return rule.side === 'above' ? high < before : low > before;
}

/** So many of `n`, each for itself; both may be fractions. */
export function shareReading(count: number, n: number): RuleReading | undefined {
  if (n <= 0) return undefined;
  return {
    value: count / n,
    n,
    bounds: (tail) => {
      const { low, high } = exactShareInterval(Math.min(count, n), n, tail);
      return { low: count < LEAST_EVENTS ? 0 : low, high };
    },
  };
}

/** `usual` is the spread of the longest window: the few requests of a short one do not tell their own. */
export function meanReading({ n, sum }: Moments, usual: Moments, shift = 0): RuleReading | undefined {
  const sd = sdOfMoments(usual);
  if (n < LEAST_FOR_MEAN || sd === undefined) return undefined;
  const value = sum / n + shift;
  const error = sd / Math.sqrt(n);
  return {
    value,
    n,
    bounds: (tail) => {
      const half = studentTQuantile(1 - tail, usual.n - 1) * error;
      return { low: value - half, high: value + half };
    },
  };
}

/** A count that hovers around its line would fire again and again: it is over when there are clearly enough. */
function countReading(value: number, n: number, line: number): RuleReading {
  const isHovering = value >= line && value < line + 3 * Math.sqrt(line);
  return {
    value: isHovering ? line - 1 : value,
    n,
    bounds: () => ({ low: value, high: value }),
    scale: { shown: value, line },
  };
}

/** With fewer outputs nobody knows how alike the concepts of one are. */
const LEAST_FOR_INFORMATION = 10;

/** As how many concepts of their own the concepts of one output tell: those of one text are alike. */
export function informationOf(items: readonly DrawnItem[]): number {
  const { n = 0, value = 0, variance = 0, effectiveN = 0 } = weightedRatio(items, 'share') ?? {};
  if (n < LEAST_FOR_INFORMATION || value <= 0 || value >= 1) return 1;
  const most = items.reduce((sum, { of }) => sum + of, 0) / items.length;
  return Math.max(1, Math.min(most, (value * (1 - value)) / (variance * effectiveN)));
}

/** The share of what was found in drawn outputs; each tells as much as so many independent concepts. */
export function drawnReading(items: readonly DrawnItem[], information: number): RuleReading | undefined {
  const found = weightedRatio(items, 'share');
  if (found === undefined) return undefined;
  const { value, n, effectiveN } = found;
  const worth = effectiveN * information;
  const share = shareReading(value * worth, worth);
  const outputs = items.filter(({ count }) => count > 0).length;
  return (
    share && {
      ...share,
      n,
      bounds: (tail) => ({ ...share.bounds(tail), ...(outputs < LEAST_EVENTS && { low: 0 }) }),
    }
  );
}

/** One sentence: what, over which time, how much, on how many, where the line is, and what to do where it is crossed. */
export function sayFinding({ rule, minutes, value, n, state }: RuleFinding): string {
  const { what, side, line, promptVersion, model } = rule;
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

export type WindowSample = { readonly requests: number; readonly sampled: readonly Watched[] };

export function looksAtSample({ id }: AlertRule): boolean {
  return id.startsWith('hallucination') || id === 'sample-too-small';
}

export function readingOfRequests(
  rule: AlertRule,
  cell: ProductionCell,
  longest: ProductionCell,
): RuleReading | undefined {
  switch (rule.id) {
    case 'errors-high':
      return shareReading(cell.errors, cell.requests);
    case 'latency-high':
      return latencyReading(rule, cell);
    case 'cost-high':
      return meanReading(cell.cost, longest.cost);
    case 'concepts-few':
      return meanReading(cell.concepts, longest.concepts);
    case 'confidence-low':
      return confidenceReading(cell, longest);
    default:
      return undefined;
  }
}

/** The quantile is above the line where more requests are than the quantile leaves. */
function latencyReading({ line }: AlertRule, { latency }: ProductionCell): RuleReading | undefined {
  const shown = quantileOfSketch(latency, LATENCY_QUANTILE);
  const share = shareReading(countAbove(latency, line), latency.n);
  return share && shown !== undefined
    ? { ...share, scale: { shown, line: 1 - LATENCY_QUANTILE } }
    : undefined;
}

/** Over concepts; how sure it is goes by requests, as the concepts of one text are alike. */
function confidenceReading(
  { confidence, confidenceOfRequests }: ProductionCell,
  longest: ProductionCell,
): RuleReading | undefined {
  const { n, sum } = confidenceOfRequests;
  const shift = n === 0 ? 0 : confidence.sum / confidence.n - sum / n;
  return meanReading(confidenceOfRequests, longest.confidenceOfRequests, shift);
}

/** So many requests have 30 in a sample of 5%; of fewer nobody can ask for them. */
const LEAST_FOR_SAMPLE = 600;

export function readingOfSample(
  rule: AlertRule,
  sample: WindowSample,
  longest: WindowSample,
): RuleReading | undefined {
  const { requests, sampled } = sample;
  if (rule.id === 'sample-too-small')
    return sample === longest && requests >= LEAST_FOR_SAMPLE
      ? countReading(lookedAt(sampled), requests, rule.line)
      : undefined;
  const part = HALLUCINATED[SAMPLED_PARTS[rule.id] ?? 'unsupportedQuotes'];
  return drawnReading(drawnItems(sampled, part), informationOf(drawnItems(longest.sampled, part)));
}

const SAMPLED_PARTS: Readonly<Record<string, keyof typeof HALLUCINATED>> = {
  'hallucination-rated': 'ratedFabrications',
  'hallucination-unmentioned': 'unmentionedConcepts',
};

function lookedAt(sampled: readonly Watched[]): number {
  return sampled.filter(
    ({ rated, unmentioned }) => rated?.fabricated !== undefined || unmentioned !== undefined,
  ).length;
}
