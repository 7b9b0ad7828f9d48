import { describe, expect, it } from 'vitest';
import { fisherZInterval } from '../../stats/correlation.ts';
import { random } from '../../stats/random.ts';
import {
  biasOf,
  correlationVerdict,
  neededRatings,
  type RatedPair,
  sessionsForPrecision,
  validateRatings,
} from './validate-ratings.ts';

const QS = [0.91, 0.85, 0.42, 0.66, 0.78, 0.3, 0.95, 0.55, 0.71, 0.6, 0.88, 0.2];
const RATINGS = [5, 4, 2, 3, 4, 1, 5, 3, 3, 3, 4, 2];
const PAIRS: readonly RatedPair[] = QS.map((q, i) => ({
  sessionId: `s${i}`,
  taskType: i < 9 ? 'chat' : 'coding',
  q,
  rating: RATINGS[i] as number,
}));

describe('validateRatings', () => {
  it('gives the correlations of scipy 1.17 with their intervals', () => {
    const { overall, sessions } = validateRatings(PAIRS);
    expect(sessions).toBe(12);
    expect(overall.pearson).toMatchObject({ measured: true, n: 12 });
    expect(overall.pearson.measured && overall.pearson.value).toBeCloseTo(0.9325617412132535, 9);
    expect(overall.pearson.measured && overall.pearson.low).toBeCloseTo(0.7716418122031035, 9);
    expect(overall.spearman.measured && overall.spearman.value).toBeCloseTo(0.9608295755197555, 9);
  });

  it('says nothing about a task type with fewer than four rated sessions', () => {
    const { perType } = validateRatings(PAIRS);
    expect(perType.map(({ taskType, n, pearson }) => [taskType, n, pearson.measured])).toEqual([
      ['coding', 3, false],
      ['chat', 9, true],
    ]);
  });

  it('is inconclusive without ratings, and when everybody gave the same one', () => {
    expect(validateRatings([])).toMatchObject({
      sessions: 0,
      overall: { pearson: { measured: false } },
      verdict: { verdict: 'too few to tell' },
      bias: [],
      raters: { measured: false },
    });
    const same = PAIRS.map((pair) => ({ ...pair, rating: 3 }));
    expect(validateRatings(same).overall.pearson).toMatchObject({
      measured: false,
      reason: 'all scores or all ratings are the same',
    });
  });

  it('leaves out sessions without a Q and says how many', () => {
    const { sessions, skipped } = validateRatings([
      ...PAIRS,
      { sessionId: 'x', taskType: 'chat', rating: 3 },
    ]);
    expect({ sessions, skipped }).toEqual({ sessions: 12, skipped: { 'no Q or no rating': 1 } });
  });

  it('takes the mean of several raters and measures how far they agree', () => {
    const twice = PAIRS.flatMap((pair) => [pair, { ...pair, rating: Math.min(5, pair.rating + 1) }]);
    const { sessions, ratings, raters } = validateRatings(twice);
    expect({ sessions, ratings }).toEqual({ sessions: 12, ratings: 24 });
    expect(raters).toMatchObject({ measured: true, n: 12 });
    const disagreeing = PAIRS.flatMap((pair, i) => [pair, { ...pair, rating: RATINGS[11 - i] as number }]);
    const against = validateRatings(disagreeing).raters;
    expect(against.measured && raters.measured && against.value < raters.value).toBe(true);
  });

  it('reaches a verdict from one rater, and says when two have rated', () => {
    const many = Array.from({ length: 200 }, (_, i) => ({
      sessionId: `s${i}`,
      taskType: 'chat' as const,
      q: (i % 5) / 5 + (i % 7) / 100,
      rating: 1 + (i % 5),
    }));
    const { ratedTwice, verdict } = validateRatings(many);
    expect(ratedTwice).toBe(0);
    expect(verdict.verdict).toBe('agrees');
    expect(verdict.because).toMatch(/^r \d\.\d\d \[\d\.\d\d, \d\.\d\d\], n 200, one rater, target 0\.7$/);
    const second = many.slice(0, 10).map((pair) => ({ ...pair, rating: Math.min(5, pair.rating + 1) }));
    expect(validateRatings([...many, ...second]).verdict.because).toContain('10 rated by two or more');
  });

  it('does not depend on the order of the ratings', () => {
    expect(validateRatings(PAIRS.toReversed())).toEqual(validateRatings(PAIRS));
  });
});

