import type { PREDICATES } from '../../../../predicates.ts';

export type CuedPredicate = (typeof PREDICATES)[number];

/**
 * Words between two concepts that state a relation, as dictionary forms. `forward`: the first concept is the source;
 * `backward`: the second one is.
 */
export type Cues = {
  readonly predicate: CuedPredicate;
  readonly forward: readonly string[];
  readonly backward: readonly string[];
  /** The same for words that state other things as often. */
  readonly hints: { readonly forward: readonly string[]; readonly backward: readonly string[] };
};
