import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../evidence.ts';
import { factsWith, runWith } from '../example-session.ts';
import { TASK_TYPES } from '../profiles/task-type.ts';
import { scoreSession } from '../score-session.ts';
import { SIGNALS } from '../signals/catalog.ts';
import { anyRun } from '../testing/any-run.ts';
import { datasetOf } from './dataset.ts';
import { documentedVector, pullOf, qsOf, vectorOf, type WeightVector, weightsOf } from './q-model.ts';

const session: fc.Arbitrary<SessionFacts> = fc
  .tuple(
    fc.array(anyRun, { minLength: 1, maxLength: 4 }),
    fc.option(fc.constantFrom(...TASK_TYPES), { nil: undefined }),
  )
  .map(([runs, declared]) => factsWith(runs, declared === undefined ? {} : { declaredTaskType: declared }));

const weights: fc.Arbitrary<WeightVector> = fc
  .tuple(
    fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 24, maxLength: 24 }),
    fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 14, maxLength: 14 }),
  )
  .map(([profiles, signals]) => {
    const parts = profiles.map((value, i) => {
      const own = profiles.slice(i - (i % 4), i - (i % 4) + 4);
      return value / own.reduce((sum, one) => sum + one, 0);
    });
    return { profiles: Float64Array.from(parts), signals: Float64Array.from(signals) };
  });

const datasetWith = (facts: readonly SessionFacts[]) =>
  datasetOf(facts.map((one, i) => ({ facts: { ...one, sessionId: `s${i}` }, label: 0, source: 'x' })))
    .sessions;

describe('the model of Q', () => {
  it('gives exactly the Q of the scorer for any facts and any weights', () => {
    fc.assert(
      fc.property(session, weights, (facts, vector) => {
        const [own] = datasetWith([facts]);
        const { q } = scoreSession(facts, { weights: weightsOf(vector, 'any') });
        expect(own === undefined).toBe(q === undefined);
        if (own === undefined) return;
        expect(qsOf([own], vector)[0]).toBeCloseTo(q ?? Number.NaN, 10);
        expect(own.documentedQ).toBeCloseTo(qsOf([own], documentedVector())[0] ?? 2, 10);
      }),
      { numRuns: 1000 },
    );
  });

  it('knows how Q moves with each weight', () => {
    fc.assert(
      fc.property(fc.array(session, { minLength: 1, maxLength: 4 }), weights, (facts, vector) => {
        const sessions = datasetWith(facts);
        const slopes = new Float64Array(sessions.length).fill(1);
        const pull = pullOf(sessions, vector, slopes);
        const total = (at: WeightVector) => qsOf(sessions, at).reduce((sum, q) => sum + q, 0);
        for (const part of ['profiles', 'signals'] as const) {
          for (const place of vector[part].keys()) {
            const moved = (by: number) => {
              const next = Float64Array.from(vector[part]);
              next[place] = (next[place] as number) + by;
              return total({ ...vector, [part]: next });
            };
            expect(pull[part][place]).toBeCloseTo((moved(1e-6) - moved(-1e-6)) / 2e-6, 4);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('hands the weight of an unmeasured Outcome to Completion', () => {
    // Completion 1, Execution 1 (no calls), Efficiency 0.75 ((0.5 + 1) / 2), Outcome unmeasured.
    const facts = factsWith([runWith({ outputChars: 5000, turns: 12 })], { declaredTaskType: 'chat' });
    const [q] = qsOf(datasetWith([facts]), documentedVector());
    expect(q).toBeCloseTo(0.4 + 0.15 + 0.2 + 0.25 * 0.75, 10);
  });
});

describe('weight vectors', () => {
  it('go to weights and back unchanged, and name only the signals that moved', () => {
    const vector = documentedVector();
    expect(weightsOf(vector, 'same').signals).toBeUndefined();
    vector.signals[0] = 0.2;
    const weights = weightsOf(vector, 'moved');
    expect(weights.signals).toEqual({ [SIGNALS[0]?.id ?? '']: 0.2 });
    expect(vectorOf(weights)).toEqual(vector);
  });
});
