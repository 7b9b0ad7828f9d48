/** How one concept stands to another. Apart from what reads them, so that settings need not load it. */
export const PREDICATES = ['IS_A', 'CAUSES', 'PRECEDES', 'REQUIRES', 'RELATES_TO'] as const;

export type Predicate = (typeof PREDICATES)[number];

/** The map with the predicates that golden cases add to the documented ones: any spelling of theirs means them. */
export function withOwnPredicates(
  map: PredicateMap = {},
  predicates: readonly string[] = PREDICATES,
): PredicateMap {
  const own = predicates.filter((one) => !(PREDICATES as readonly string[]).includes(one));
  return own.length === 0 ? map : { ...Object.fromEntries(own.map((one) => [one, one])), ...map };
}

/** Predicates of an extractor's own → those of the golden cases. */
export type PredicateMap = Readonly<Record<string, string>>;
