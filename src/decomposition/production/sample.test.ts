import { expect, it } from 'vitest';
import { weightedRatio } from '../../stats/weighted-ratio.ts';
import { type Drawable, Sampler } from './sample.ts';

const request = (i: number): Drawable => ({
  id: `r${i}`,
  topic: i % 100 === 0 ? 'rare' : 'common',
  confidence: 0.9,
});
const requests = Array.from({ length: 20_000 }, (_, i) => request(i));

function drawn(seed: number) {
  const sampler = new Sampler({ rate: 0.05, seed });
  return requests.flatMap((one) => {
    const draw = sampler.draw(one);
    return draw === undefined ? [] : [{ ...one, ...draw }];
  });
}

it('draws about as many as it should, and rare kinds more often', () => {
  const all = drawn(1);
  expect(all.length / requests.length).toBeGreaterThan(0.045);
  expect(all.length / requests.length).toBeLessThan(0.056);
  const rare = all.filter(({ topic }) => topic === 'rare');
  // 200 requests of 20,000: ten by chance alone, more than four times as many here.
  expect(rare.length).toBeGreaterThan(40);
  expect(rare.at(-1)).toMatchObject({ stratum: 'rare / high confidence' });
});

it('draws the same with the same seed, and other ones with another', () => {
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(2).map(({ id }) => id)).not.toEqual(drawn(1).map(({ id }) => id));
});

it('draws nothing at a rate of 0 and everything at 1', () => {
  const [none, all] = [new Sampler({ rate: 0, seed: 1 }), new Sampler({ rate: 1, seed: 1 })];
  for (const one of requests.slice(0, 300)) {
    expect(none.draw(one)).toBeUndefined();
    expect(all.draw(one)?.probability).toBe(1);
  }
});

it('weighs out again what was drawn more often: the estimate of the share of a rare kind is right', () => {
  const estimates = Array.from({ length: 20 }, (_, seed) => {
    const items = drawn(seed).map(({ topic, probability }) => ({
      count: topic === 'rare' ? 1 : 0,
      of: 1,
      probability,
    }));
    return weightedRatio(items, 'share')?.value ?? 0;
  });
  const mean = estimates.reduce((sum, one) => sum + one, 0) / estimates.length;
  expect(mean).toBeGreaterThan(0.0092);
  expect(mean).toBeLessThan(0.0108);
});

it('tells a bounded number of kinds apart', () => {
  const sampler = new Sampler({ rate: 1, seed: 1 });
  const strata = new Set(
    Array.from({ length: 2000 }, (_, i) => sampler.draw({ id: `${i}`, topic: `topic ${i}` })?.stratum),
  );
  expect(strata.size).toBe(401);
});
