import { fsum } from 'd3-array';
import { averageRanks } from './average-ranks.ts';
import { bootstrap } from './bootstrap.ts';
import type { BootstrapOptions } from './bootstrap-interval.ts';
import type { Interval } from './interval.ts';
import type { Label } from './label.ts';

/** The labels one item got, one place per rater; `undefined` where a rater gave none. */
export type RatedUnit = readonly (Label | undefined)[];

export type KrippendorffOptions = {
  /** 'nominal': labels are equal or not. 'ordinal': numbers whose order counts. 'interval': their distance too. */
  readonly level?: 'nominal' | 'ordinal' | 'interval';
  /** Ask for an interval by resampling units. */
  readonly bootstrap?: BootstrapOptions;
};

export type KrippendorffAlpha = {
  /** 1 is perfect agreement, 0 what chance would give, below 0 less than chance. */
  readonly alpha: number;
  /** Units with at least two labels; the others cannot agree or disagree. */
  readonly n: number;
  /** Labels in those units. */
  readonly labels: number;
  /** Only when asked for. */
  readonly interval: Interval | undefined;
};

/**
 * Krippendorff's alpha: 1 − observed disagreement / disagreement expected by chance, for any number of raters,
 * with missing labels.
 *
 * When: labels are missing, raters change, or labels are ordered. Above 0.8 is usually called reliable, 0.667 to
 * 0.8 good enough for tentative conclusions.
 * Reference: K. Krippendorff, "Content Analysis" (4th ed., 2018), ch. 12, and "Computing Krippendorff's
 * Alpha-Reliability" (2011); R `irr::kripp.alpha`. The distance of ordinal labels (all labels between them, those
 * at the ends by half, squared) is the squared difference of their average ranks, so ordinal is interval on ranks.
 * Cost: O(labels · log labels); a bootstrap repeats it 2,000 times.
 * Worked value: Krippendorff's own example (4 observers, 12 units): nominal 0.743, ordinal 0.815, interval 0.849.
 * No unit with two labels, or one label throughout: `undefined`.
 */
export function krippendorffAlpha(
  units: readonly RatedUnit[],
  { level = 'nominal', bootstrap: options }: KrippendorffOptions = {},
): KrippendorffAlpha | undefined {
  const pairable = units
    .map((unit) => unit.filter((label) => label !== undefined))
    .filter((unit) => unit.length > 1);
  if (level !== 'nominal') checkNumbers(pairable, level);
  const alpha = alphaOf(pairable, level);
  if (alpha === undefined) return undefined;
  const interval = options && bootstrap(pairable, (resample) => alphaOf(resample, level), options)?.interval;
  return { alpha, n: pairable.length, labels: pairable.flat().length, interval };
}

function alphaOf(
  units: readonly (readonly Label[])[],
  level: 'nominal' | 'ordinal' | 'interval',
): number | undefined {
  const all = units.flat();
  const disagreement = level === 'nominal' ? unequalPairs : squaredDistances;
  const scaled = level === 'ordinal' ? asRanks(units) : units;
  const expected = disagreement(scaled.flat()) / (all.length - 1);
  if (!(expected > 0)) return undefined;
  return 1 - fsum(scaled, (unit) => disagreement(unit) / (unit.length - 1)) / expected;
}

/** Ordered pairs of labels that differ: all pairs without those that agree. */
function unequalPairs(labels: readonly Label[]): number {
  const counts = new Map<Label, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  let equal = 0;
  for (const count of counts.values()) equal += count * count;
  return labels.length ** 2 - equal;
}

/** Σ (x − y)² over ordered pairs, without walking the pairs: 2 m Σ (x − x̄)². */
function squaredDistances(labels: readonly Label[]): number {
  const centre = fsum(labels as readonly number[]) / labels.length;
  if (labels.every((label) => label === labels[0])) return 0;
  return 2 * labels.length * fsum(labels as readonly number[], (value) => (value - centre) ** 2);
}

function asRanks(units: readonly (readonly Label[])[]): number[][] {
  const ranks = averageRanks(units.flat() as number[]);
  let next = 0;
  return units.map((unit) => unit.map(() => ranks[next++] as number));
}

function checkNumbers(units: readonly (readonly Label[])[], level: string): void {
  const wrong = units.flat().find((label) => !Number.isFinite(label));
  if (wrong !== undefined)
    throw new RangeError(`${level} labels must be finite numbers, got ${JSON.stringify(wrong)}`);
}
