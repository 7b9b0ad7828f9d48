import type { GoldenCase } from '../../ingest/golden-case.ts';
import { canaryKey } from '../../match/canary-key.ts';

/** A concept of production that was made up. */
export type Fabrication = {
  readonly label: string;
  readonly requestId: string;
  /** A person said so, or its text, which was kept, never mentions it. */
  readonly source: 'rated' | 'unmentioned';
};

export type CanarySuggestion = {
  readonly label: string;
  readonly count: number;
  readonly rated: number;
  readonly examples: readonly string[];
  /** Cases that forbid it already. */
  readonly alreadyIn: readonly string[];
};

/** What people called made up first, then what no text mentions, the most frequent first. What is expected somewhere is none. */
export function suggestCanaries(
  fabrications: readonly Fabrication[],
  golden: readonly GoldenCase[],
  most: number,
): CanarySuggestion[] {
  const expected = new Set(
    golden.flatMap(({ expectedConcepts }) =>
      expectedConcepts.flatMap(({ label, aliases }) => [label, ...aliases].map(canaryKey)),
    ),
  );
  return [...Map.groupBy(fabrications, ({ label }) => canaryKey(label))]
    .filter(([key, own]) => !expected.has(key) && (own.length > 1 || own[0]?.source === 'rated'))
    .map(([key, own]) => ({
      label: own[0]?.label ?? key,
      count: new Set(own.map(({ requestId }) => requestId)).size,
      rated: own.filter(({ source }) => source === 'rated').length,
      examples: [...new Set(own.map(({ requestId }) => requestId))].slice(0, 3),
      alreadyIn: golden
        .filter(({ forbiddenConcepts }) => forbiddenConcepts.some((label) => canaryKey(label) === key))
        .map(({ id }) => id),
    }))
    .sort((a, b) => b.rated - a.rated || b.count - a.count || (a.label < b.label ? -1 : 1))
    .slice(0, most);
}
