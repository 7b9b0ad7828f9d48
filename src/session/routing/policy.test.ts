import { describe, expect, it } from 'vitest';
import type { RouteCell } from './level.ts';
import { chooseModel, type RouteWishes, USUAL_WISHES, uniformOf } from './policy.ts';
import { policyOf } from './testing/policy-of.ts';
import { pastOf, WISHES, WORLD } from './testing/world.ts';

const past = pastOf(WORLD, 1);
const routed = (cells: readonly RouteCell[], wishes: Partial<RouteWishes> = {}) =>
  policyOf(cells, { ...WISHES, ...wishes }).types[0];
const sharesOf = (route: ReturnType<typeof routed>) =>
  Object.fromEntries(route?.arms.map(({ model, share }) => [model, share]) ?? []);

describe('a policy', () => {
  it('takes the cheapest model that keeps to the quality there is now', () => {
    const route = routed(past);
    expect(route).toMatchObject({ answer: 'route', model: 'small' });
    expect(sharesOf(route).weak).toBeLessThan(0.01);
  });

  it('takes the best model when quality is the aim, although it was given the hard tasks', () => {
    const cells = past.filter(({ model }) => model !== 'weak');
    const plain = (model: string) => {
      const own = cells.filter((cell) => cell.model === model);
      return own.reduce((sum, { q }) => sum + q, 0) / own.reduce((sum, { n }) => sum + n, 0);
    };
    expect(plain('large')).toBeLessThan(plain('small'));
    expect(routed(cells, { aim: 'quality' })).toMatchObject({ answer: 'route', model: 'large' });
  });

  it('keeps to a cap on cost and to a floor on quality', () => {
    expect(routed(past, { aim: 'quality', capUsd: 0.5 })).toMatchObject({ model: 'small' });
    expect(routed(past, { floor: 0.7 })).toMatchObject({ model: 'large' });
    expect(routed(past, { floor: 0.95 })).toMatchObject({ answer: 'none keeps to it' });
  });

  it('says that there is not enough data rather than to guess', () => {
    expect(routed(past, { least: 10_000 })).toMatchObject({ answer: 'not enough data' });
    const one = past.filter(({ model }) => model === 'small');
    expect(routed(one)).toMatchObject({ answer: 'not enough data' });
    expect(policyOf([], WISHES).types).toEqual([]);
  });

  it('does not take many sessions of a few days for as many looks: its intervals hold what they promise', () => {
    let [n, coversQ, coversCost] = [0, 0, 0];
    for (const [seed, days] of Array.from({ length: 60 }, (_, i) => [i + 1, 1 + (i % 6)] as const)) {
      const one = { project: 'one', ease: 0, size: 1, shares: [0.5, 0.5, 0] };
      const route = routed(pastOf({ ...WORLD, days, sessionsADay: 60, projects: [one] }, seed));
      for (const { model, qInterval, costInterval } of route?.arms ?? []) {
        const truth = WORLD.models.find((known) => known.model === model);
        const holds = ({ low, high }: { low: number; high: number }, value = 0) =>
          low <= value && value <= high;
        n += 1;
        coversQ += Number(holds(qInterval, truth?.q));
        coversCost += Number(holds(costInterval, truth?.costUsd));
      }
    }
    expect(n).toBe(120);
    expect(coversQ).toBeGreaterThanOrEqual(108);
    expect(coversCost).toBeGreaterThanOrEqual(108);
  });

  it('goes on trying a model that might be better', () => {
    const few = pastOf({ ...WORLD, days: 4 }, 2);
    const shares = Object.values(sharesOf(routed(few, { aim: 'quality', least: 5 })));
    expect(Math.max(...shares)).toBeLessThan(1);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  it('gives a model of which little is known its share of trials, and no more', () => {
    const rare = { ...(past[0] as RouteCell), model: 'new', n: 2, q: 1.4, qSquares: 0.98, costUsd: 0.1 };
    expect(sharesOf(routed([...past, rare]))).toMatchObject({ new: 0 });
    const shares = sharesOf(routed([...past, rare], { explore: 0.1 }));
    expect(shares.new).toBeCloseTo(0.1, 9);
    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  it('never recommends a model over one that no project compares it with', () => {
    const apart = past.filter(({ model, project }) =>
      project === 'hard' ? model === 'large' : model === 'small',
    );
    expect(routed(apart)).toMatchObject({ answer: 'never compared' });
    expect(sharesOf(routed(apart))).toEqual({ small: 0, large: 0 });
    // A chain compares: hard has large and weak, easy has weak and small.
    const chain = past.filter(({ model, project }) =>
      project === 'hard' ? model !== 'small' : model !== 'large',
    );
    expect(routed(chain)?.arms.map(({ isApart }) => isApart)).toEqual([false, false, false]);
  });

  it('takes a model with as good a Q for worse where more of its sessions fail', () => {
    const models = [
      { model: 'small', q: 0.85, costUsd: 0.2, failing: 0.48 },
      { model: 'large', q: 0.86, costUsd: 1, failing: 0.19 },
    ];
    const projects = [{ project: 'one', ease: 0, size: 1, shares: [0.5, 0.5] }];
    const failing = policyOf(pastOf({ ...WORLD, models, projects }, 3), USUAL_WISHES).types[0];
    expect(failing).toMatchObject({ answer: 'route', model: 'large' });
    const odds = failing?.arms.find(({ model }) => model === 'small')?.odds;
    expect(odds?.reachesFloor).toBeLessThan(0.05);
    const alike = models.map((one) => ({ ...one, failing: 0.19 }));
    const equal = policyOf(pastOf({ ...WORLD, models: alike, projects }, 3), {
      ...USUAL_WISHES,
      margin: 0.1,
    });
    expect(equal.types[0]).toMatchObject({ answer: 'route', model: 'small' });
  });

  it('has a name that the past and the wishes decide', () => {
    expect(policyOf(past, WISHES).name).toBe(policyOf(past, WISHES).name);
    expect(policyOf(past, { ...WISHES, margin: 0.2 }).name).not.toBe(policyOf(past, WISHES).name);
  });
});

describe('a choice', () => {
  const policy = policyOf(pastOf({ ...WORLD, days: 4 }, 2), { ...WISHES, least: 5, aim: 'quality' });
  const [route] = policy.types;

  it('is the same for the same task, and comes by the shares over many', () => {
    const chosen = Array.from({ length: 4000 }, (_, i) => chooseModel(route, uniformOf(policy, `task ${i}`)));
    expect(chooseModel(route, uniformOf(policy, 'task 1'))).toEqual(chosen[1]);
    for (const { model, share } of route?.arms ?? []) {
      const own = chosen.filter((one) => one.answer === 'route' && one.model === model);
      expect(Math.abs(own.length / chosen.length - share)).toBeLessThan(0.04);
      for (const one of own) expect(one).toMatchObject({ probability: share });
    }
  });

  it('is none for kinds of work that nothing is known of', () => {
    expect(chooseModel(undefined, 0.5)).toEqual({ answer: 'not enough data' });
  });
});
