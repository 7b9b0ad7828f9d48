/** How one concept relates to another. Separate from the readers, so that settings need not load them. */
export const PREDICATES = ['IS_A', 'CAUSES', 'PRECEDES', 'REQUIRES', 'RELATES_TO'] as const;

export type Predicate = (typeof PREDICATES)[number];

/** The predicate map, extended with the custom predicates of golden cases in any spelling. */
export function withOwnPredicates(
  map: PredicateMap = {},
  predicates: readonly string[] = PREDICATES,
): PredicateMap {
  const own = predicates.filter((one) => !(PREDICATES as readonly string[]).includes(one));
  return own.length === 0 ? map : { ...Object.fromEntries(own.map((one) => [one, one])), ...map };
}

export type PredicateMap = Readonly<Record<string, string>>;

export type Vocabulary = {
  readonly domains: readonly string[];
  /** All of them have a direction, except RELATES_TO. */
  readonly predicates: readonly string[];
};

export type CountRange = readonly [least: number, most: number];

export type GoldenRules = Vocabulary & {
  readonly minCases: number;
  readonly concepts: CountRange;
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
