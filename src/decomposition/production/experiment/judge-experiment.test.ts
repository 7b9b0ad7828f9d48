import { describe, expect, it } from 'vitest';
import { random } from '../../../stats/random.ts';
import { type AbArm, armOf } from './assign.ts';
import { type Exposure, judgeExperiment, type Outcome } from './judge-experiment.ts';
import { type AbPlan, PLAN_DEFAULTS } from './plan.ts';

const PLAN: AbPlan = { ...PLAN_DEFAULTS, id: 'one', control: 'a-v1.0', candidate: 'a-v1.1' };

type World = {
  readonly keys: number;
  readonly acceptable: Readonly<Record<AbArm, number>>;
  readonly latencyMs?: Readonly<Record<AbArm, number>>;
  readonly costUsd?: Readonly<Record<AbArm, number>>;
  readonly errors?: Readonly<Record<AbArm, number>>;
  /** Of the candidate's, those whose outcome is never known. */
  readonly lost?: number;
};

const EVEN = { control: 0.8, candidate: 0.8 };

function simulate(seed: number, world: World): { exposures: Exposure[]; outcomes: Outcome[] } {
  const source = random(seed);
  const chance = (share: number) => source.below(100_000) < 100_000 * share;
  const around = (mean: number) => mean * (0.5 + source.below(1000) / 1000);
  const exposures = Array.from({ length: world.keys }, (_, i): Exposure => {
    const keyHash = `key-${i}`;
    const arm = armOf(PLAN, keyHash);
    return {
      id: `request-${i}`,
      at: new Date(Date.UTC(2026, 0, 1) + 1000 * i).toISOString(),
      status: chance(world.errors?.[arm] ?? 0.002) ? 'error' : 'ok',
      latencyMs: around(world.latencyMs?.[arm] ?? 1500),
      costUsd: around(world.costUsd?.[arm] ?? 0.02),
      experiment: { arm, keyHash },
    };
  });
  const outcomes = exposures.flatMap(({ at, experiment: { keyHash } }): Outcome[] => {
    const arm = armOf(PLAN, keyHash);
    if (arm === 'candidate' && chance(world.lost ?? 0)) return [];
    return [{ at, keyHash, value: chance(world.acceptable[arm]) ? 1 : 0 }];
  });
  return { exposures, outcomes };
}

function judge(seed: number, world: World, plan = PLAN) {
  const { exposures, outcomes } = simulate(seed, world);
  return judgeExperiment(plan, exposures, outcomes);
}

describe('judgeExperiment', () => {
  it('says that the candidate is better, and worse', () => {
    expect(judge(1, { keys: 3000, acceptable: { control: 0.75, candidate: 0.87 } })).toMatchObject({
      verdict: 'candidate better',
      over: true,
      distrust: [],
    });
    expect(judge(2, { keys: 3000, acceptable: { control: 0.87, candidate: 0.75 } }).verdict).toBe(
      'candidate worse',
    );
  });

  it('says that it is too early, and about how many keys it may take', () => {
    const early = judge(3, { keys: 200, acceptable: EVEN });
    expect(early).toMatchObject({ verdict: 'too early to tell', over: false });
    expect(early.mayNeed).toBeGreaterThan(200);
    expect(judgeExperiment(PLAN, [], [])).toMatchObject({ verdict: 'too early to tell', keys: [0, 0] });
  });

  it('ends where every difference that matters is excluded', () => {
    const plan = { ...PLAN, smallestEffect: 0.1 };
    expect(judge(4, { keys: 4000, acceptable: EVEN }, plan).verdict).toBe('no difference that matters');
  });

  it.each([
    ['latencyMs', { latencyMs: { control: 1500, candidate: 4000 } }],
    ['costUsd', { costUsd: { control: 0.02, candidate: 0.06 } }],
    ['errors', { errors: { control: 0.002, candidate: 0.08 } }],
  ] as const)('stops at a guard rail, however good the candidate is: %s', (guard, world) => {
    const better = { control: 0.7, candidate: 0.9 };
    const { verdict, guards } = judge(5, { keys: 2000, acceptable: better, ...world });
    expect(verdict).toBe('guard rail crossed');
    expect(guards.filter(({ crossed }) => crossed).map((one) => one.guard)).toEqual([guard]);
  });

  it('lets a candidate be a little slower than the margin allows to be noticed', () => {
    const world = { keys: 2000, acceptable: EVEN, latencyMs: { control: 1500, candidate: 1700 } };
    expect(judge(6, world).guards.some(({ crossed }) => crossed)).toBe(false);
  });

  it('believes nothing where an arm loses its requests', () => {
    const { exposures, outcomes } = simulate(7, { keys: 2000, acceptable: { control: 0.5, candidate: 0.9 } });
    const kept = exposures.filter(({ experiment: { arm } }, i) => arm === 'control' || i % 3 > 0);
    const { verdict, distrust } = judgeExperiment(PLAN, kept, outcomes);
    expect(verdict).toBe('not to be trusted');
    expect(distrust.map(({ kind }) => kind)).toEqual(['sample ratio']);
  });

  it('believes nothing where one arm is rated more often than the other', () => {
    const { verdict, distrust } = judge(8, { keys: 2000, acceptable: EVEN, lost: 0.4 });
    expect(verdict).toBe('not to be trusted');
    expect(distrust.map(({ kind }) => kind)).toEqual(['outcome ratio']);
  });

  it('believes nothing where requests got the prompt of the other arm', () => {
    const { exposures, outcomes } = simulate(9, { keys: 1000, acceptable: EVEN });
    const crossed = exposures.map((one, i) =>
      i % 20 === 0
        ? {
            ...one,
            experiment: {
              ...one.experiment,
              arm: one.experiment.arm === 'control' ? 'candidate' : 'control',
            },
          }
        : one,
    );
    expect(judgeExperiment(PLAN, crossed, outcomes).distrust).toEqual([
      { kind: 'misassigned', count: 50, of: 1000 },
    ]);
  });

  it('counts a key once, with the first that became known of it', () => {
    const { exposures, outcomes } = simulate(10, { keys: 100, acceptable: EVEN });
    const again = exposures.map((one) => ({ ...one, id: `${one.id}-again`, latencyMs: 9000 }));
    const changed = outcomes.map((one) => ({ ...one, value: 1 - one.value }));
    const once = judgeExperiment(PLAN, exposures, outcomes);
    const twice = judgeExperiment(PLAN, [...exposures, ...again], [...outcomes, ...changed]);
    expect(twice).toEqual({ ...once, exposures: 200 });
  });
});
