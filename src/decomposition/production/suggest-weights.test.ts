import { describe, expect, it } from 'vitest';
import { random } from '../../stats/random.ts';
import { OVERALL_WEIGHTS } from '../weights.ts';
import { type RatedOutput, suggestWeights } from './correlations.ts';

const KEYS = [
  'concept-recall',
  'concept-precision',
  'relationship-accuracy',
  'provenance-coverage',
  'hallucination-rate',
];

/** Outputs with five unrelated metrics, and people who look at them with these weights and some noise. */
function rated(n: number, weights: readonly number[], noise: number, seed = 3): RatedOutput[] {
  const source = random(seed);
  const uniform = () => source.below(1000) / 1000;
  return Array.from({ length: n }, (_, i) => {
    const values = KEYS.map(uniform);
    const said = values.reduce((sum, value, part) => sum + (weights[part] as number) * value, 0);
    return {
      id: `output-${String(i).padStart(4, '0')}`,
      satisfaction: Math.min(1, Math.max(0, said + noise * (uniform() - 0.5))),
      metrics: Object.fromEntries(KEYS.map((key, part) => [`decomposition/${key}`, values[part] as number])),
    };
  });
}

describe('suggestWeights', () => {
  it('suggests what people go by where it predicts outputs that were not fitted', () => {
    const suggestion = suggestWeights(rated(150, [0.9, 0.05, 0.05, 0, 0], 0.2), OVERALL_WEIGHTS);
    if (suggestion.kind !== 'adjust') throw new Error(suggestion.kind);
    expect(suggestion.fitted).toBeGreaterThan(suggestion.now);
    expect(suggestion.gain?.low).toBeGreaterThan(0);
    expect(suggestion.weights.recall).toBeGreaterThan(0.7);
    const total = Object.values(suggestion.weights).reduce((sum, weight) => sum + weight, 0);
    expect(total).toBeCloseTo(1, 1);
  });

  it('keeps the weights where people go by them', () => {
    const suggestion = suggestWeights(rated(150, [0.25, 0.2, 0.2, 0.2, -0.15], 0.5), OVERALL_WEIGHTS);
    expect(suggestion).toMatchObject({ kind: 'keep', weights: OVERALL_WEIGHTS, n: 150 });
  });

  it('keeps the weights where people go by none of it', () => {
    expect(suggestWeights(rated(150, [0, 0, 0, 0, 0], 1), OVERALL_WEIGHTS).kind).toBe('keep');
  });

  it('fits the metrics that enough outputs have, as production measures them, and leaves the others', () => {
    const outputs = rated(120, [0.9, 0.1, 0, 0, 0], 0.1).map(({ metrics, ...one }, i) => ({
      ...one,
      metrics: {
        'production/found-concepts': metrics['decomposition/concept-recall'] as number,
        'production/accepted-concepts': metrics['decomposition/concept-precision'] as number,
        ...(i < 10 && { 'decomposition/relationship-accuracy': 1 }),
      },
    }));
    const suggestion = suggestWeights(outputs, OVERALL_WEIGHTS);
    expect(suggestion).toMatchObject({ kind: 'adjust', n: 120, of: ['recall', 'precision'] });
    if (suggestion.kind === 'too few') throw new Error('too few');
    const { recall, precision, ...others } = suggestion.weights;
    expect(recall + precision).toBeCloseTo(0.45, 2);
    expect(recall).toBeGreaterThan(0.35);
    expect(others).toEqual({ relationshipAccuracy: 0.2, provenance: 0.2, hallucinationPenalty: 0.15 });
  });

  it('counts only outputs with all five, and says when they are too few', () => {
    const outputs = rated(60, [0.5, 0.5, 0, 0, 0], 0.1).map((one, i) =>
      i < 20 ? { ...one, metrics: { 'decomposition/concept-recall': 1 } } : one,
    );
    expect(suggestWeights(outputs, OVERALL_WEIGHTS)).toEqual({ kind: 'too few', n: 40 });
  });
});
