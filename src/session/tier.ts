/** The name for a range of Q. Whether the result was verified is a separate question: verified.ts. */
import { type Tier, tierOf } from '../judge/tier.ts';

/** The five ranges of Q, by their lower bounds on the unrounded score. */
const TIERS: readonly Tier[] = [
  { label: 'excellent', from: 0.9 },
  { label: 'good', from: 0.75 },
  { label: 'acceptable', from: 0.6 },
  { label: 'poor', from: 0.4 },
  { label: 'failed', from: 0 },
];

export function tierOfQ(q: number): string | undefined {
  return tierOf(q, TIERS);
}
