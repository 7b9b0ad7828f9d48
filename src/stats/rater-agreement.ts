import { fsum } from 'd3-array';
import { type BootstrapOptions, bootstrap } from './bootstrap.ts';
import { checkSameLength, checkShare } from './check-input.ts';
import { averageRanks } from './correlation.ts';
import { type Interval, waldInterval } from './intervals.ts';

/** What a rater may write on an item. 1, '1' and true are three labels. */
type Label = string | number | boolean;

export type CohenKappa = {
  /** 1 is perfect agreement, 0 what chance would give, below 0 less than chance. */
  readonly kappa: number;
  /** The share on which both agree. */
  readonly agreement: number;
  /** The share on which they would agree by chance, each keeping to their own habits. */
  readonly expected: number;
  readonly n: number;
  /** Absent where the large-sample error is 0, as at perfect agreement: it would claim certainty. */
  readonly interval: Interval | undefined;
};

/**
 * Cohen's kappa: how far two raters agree beyond what chance would give.
 *
 * When: exactly two raters, each item labelled by both. More raters or missing labels: `krippendorffAlpha`.
 * Reference: J. Cohen, Educational and Psychological Measurement 20 (1960); the large-sample error is that of J. L. Fleiss,
 * J. Cohen and B. S. Everitt, Psychological Bulletin 72 (1969), as in SAS PROC FREQ.
 * Worked value: yes yes no no against yes no no no → agreement 0.75, expected 0.5, kappa 0.5.
 * No items, or an expected agreement of 1 (both use the same one label): `undefined`.
 */
export function cohenKappa(
  first: readonly Label[],
  second: readonly Label[],
  confidence = 0.95,
): CohenKappa | undefined {
  checkShare(confidence, 'confidence');
  checkSameLength(first, second, ['first', 'second']);
  const labels = inFixedOrder([...first, ...second]);
  const n = first.length;
  // With one category there is nothing to disagree about.
  if (n === 0 || labels.length < 2) return undefined;
  const shareOf = (said: readonly Label[]) =>
    labels.map((label) => said.filter((one) => one === label).length / n);
  const [rows, cols] = [shareOf(first), shareOf(second)];
  const both = labels.map((row) =>
    labels.map((col) => first.filter((one, item) => one === row && second[item] === col).length / n),
  );
  const at = (shares: readonly number[] | undefined, index: number) => shares?.[index] ?? 0;
  const agreement = sum(labels.map((_, i) => at(both[i], i)));
  const expected = sum(labels.map((_, i) => at(rows, i) * at(cols, i)));
  if (1 - expected < 1e-12) return undefined;
  const kappa = (agreement - expected) / (1 - expected);
  // What chance alone would give an item, knowing what the one rater said, or the other.
  const square = sum(
    both.flatMap((shares, row) =>
      shares.map((share, col) => {
        return share * (Number(row === col) - (at(cols, row) + at(rows, col)) * (1 - kappa)) ** 2;
      }),
    ),
  );
  const variance = square - (kappa - expected * (1 - kappa)) ** 2;
  const error = Math.sqrt(Math.max(0, variance) / n) / (1 - expected);
  return { kappa, agreement, expected, n, interval: waldInterval(kappa, error, [-1, 1], confidence) };
}

/** So that the order of the items cannot change the last digit of a sum. */
function inFixedOrder(labels: readonly Label[]): Label[] {
  const key = (label: Label): string => `${typeof label} ${label}`;
  return [...new Set(labels)].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The labels one item got, one place per rater; `undefined` where a rater gave none. */
type RatedUnit = readonly (Label | undefined)[];

type KrippendorffOptions = {
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
