import type { GoldenCase } from '../ingest/golden-case.ts';
import { acronymForms, openAcronymIndex } from './acronym.ts';
import type { Named, Pair, Tier } from './match-concepts.ts';
import { rememberLast } from './remember.ts';

/** Pairs of which one is the acronym of the other. What may stand for a canary stands for nothing else. */
export function acronymTier(concepts: readonly Named[], golden: GoldenCase): Tier {
  return (left) => {
    const { expected, canaries } = indexesOf(golden);
    return left.flatMap((row): Pair[] => {
      const { label, aliases = [] } = concepts[row] as Named;
      const forms = acronymForms([label, ...aliases]);
      if (canaries(forms).size > 0) return [];
      return [...expected(forms)].map((place) => ({ row, place, level: 'acronym', cost: 0 }));
    });
  };
}

const indexesOf = rememberLast(({ expectedConcepts, forbiddenConcepts }: GoldenCase) => ({
  expected: openAcronymIndex(expectedConcepts.map(({ label, aliases }) => [label, ...aliases])),
  canaries: openAcronymIndex(forbiddenConcepts.map((label) => [label])),
}));
