import { describe, expect, it } from 'vitest';
import { random } from './random.ts';
import { sampleRatioP } from './sample-ratio.ts';

describe('sampleRatioP', () => {
  // scipy 1.17.1: gammaln of the marginal likelihood after each unit, logsumexp over the priors, the highest over time.
  it('has the Bayes factor of scipy', () => {
    expect(sampleRatioP(Array<boolean>(12).fill(true), 0.5)).toBeCloseTo(0.012269637990251216, 13);
    const mostly = [1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1].map((one) => one === 1);
    expect(sampleRatioP(mostly, 0.3)).toBeCloseTo(0.00010262785641798768, 13);
  });

  it('is 1 without units', () => {
    expect(sampleRatioP([], 0.5)).toBe(1);
  });

  it('remembers: arms that fill up evenly later do not undo what was seen', () => {
    const start = Array<boolean>(30).fill(true);
    const later = Array.from({ length: 2000 }, (_, i) => i % 2 === 0);
    expect(sampleRatioP([...start, ...later], 0.5)).toBeLessThanOrEqual(sampleRatioP(start, 0.5));
  });

  it('rarely falls to 5% under the planned ratio, looked at after every unit', () => {
    const source = random(7);
    const alarms = Array.from({ length: 400 }, () =>
      sampleRatioP(
        Array.from({ length: 500 }, () => source.below(10) < 3),
        0.3,
      ),
    ).filter((p) => p <= 0.05);
    expect(alarms.length / 400).toBeLessThanOrEqual(0.05);
  });
});
