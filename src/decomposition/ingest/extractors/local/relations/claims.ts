import { CAUSES } from './causes.ts';
import type { CuedPredicate, Cues } from './cue.ts';
import { IS_A } from './is-a.ts';
import { PRECEDES } from './precedes.ts';
import { RELATES_TO } from './relates-to.ts';
import { REQUIRES } from './requires.ts';

export const ALL_CUES: readonly Cues[] = [IS_A, CAUSES, PRECEDES, REQUIRES, RELATES_TO];

/** What can be said of two concepts in the order of the text: `>` the first is the source, `<` the second is. */
export type RelationClaim = {
  readonly name: string;
  readonly predicate: CuedPredicate;
  readonly forward: boolean;
};

export const CLAIMS: readonly RelationClaim[] = ALL_CUES.flatMap(({ predicate }): RelationClaim[] =>
  predicate === 'RELATES_TO'
    ? [{ name: predicate, predicate, forward: true }]
    : [
        { name: `${predicate}>`, predicate, forward: true },
        { name: `${predicate}<`, predicate, forward: false },
      ],
);
