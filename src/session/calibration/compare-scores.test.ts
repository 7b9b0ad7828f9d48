import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auc } from '../../stats/auc.ts';
import { pearson } from '../../stats/correlation.ts';
import { random } from '../../stats/random.ts';
import { compareScores, type ScoredTwice, stratum } from './compare-scores.ts';
import { correlationAgreement, orderAgreement } from './fit-weights.ts';

const scored = (n: number): ScoredTwice[] => {
  const source = random(5);
  const share = () => source.bits() / 2 ** 32;
  return Array.from({ length: n }, (_, i) => {
    const label = source.below(2);
    return { source: `s${i % 3}`, label, documented: share(), calibrated: 0.5 * share() + 0.5 * label };
  });
};

describe('compareScores', () => {
  it('shows both scores over all sessions, within sources and per source, and the gain with its interval', () => {
    const { figures, gain, sourcesGained, sourcesMeasured } = compareScores(scored(120), 'outcomes', 1);
    expect(figures.map((figure) => figure.scope)).toEqual(['all', 'within sources', 's0', 's1', 's2']);
    expect(gain?.interval?.low).toBeGreaterThan(0.2);
    expect([sourcesGained, sourcesMeasured]).toEqual([3, 3]);
  });

  it('takes ratings by correlation over all of them', () => {
    const { figures, gain } = compareScores(scored(60), 'ratings', 1);
    expect(figures.map((figure) => [figure.scope, figure.metric])).toEqual([
      ['all', 'pearson'],
      ['s0', 'pearson'],
      ['s1', 'pearson'],
      ['s2', 'pearson'],
    ]);
    const [all] = figures;
    const r = pearson(
      scored(60).map((one) => one.calibrated),
      scored(60).map((one) => one.label),
    );
    expect(all?.calibrated).toMatchObject({ value: r?.r });
    expect(all?.documented.measured && gain?.value).toBeCloseTo(
      (r?.r ?? 0) - (all?.documented.measured ? all.documented.value : 0),
      9,
    );
  });

  it('measures the area as the statistics do, ties and all', () => {
    const item = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const [scores, labels] = [items.map(([score]) => score), items.map(([, label]) => label)];
        const area = auc(scores, labels);
        const own = stratum(scores, labels);
        expect(own.weight === 0).toBe(area === undefined);
        if (area === undefined) return;
        expect(own.auc).toBeCloseTo(area.auc, 12);
        expect(own.weight).toBeCloseTo((area.positives * area.negatives) / items.length, 12);
      }),
    );
  });
});

describe('agreements', () => {
  const labels = Float64Array.from({ length: 40 }, (_, i) => i % 2);
  const groups = Array.from({ length: 40 }, (_, i) => (i < 20 ? 'a' : 'b'));
  const scores = Float64Array.from({ length: 40 }, (_, i) => ((i * 7) % 11) / 11 + 0.05 * (i % 2));

  it.each([
    ['correlation', correlationAgreement(labels)],
    ['order', orderAgreement(labels, groups, 0.1, 1)],
  ])('%s climbs along its slope', (_, agreement) => {
    const slopes = agreement.slopes(scores);
    for (const place of [0, 1, 17, 39]) {
      const moved = (by: number) =>
        agreement.value(scores.map((score, i) => (i === place ? score + by : score)));
      expect(slopes[place]).toBeCloseTo((moved(1e-6) - moved(-1e-6)) / 2e-6, 6);
    }
  });

  it('the order of sharp pairs is the area within groups', () => {
    const halves = [0, 1].map((half) =>
      stratum(scores.slice(half * 20, half * 20 + 20), [...labels.slice(0, 20)].map(Boolean)),
    );
    const expected = ((halves[0]?.auc ?? 0) + (halves[1]?.auc ?? 0)) / 2;
    expect(orderAgreement(labels, groups, 1e-6, 1).value(scores)).toBeCloseTo(expected, 6);
  });

  it('a sample of the pairs of many sessions is close to all of them', () => {
    const many = Float64Array.from({ length: 2000 }, (_, i) => i % 2);
    const values = many.map((label, i) => ((i * 37) % 101) / 101 + 0.2 * label);
    const all = stratum(values, [...many].map(Boolean)).auc;
    expect(orderAgreement(many, [], 1e-6, 1).value(values)).toBeCloseTo(all, 1);
  });
});
