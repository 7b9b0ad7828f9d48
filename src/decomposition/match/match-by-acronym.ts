import type { GoldenCase } from '../ingest/golden-case.ts';
import { type AcronymForms, acronymForms, definitionsIn, openAcronymIndex } from './acronym.ts';
import type { MatchedPair, MatchTier, Named } from './match-concepts.ts';
import { rememberLast } from './remember.ts';

/**
 * Pairs of which one is the acronym of the other. What may stand for a canary stands for nothing else, and an acronym
 * that the text writes out stands for what it is written out as.
 */
export function acronymTier(concepts: readonly Named[], golden: GoldenCase): MatchTier {
  return (left) => {
    const { expected, canaries, definitions, formsOf } = indexesOf(golden);
    return left.flatMap((row): MatchedPair[] => {
      const { label } = concepts[row] as Named;
      const forms = acronymForms([label]);
      if (canaries(forms).size > 0) return [];
      return [...expected(forms)]
        .filter((place) => !contradicted(forms, formsOf(place), definitions))
        .map((place) => ({ row, place, level: 'acronym', cost: 0 }));
    });
  };
}

/** One side is an acronym that the text defines, and the other is none of its long forms. */
function contradicted(
  one: AcronymForms,
  other: AcronymForms,
  definitions: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const shareShort = [...one.shorts].some((short) => other.shorts.has(short));
  if (definitions.size === 0 || shareShort || [...one.fulls].some((full) => other.fulls.has(full)))
    return false;
  const pairs = [
    ...[...one.shorts]
      .filter((short) => other.initials.has(short))
      .map((short) => [short, other.fulls] as const),
    ...[...other.shorts]
      .filter((short) => one.initials.has(short))
      .map((short) => [short, one.fulls] as const),
  ];
  return (
    pairs.length > 0 &&
    pairs.every(([short, fulls]) => {
      const meant = definitions.get(short);
      return meant !== undefined && ![...fulls].some((full) => meant.has(full));
    })
  );
}

const indexesOf = rememberLast(({ expectedConcepts, forbiddenConcepts, sourceText }: GoldenCase) => ({
  definitions: definitionsIn(sourceText),
  formsOf: (place: number) => {
    const { label = '', aliases = [] } = expectedConcepts[place] ?? {};
    return acronymForms([label, ...aliases]);
  },
  expected: openAcronymIndex(expectedConcepts.map(({ label, aliases }) => [label, ...aliases])),
  canaries: openAcronymIndex(forbiddenConcepts.map((label) => [label])),
}));
