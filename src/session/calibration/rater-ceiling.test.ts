import { describe, expect, it } from 'vitest';
import { pearson } from '../../stats/pearson.ts';
import { random } from '../../stats/random.ts';
import { ceilingOf, raterCeiling } from './rater-ceiling.ts';

describe('raterCeiling', () => {
  it('is the square root of the reliability of the mean (by hand: √(2·0.5 / 1.5))', () => {
    expect(ceilingOf(0.5, 2)).toBeCloseTo(Math.sqrt(2 / 3), 12);
    expect(ceilingOf(1, 1)).toBe(1);
    expect(ceilingOf(0.81, 1)).toBeCloseTo(0.9, 12);
    expect(ceilingOf(-0.3, 3)).toBe(0);
  });

  it('is what the true quality itself reaches, where that is known', () => {
    const source = random(7);
    const normal = () => {
      const [u, v] = [(source.bits() + 1) / 2 ** 32, source.bits() / 2 ** 32];
      return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
    };
    const sessions = Array.from({ length: 4000 }, (_, i) => {
      const quality = normal();
      return { quality, ratings: Array.from({ length: i % 2 === 0 ? 1 : 3 }, () => quality + normal()) };
    });
    const truth = pearson(
      sessions.map((one) => one.quality),
      sessions.map(({ ratings }) => ratings.reduce((sum, one) => sum + one, 0) / ratings.length),
    );
    const ceiling = raterCeiling(
      sessions.slice(0, 1000).map((one) => one.ratings),
      1,
    );
    expect(ceiling.measured && ceiling.value).toBeCloseTo(truth?.r ?? Number.NaN, 1);
    expect(ceiling.measured && ceiling.low !== undefined && ceiling.low < ceiling.value).toBe(true);
  });

  it('is unmeasured with one rater, and where everybody says the same', () => {
    expect(raterCeiling([[3], [4]], 1)).toMatchObject({ measured: false });
    expect(
      raterCeiling(
        [
          [3, 3],
          [3, 3],
        ],
        1,
      ),
    ).toMatchObject({ measured: false });
  });
});
