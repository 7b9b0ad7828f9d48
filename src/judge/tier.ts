import { TOLERANCE } from './zone.ts';

/** A band of a score: everything from `from` upwards that no higher band claims. */
export type Tier = { readonly label: string; readonly from: number };

/** The lower line of each band decides, on the unrounded score: 0.745 is below a line at 0.75. */
export function tierOf(score: number, tiers: readonly Tier[]): string | undefined {
  return tiers.toSorted((a, b) => b.from - a.from).find((tier) => score >= tier.from - TOLERANCE)?.label;
}
