import fc from 'fast-check';
import { expect, it } from 'vitest';
import { extractionOutputSchema, isOutput } from './output.ts';

const label = fc.oneof(
  fc.constantFrom('marsh', ' moor', '', 'x'.repeat(1000), 'x'.repeat(1001)),
  fc.string(),
);
const number = fc.oneof(fc.constantFrom(0, 1, -1, 0.5, Number.NaN, Infinity, 1.5), fc.double());
const strange = fc.oneof(fc.constantFrom(undefined, null, true, 7, 'x', {}, []), fc.jsonValue());
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: strange });
const some = { requiredKeys: [] as [] };
const quote = fc.oneof(label, fc.constantFrom('x'.repeat(20_000), 'x'.repeat(20_001)));
const aliases = fc.oneof(fc.array(rarely(label), { maxLength: 3 }), fc.constant(Array(51).fill('x')));
const concept = fc.record(
  { label: rarely(label), aliases: rarely(aliases), sourceQuote: rarely(quote), confidence: rarely(number) },
  { requiredKeys: ['label'] },
);
const relationship = fc.record(
  {
    source: rarely(label),
    target: rarely(label),
    predicate: rarely(fc.constantFrom('IS_A', 'CAUSES', 'LIKES')),
    confidence: rarely(number),
    sourceQuote: rarely(quote),
  },
  { requiredKeys: ['source', 'target', 'predicate'] },
);
const output = fc.record(
  {
    concepts: rarely(fc.array(rarely(concept), { maxLength: 3 })),
    relationships: rarely(fc.array(rarely(relationship), { maxLength: 3 })),
    latencyMs: rarely(number),
    costUsd: rarely(number),
    model: rarely(label),
    promptVersion: rarely(label),
    vendor: strange,
  },
  some,
);

it('takes only what the schema takes as it is', () => {
  fc.assert(
    fc.property(rarely(output), (value) => {
      if (!isOutput(value)) return;
      const parsed = extractionOutputSchema.safeParse(value);
      expect(parsed.error).toBeUndefined();
      expect(parsed.data).toEqual(value);
    }),
    { numRuns: 3000 },
  );
});

it('takes what extractors write', () => {
  const quoted = { label: 'marsh', aliases: ['bog'], sourceQuote: 'A marsh floods.', confidence: 0.9 };
  const relationships = [{ source: 'marsh', target: 'wetland', predicate: 'IS_A' }];
  expect(isOutput({ concepts: [quoted, { label: 'wetland' }], relationships, latencyMs: 12 })).toBe(true);
});

it.each([
  ['a key that it does not know', { concepts: [], relationships: [], vendor: 'x' }],
  ['no relationships, which the schema adds', { concepts: [] }],
  ['a space before a label, which the schema drops', { concepts: [{ label: ' x' }], relationships: [] }],
  ['a key that leads to the prototype', JSON.parse('{"concepts": [], "relationships": [], "__proto__": {}}')],
])('leaves %s to the schema', (_, value) => {
  expect(isOutput(value)).toBe(false);
});
