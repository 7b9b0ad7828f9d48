/**
 * What no score could exceed. The mean of k ratings is itself unsure, so even the true quality would go along with it
 * only so far: r is at most the square root of the mean's reliability, k·ρ / (1 + (k − 1)·ρ), where ρ is the agreement
 * of two single ratings (Krippendorff's alpha of the distances) and k the harmonic mean of how many rated a session.
 *
 * References: C. Spearman, American Journal of Psychology 15 (1904), on attenuation; the Spearman–Brown formula.
 * Worked value: two raters who agree with ρ = 0.5 → reliability 2·0.5 / 1.5 = 0.667, so r ≤ 0.816.
 */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { krippendorffAlpha } from '../../stats/krippendorff-alpha.ts';

/** `ratings`: those of each session, by all who rated it. */
export function raterCeiling(ratings: readonly (readonly number[])[], seed: number): Measurement {
  const twice = ratings.filter((own) => own.length > 1);
  if (twice.length === 0) return unmeasured('no session was rated by two people');
  const agreement = krippendorffAlpha(twice, { level: 'interval', bootstrap: { seed } });
  if (agreement === undefined) return unmeasured('everybody gave the same rating throughout');
  const raters = ratings.length / ratings.reduce((sum, own) => sum + 1 / own.length, 0);
  const { alpha, n, interval } = agreement;
  return estimate(
    ceilingOf(alpha, raters),
    n,
    interval && { low: ceilingOf(interval.low, raters), high: ceilingOf(interval.high, raters) },
  );
}

/** Raters who agree no better than chance leave nothing to go along with. */
export function ceilingOf(agreement: number, raters: number): number {
  const known = Math.max(0, agreement);
  return Math.sqrt((raters * known) / (1 + (raters - 1) * known));
}
