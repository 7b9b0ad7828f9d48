import { describe, expect, it } from 'vitest';
import { spearman } from '../../stats/correlation.ts';
import { correlate, type RatedOutput } from './correlations.ts';

const RECALL = 'decomposition/concept-recall';
const PRECISION = 'decomposition/concept-precision';

const SAID = [1, 0, 1, 1, 0, 0.5, 1, 0, 0.25, 1];
const OUTPUTS: readonly RatedOutput[] = SAID.map((satisfaction, i) => ({
  id: `o${i}`,
  satisfaction,
  metrics: {
    [RECALL]: satisfaction * 0.5 + ((i * 3) % 10) / 40,
    ...(i < 6 && { [PRECISION]: ((i * 7) % 10) / 10 }),
  },
}));

describe('correlate', () => {
  it('tells each metric over the outputs that have it, corrected for how many were told', () => {
    const [recall, precision, absent] = correlate(OUTPUTS, [RECALL, PRECISION, 'decomposition/overall']);
    const alone = spearman(
      OUTPUTS.map(({ metrics }) => metrics[RECALL] as number),
      SAID,
    );
    expect(recall).toMatchObject({ metric: RECALL, n: 10, correlation: alone });
    expect(recall?.adjustedP).toBeCloseTo(2 * (alone?.p ?? NaN), 12);
    expect(precision).toMatchObject({ n: 6 });
    expect(precision?.adjustedP).toBeGreaterThanOrEqual(precision?.correlation?.p ?? NaN);
    expect(absent).toEqual({
      metric: 'decomposition/overall',
      n: 0,
      correlation: undefined,
      adjustedP: undefined,
    });
  });

  it('has nothing to tell where everybody is content', () => {
    const content = OUTPUTS.map((one) => ({ ...one, satisfaction: 1 }));
    expect(correlate(content, [RECALL])[0]).toMatchObject({ n: 10, correlation: undefined });
  });
});