describe('correlationVerdict', () => {
  it('decides by the interval, not by the point', () => {
    expect(correlationVerdict(0.9, { n: 40, interval: { low: 0.82, high: 0.95 } }).verdict).toBe('agrees');
    expect(correlationVerdict(0.2, { n: 40, interval: { low: -0.1, high: 0.48 } }).verdict).toBe(
      'does not agree',
    );
    expect(correlationVerdict(0.8, { n: 20, interval: { low: 0.55, high: 0.92 } })).toEqual({
      verdict: 'too few to tell',
      because: 'r 0.80 [0.55, 0.92], n 20, one rater, target 0.7',
      needed: 75,
    });
  });

  it('claims nothing from a handful, however perfect', () => {
    expect(correlationVerdict(1, { n: 5 }).verdict).toBe('too few to tell');
    expect(correlationVerdict(1, { n: 20 }).verdict).toBe('agrees');
  });

  it('names the number of ratings at which the interval leaves the target (by hand: 3 + (1.96 / Δz)²)', () => {
    expect(neededRatings(0.8)).toBe(75);
    expect(neededRatings(0.6)).toBe(130);
    expect(neededRatings(-1)).toBe(10);
    expect(neededRatings(0.7)).toBeUndefined();
  });
});

describe('sessionsForPrecision', () => {
  it('is where Fisher’s interval is as narrow as wanted', () => {
    expect([sessionsForPrecision(0.7, 0.1), sessionsForPrecision(0, 0.1)]).toEqual([105, 385]);
    const [wide, narrow] = [fisherZInterval(0.7, 104, 1, 0.95), fisherZInterval(0.7, 105, 1, 0.95)];
    expect((wide?.high ?? 0) - (wide?.low ?? 0)).toBeGreaterThan(0.2);
    expect((narrow?.high ?? 1) - (narrow?.low ?? 0)).toBeLessThanOrEqual(0.2);
    expect(() => sessionsForPrecision(0.7, 0)).toThrow(RangeError);
  });
});

describe('biasOf', () => {
  const rated = (gap: number) => {
    const source = random(3);
    return Array.from({ length: 60 }, (_, i) => {
      const quality = source.bits() / 2 ** 32;
      const taskType = i % 2 === 0 ? ('chat' as const) : ('coding' as const);
      const noise = (source.bits() / 2 ** 32 - 0.5) * 0.2;
      return {
        taskType,
        rating: 1 + 4 * quality,
        q: quality * 0.5 + noise + (taskType === 'chat' ? gap : 0),
      };
    });
  };

  it('finds a type that Q favours, and the one it disfavours', () => {
    const bias = biasOf(rated(0.3), 1);
    expect(bias.map(({ taskType, verdict }) => [taskType, verdict])).toEqual([
      ['coding', 'undervalued'],
      ['chat', 'overvalued'],
    ]);
    expect(bias.every(({ p, interval }) => (p ?? 1) < 0.05 && interval !== undefined)).toBe(true);
  });

  it('finds none where there is none', () => {
    expect(biasOf(rated(0), 1).map((one) => one.verdict)).toEqual(['no bias shown', 'no bias shown']);
  });

  it('says nothing about a single type or a handful of sessions', () => {
    expect(
      biasOf(
        rated(0).filter((one) => one.taskType === 'chat'),
        1,
      ),
    ).toEqual([]);
    const few = [...rated(0).filter((one) => one.taskType === 'chat'), ...rated(0.3).slice(1, 2)];
    expect(biasOf(few, 1).find((one) => one.taskType === 'coding')).toMatchObject({
      n: 1,
      verdict: 'too few to tell',
    });
  });
});
