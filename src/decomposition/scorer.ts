import { createHash } from 'node:crypto';
import { DEFAULT_MATCH_LEVEL, type MatchLevel } from './evidence.ts';
import type { PredicateMap } from './golden-rules.ts';
import { OVERALL_WEIGHTS, type OverallWeights } from './weights.ts';

/** Changes whenever the same golden set and outputs would give other numbers; a test enforces it. */
export const SCORER_VERSION = 'decomposition-5';

export type SuiteScoring = {
  readonly weights: OverallWeights;
  readonly matchLevel?: MatchLevel;
  readonly predicateMap?: PredicateMap;
  readonly without?: readonly string[];
};

/** Recorded with every result: other weights, levels or predicates give other numbers, which are not comparable. */
export function scorerWith({
  weights,
  matchLevel = DEFAULT_MATCH_LEVEL,
  predicateMap = {},
  without = [],
}: SuiteScoring): string {
  const level = matchLevel === DEFAULT_MATCH_LEVEL ? '' : `+match.${matchLevel}`;
  const mapped = Object.entries(predicateMap).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const predicates = mapped.length === 0 ? '' : `+predicates.${shortHash(mapped)}`;
  const values = Object.keys(OVERALL_WEIGHTS).map((key) => weights[key as keyof OverallWeights]);
  const documented = Object.values(OVERALL_WEIGHTS);
  const other = values.every((value, i) => value === documented[i]) ? '' : `+weights.${shortHash(values)}`;
  const left = without.length === 0 ? '' : `+without.${shortHash([...without].sort())}`;
  return `${SCORER_VERSION}${level}${predicates}${other}${left}`;
}

function shortHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}
