import { createHash } from 'node:crypto';
import { DEFAULT_MATCH_LEVEL, type MatchLevel } from './evidence.ts';
import { OVERALL_WEIGHTS, type OverallWeights } from './weights.ts';

/** Changes whenever the same golden set and the same outputs would give another number; a test holds them together. */
export const SCORER_VERSION = 'decomposition-3';

/** Stamped on every result: other weights or levels give other numbers, so they are part of what a number is valid for. */
export function scorerWith(weights: OverallWeights, matchLevel: MatchLevel = DEFAULT_MATCH_LEVEL): string {
  const level = matchLevel === DEFAULT_MATCH_LEVEL ? '' : `+match.${matchLevel}`;
  const values = Object.keys(OVERALL_WEIGHTS).map((key) => weights[key as keyof OverallWeights]);
  const documented = Object.values(OVERALL_WEIGHTS);
  if (values.every((value, i) => value === documented[i])) return `${SCORER_VERSION}${level}`;
  const hash = createHash('sha256').update(JSON.stringify(values)).digest('hex');
  return `${SCORER_VERSION}${level}+weights.${hash.slice(0, 8)}`;
}
