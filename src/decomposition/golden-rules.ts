/** What golden cases are made of and how much of it they need: as documented, unless the configuration says otherwise. */
import { PREDICATES } from './predicates.ts';

/** The words that golden cases may use. */
export type Vocabulary = {
  readonly domains: readonly string[];
  /** All of them have a direction, except RELATES_TO. */
  readonly predicates: readonly string[];
};

/** At least and at most. */
export type CountRange = readonly [least: number, most: number];

export type GoldenRules = Vocabulary & {
  readonly minCases: number;
  readonly concepts: CountRange;
  /** Concepts with aliases. */
  readonly withAliases: number;
  readonly relationships: CountRange;
  readonly canaries: CountRange;
  readonly forbiddenRelationships: CountRange;
  readonly words: CountRange;
  readonly paragraphs: CountRange;
};

export const GOLDEN_RULES: GoldenRules = {
  domains: ['ecological', 'technical', 'social', 'economic', 'interdisciplinary'],
  predicates: PREDICATES,
  minCases: 5,
  concepts: [15, 25],
  withAliases: 3,
  relationships: [30, 50],
  canaries: [5, 10],
  forbiddenRelationships: [3, 5],
  words: [300, 800],
  paragraphs: [2, 5],
};
