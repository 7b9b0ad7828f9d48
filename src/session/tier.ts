/** The word for a Q. Whether the result was verified is another question: verified.ts. */
import { type Tier, tierOf } from '../judge/tier.ts';

/** The five bands of Q; the lower line of each decides, on the unrounded score. */
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
