/** The word for a Q, with a `?` where nothing but the absence of trouble was seen. */
import { type Tier, tierOf } from '../judge/tier.ts';
import type { ScoredRun } from './score.ts';

/** These say that something good was seen, which takes an outcome or a closing acceptance. */
const PRAISE: ReadonlySet<string> = new Set(['excellent', 'good']);

export function tierOfQ(q: number, proven: boolean): string | undefined {
  const tier = tierOf(q, TIERS);
  return tier !== undefined && !proven && PRAISE.has(tier) ? `${tier}?` : tier;
}

type Scored = Pick<ScoredRun, 'categories'> & { readonly specialCase?: ScoredRun['specialCase'] | undefined };

/** What became of the work was seen in most of the runs: a state, or that somebody accepted it. */
export function isProven(runs: readonly Scored[]): boolean {
  const proven = runs.filter(showsOutcome).length;
  return proven > 0 && proven * 2 >= runs.length;
}

/** A rule of its own is what was seen of an idle run. */
export function showsOutcome({ categories, specialCase }: Scored): boolean {
  if (specialCase !== undefined) return true;
  return categories.outcome.signals.some(
    ({ id, reading }) => id !== 'artifact-produced' && reading.measured && reading.thin !== true,
  );
}

/** The five bands of Q; the lower line of each decides, on the unrounded score. */
const TIERS: readonly Tier[] = [
  { label: 'excellent', from: 0.9 },
  { label: 'good', from: 0.75 },
  { label: 'acceptable', from: 0.6 },
  { label: 'poor', from: 0.4 },
  { label: 'failed', from: 0 },
];
