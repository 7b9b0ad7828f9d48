import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';

type Part = {
  readonly id: string;
  /** Positive parts add up to the score, negative ones are penalties. */
  readonly weight: number;
  readonly measurement: Measurement;
};

export type Composite = {
  readonly measurement: Measurement;
  /** The share of all weight, penalties included, that rests on something measured. */
  readonly coverage: number;
  /** What each part added; the sum is the score. */
  readonly parts: readonly { readonly id: string; readonly weight: number; readonly contribution?: number }[];
};

/**
 * A weighted sum that says how much of it was measured. The weight of an unmeasured part goes to the measured parts
 * of the same sign in proportion to their own, so a gap neither lowers nor lifts the score by itself. A penalty that
 * could not be measured is not handed to the others: it is missing, and the coverage shows it.
 */
export function composite(
  parts: readonly Part[],
  whenMissing: 'redistribute' | 'unmeasured' = 'redistribute',
): Composite {
  const { total, measured, positive, allPositive, n } = weigh(parts);
  const coverage = total === 0 ? 0 : measured / total;
  const missing = parts.filter((part) => !part.measurement.measured);
  if (positive === 0 || (whenMissing === 'unmeasured' && missing.length > 0)) {
    const names = missing.map((part) => part.id).join(', ');
    return {
      measurement: unmeasured(names === '' ? 'no part has a weight' : `not measured: ${names}`),
      coverage,
      parts: parts.map(({ id, weight }) => ({ id, weight })),
    };
  }
  const scale = allPositive / positive;
  const weighted = parts.map(({ id, weight, measurement }) => {
    if (!measurement.measured) return { id, weight: 0 };
    const effective = weight > 0 ? weight * scale : weight;
    return { id, weight: effective, contribution: effective * measurement.value };
  });
  const value = weighted.reduce((sum, part) => sum + (part.contribution ?? 0), 0);
  return { measurement: estimate(value, n, { coverage }), coverage, parts: weighted };
}

/** In one go: composites are made by the hundred thousand. `n` is the smallest of the measured parts. */
function weigh(parts: readonly Part[]) {
  let [total, measured, positive, allPositive, n] = [0, 0, 0, 0, Infinity];
  for (const { weight, measurement } of parts) {
    const size = Math.abs(weight);
    total += size;
    if (weight > 0) allPositive += weight;
    if (!measurement.measured) continue;
    measured += size;
    if (weight > 0) positive += weight;
    n = Math.min(n, measurement.n);
  }
  return { total, measured, positive, allPositive, n };
}
