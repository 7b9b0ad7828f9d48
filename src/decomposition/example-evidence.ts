import type { CaseEvidence, FieldEvidence, QuoteCheck } from './evidence.ts';

export type Counts = {
  readonly extracted?: number;
  readonly correct?: number;
  readonly duplicates?: number;
  readonly quoted?: number;
  readonly verified?: number;
  /** Verified quotes that name their concept; default: all of them. */
  readonly named?: number;
  readonly unmentioned?: number;
  readonly canaries?: number;
  readonly expected?: number;
  readonly required?: number;
  readonly found?: number;
  readonly relationships?: number;
  readonly correctRelationships?: number;
  readonly expectedRelationships?: number;
  readonly forbiddenRelationships?: number;
};

/** A case of one trial with the given counts, for the worked examples of the metrics. */
export function evidenceWith(counts: Counts): CaseEvidence {
  const {
    extracted = 0,
    correct = 0,
    duplicates = 0,
    quoted = 0,
    verified = 0,
    canaries = 0,
    found = 0,
    correctRelationships = 0,
  } = counts;
  const quoteOf = (i: number): QuoteCheck =>
    i >= quoted
      ? { state: 'none' }
      : i < verified
        ? { state: 'verified', at: [0, 20], ...(i >= (counts.named ?? verified) && { unnamed: 'elsewhere' }) }
        : { state: 'not in the text' };
  const edge = (i: number) => ({ source: `concept ${i}`, target: `concept ${i + 1}`, predicate: 'IS_A' });
  return {
    caseId: 'example',
    trials: [
      {
        concepts: times(extracted, (i) => ({
          label: `concept ${i}`,
          quote: quoteOf(i),
          ...(i < correct && {
            match: {
              expected: `concept ${i >= correct - duplicates ? 0 : i}`,
              level: 'exact' as const,
              ...(i >= correct - duplicates && { duplicate: true as const }),
            },
          }),
          ...(i >= extracted - canaries && { canary: `canary ${i}` }),
          ...(i >= extracted - (counts.unmentioned ?? 0) && { unmentioned: true as const }),
        })),
        expected: times(counts.expected, (i) => ({
          label: `concept ${i}`,
          required: i < (counts.required ?? counts.expected ?? 0),
          ...(i < found && { found: 'exact' as const }),
        })),
        relationships: times(counts.relationships, (i) => ({
          ...edge(i),
          quote: { state: 'none' as const },
          ...(i < correctRelationships && { correct: 'exact' as const }),
          ...(i >= (counts.relationships ?? 0) - (counts.forbiddenRelationships ?? 0) && {
            forbidden: true as const,
          }),
        })),
        expectedRelationships: times(counts.expectedRelationships, (i) => ({
          ...edge(i),
          required: true,
          ...(i < correctRelationships && { found: 'exact' as const }),
        })),
      },
    ],
  };
}

/** A case of one trial with the given fields. */
export function fieldsWith(
  fields: readonly (Omit<FieldEvidence, 'quote'> & Partial<Pick<FieldEvidence, 'quote'>>)[],
): CaseEvidence {
  const [trial] = evidenceWith({}).trials;
  if (trial === undefined) return { caseId: 'example', trials: [] };
  return {
    caseId: 'example',
    trials: [{ ...trial, fields: fields.map((one) => ({ quote: { state: 'none' }, ...one })) }],
  };
}

function times<T>(n: number | undefined, make: (i: number) => T): T[] {
  return Array.from({ length: n ?? 0 }, (_, i) => make(i));
}
