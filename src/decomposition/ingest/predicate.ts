import { PREDICATES, type Predicate, type PredicateMap } from '../predicates.ts';

const KNOWN: ReadonlySet<string> = new Set(PREDICATES);

/** `causes`, `is-a`, `relatesTo`: the same predicate in another case or spelling. One that nobody knows stays as it is. */
export function readPredicate(given: string, map: PredicateMap = {}): string {
  const spelt = spelling(given);
  if (KNOWN.has(spelt)) return spelt;
  const mapped = Object.entries(map).find(([name]) => spelling(name) === spelt)?.[1];
  return mapped ?? given;
}

export function isPredicate(given: string): given is Predicate {
  return KNOWN.has(given);
}

function spelling(predicate: string): string {
  return predicate
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s_-]+/g, '_')
    .toUpperCase();
}
