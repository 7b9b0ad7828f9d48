import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GoldenCase } from '../ingest/golden-case.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { matchCase } from './match-case.ts';

const golden: GoldenCase = {
  id: 'learning',
  topic: 'Learning',
  domain: 'technical',
  version: '1.0',
  created: '2026-11-15',
  sourceText: 'Machine learning requires training data.',
  expectedConcepts: [
    { label: 'Machine Learning', aliases: ['ML'], required: true },
    { label: 'training data', aliases: [], required: true },
    { label: 'labels', aliases: ['annotations'], required: false },
  ],
  expectedRelationships: [
    { source: 'Machine Learning', target: 'training data', predicate: 'REQUIRES', required: true },
    { source: 'training data', target: 'labels', predicate: 'RELATES_TO', required: true },
  ],
  forbiddenConcepts: ['Neural Osmosis Learning', 'M-L'],
  forbiddenRelationships: [],
};

const output = (
  labels: string[],
  relationships: ExtractionOutput['relationships'] = [],
): ExtractionOutput => ({
  concepts: labels.map((label) => ({ label })),
  relationships,
});
const levels = (...labels: string[]) =>
  matchCase(golden, output(labels)).concepts.map(
    (concept) => concept.match?.level ?? (concept.canary ? 'canary' : '–'),
  );

describe('matching concepts', () => {
  it('knows exact, normalised and alias matches, and keeps the level', () => {
    expect(levels('Machine Learning', 'TRAINING-DATA', 'Annotations', 'gradient descent')).toEqual([
      'exact',
      'normalised',
      'alias',
      '–',
    ]);
  });

  it('finds an expected concept once, however often it is extracted', () => {
    const { expected, concepts } = matchCase(golden, output(['ML', 'Machine Learning', 'machine learning']));
    expect(expected.filter((concept) => concept.found)).toHaveLength(1);
    expect(concepts.filter((concept) => concept.match)).toHaveLength(3);
  });

  it('never lets a canary count as correct, even when it normalises to an alias', () => {
    expect(levels('neural osmosis learning', 'm l')).toEqual(['canary', 'canary']);
  });
});

describe('matching relationships', () => {
  const correct = (source: string, predicate: 'REQUIRES' | 'RELATES_TO' | 'CAUSES', target: string) =>
    matchCase(golden, output([], [{ source, predicate, target }])).relationships.map((one) => one.correct);

  it('resolves the ends like concepts', () => {
    expect(correct('ML', 'REQUIRES', 'Training Data')).toEqual([true]);
  });

  it('minds the direction and the predicate', () => {
    expect(correct('training data', 'REQUIRES', 'ML')).toEqual([false]);
    expect(correct('ML', 'CAUSES', 'training data')).toEqual([false]);
  });

  it('reads RELATES_TO both ways', () => {
    expect(correct('labels', 'RELATES_TO', 'training data')).toEqual([true]);
  });

  it('never lets a canary stand in for a concept', () => {
    const [first, ...rest] = golden.expectedConcepts;
    if (first === undefined) throw new Error('unreachable');
    const trap = {
      ...golden,
      expectedConcepts: [{ ...first, aliases: ['ML', 'M-L'] }, ...rest],
      forbiddenConcepts: ['M L'],
    };
    const edge = { source: 'm l', predicate: 'REQUIRES' as const, target: 'training data' };
    expect(matchCase(trap, output([], [edge])).relationships).toMatchObject([{ correct: false }]);
  });

  it('credits an expected relationship once', () => {
    const twice = { source: 'ML', predicate: 'REQUIRES' as const, target: 'training data' };
    expect(matchCase(golden, output([], [twice, twice])).relationships.map((one) => one.correct)).toEqual([
      true,
      false,
    ]);
  });
});

it('does not depend on the order of the output', () => {
  const labels = ['ML', 'machine-learning', 'annotations', 'M-L', 'something else'];
  fc.assert(
    fc.property(fc.shuffledSubarray(labels, { minLength: labels.length }), (shuffled) => {
      const { expected, concepts } = matchCase(golden, output(shuffled));
      expect(expected.map((concept) => concept.found)).toEqual([true, false, true]);
      expect(concepts.filter((concept) => concept.match)).toHaveLength(3);
    }),
  );
});

it('reads each golden label a few times, not once for every extracted one', () => {
  let reads = 0;
  const names = Array.from({ length: 1000 }, (_, i) => `concept-number ${i}`);
  const large: GoldenCase = {
    ...golden,
    expectedConcepts: names.map((label) => ({
      aliases: [`${label} alias`],
      required: true,
      get label() {
        reads++;
        return label;
      },
    })),
    expectedRelationships: names
      .slice(1)
      .map((source, i) => ({ source, target: names[i] ?? '', predicate: 'IS_A', required: true })),
    forbiddenConcepts: names.map((label) => `not ${label}`),
  };
  const extracted = output(
    names.map((label) => `${label} ALIAS`),
    large.expectedRelationships.map(({ source, target, predicate }) => ({ source, target, predicate })),
  );
  const { concepts, relationships } = matchCase(large, extracted);
  // A comparison of each with each reads a million.
  expect(reads).toBeLessThan(10 * names.length);
  expect(concepts.every((concept) => concept.match?.level === 'alias')).toBe(true);
  expect(relationships.every((one) => one.correct)).toBe(true);
});
