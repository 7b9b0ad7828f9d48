/** How one concept stands to another. Apart from what reads them, so that settings need not load it. */
export const PREDICATES = ['IS_A', 'CAUSES', 'PRECEDES', 'REQUIRES', 'RELATES_TO'] as const;

export type Predicate = (typeof PREDICATES)[number];

/** Predicates of an extractor's own → ours. */
export type PredicateMap = Readonly<Record<string, Predicate>>;
