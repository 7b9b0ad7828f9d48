/** Compares configured thresholds with the values observed since. */

import type { Unit } from '../../../measure/metric.ts';
import { quantile } from '../../../stats/descriptive.ts';

export type ThresholdReview = {
  readonly what: string;
  readonly unit: Unit;
  /** The value is on the wrong side above or below it. */
  readonly wrong: 'above' | 'below';
  readonly threshold: number;
  readonly n: number;
  readonly per: 'day' | 'run';
  readonly median?: number;
  readonly worst?: number;
  readonly crossed: number;
  readonly proposal:
    | { readonly kind: 'keep' | 'too few' }
    /** `wouldCross`: how many of the same days or runs the proposed line would have flagged. */
    | { readonly kind: 'loosen' | 'tighten'; readonly to: number; readonly wouldCross: number };
};

export type Observed = Pick<ThresholdReview, 'what' | 'unit' | 'wrong' | 'threshold' | 'per'> & {
  readonly values: readonly number[];
};

/** Fewer days or runs do not show how much is usual. */
export const FEWEST_TO_REVIEW = 14;

/** A line that more than this share crosses is not a line that anybody heeds. */
const TOO_OFTEN = 0.1;

/** Nothing ever came near it: worst day to line, as a share of the line. */
const FAR = 0.5;

export function reviewThreshold({ values, ...observed }: Observed): ThresholdReview {
  const crossing = (line: number) => values.filter((value) => isWrong(observed.wrong, value, line)).length;
  const crossed = crossing(observed.threshold);
  const sorted = Float64Array.from(values).sort();
  const worst = observed.wrong === 'above' ? sorted.at(-1) : sorted[0];
  const median = quantile(sorted, 0.5);
  const base = {
    ...observed,
    n: values.length,
    crossed,
    ...(median !== undefined && { median }),
    ...(worst !== undefined && { worst }),
  };
  if (values.length < FEWEST_TO_REVIEW || worst === undefined)
    return { ...base, proposal: { kind: 'too few' } };
  const to = proposed(observed, sorted, crossed / values.length, worst);
  if (to === undefined) return { ...base, proposal: { kind: 'keep' } };
  const kind = isWrong(observed.wrong, to, observed.threshold) ? 'loosen' : 'tighten';
  return { ...base, proposal: { kind, to, wouldCross: crossing(to) } };
}

function proposed(
  { wrong, threshold }: Omit<Observed, 'values'>,
  sorted: Float64Array,
  share: number,
  worst: number,
): number | undefined {
  if (share > TOO_OFTEN) {
    // One in twenty would still cross it.
    const edge = quantile(sorted, wrong === 'above' ? 0.95 : 0.05);
    return edge === undefined ? undefined : rounded(edge);
  }
  const room = wrong === 'above' ? (threshold - worst) / threshold : (worst - threshold) / threshold;
  if (share > 0 || threshold === 0 || room < FAR) return undefined;
  return rounded(wrong === 'above' ? worst * 1.25 : worst / 1.25);
}

function isWrong(wrong: 'above' | 'below', value: number, line: number): boolean {
  return wrong === 'above' ? value > line : value < line;
}

/** Two digits: a line with more pretends. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}
