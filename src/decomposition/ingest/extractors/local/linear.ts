import type { Features } from './features.ts';

/** Log odds: the sum of the weights of what is present. A feature without a weight says nothing. */
export function logOdds(weights: ReadonlyMap<string, number>, features: Features): number {
  let sum = 0;
  for (const [name, strength] of features) sum += (weights.get(name) ?? 0) * strength;
  return sum;
}

export function probability(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}
