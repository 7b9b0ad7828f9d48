import { describe, expect, it } from 'vitest';
import { atOnce } from '../testing/at-once.ts';
import type { RouteCell } from './level.ts';
import type { RouteWishes } from './policy.ts';
import { replayBy, replaySteps } from './replay.ts';
import { judgedWorld } from './testing/judged-world.ts';
import { policyOf } from './testing/policy-of.ts';
import { pastOf, WISHES, WORLD } from './testing/world.ts';

const replay = (cells: readonly RouteCell[], wishes: RouteWishes) =>
  atOnce(replaySteps(cells, policyOf(cells, wishes)));

describe('a replay', () => {
  // Measured over 400 pasts: see bench/route.ts.
  it('covers the truth, which a plain comparison misses', () => {
    const judged = Array.from({ length: 30 }, (_, i) => judgedWorld(WORLD, i + 1));
    expect(judged.filter(({ coversQ }) => coversQ).length).toBeGreaterThanOrEqual(26);
    expect(judged.filter(({ coversCost }) => coversCost).length).toBeGreaterThanOrEqual(26);
    expect(new Set(judged.map(({ verdict }) => verdict))).toEqual(new Set(['saves']));
  });

  it('leaves alone models that nothing compares', () => {
    const apart = pastOf(WORLD, 1).filter(({ model, project }) =>
      project === 'hard' ? model === 'large' : model === 'small',
    );
    const { verdict, leftAlone, sessions, change } = replay(apart, WISHES);
    expect({ verdict, leftAlone, change }).toEqual({
      verdict: 'same',
      leftAlone: sessions,
      change: undefined,
    });
  });

  it('says that a few days are too few', () => {
    expect(replay(pastOf({ ...WORLD, days: 6 }, 1), { ...WISHES, least: 5 }).verdict).toBe(
      'cannot tell: too few days',
    );
  });

  it('takes days on which nothing would have changed for no evidence', () => {
    const few = pastOf({ ...WORLD, days: 6 }, 1);
    const quiet = pastOf(WORLD, 2).map((cell) => ({ ...cell, taskType: 'chat' as const, model: 'small' }));
    const { verdict, days, change } = replay([...few, ...quiet], { ...WISHES, least: 5 });
    expect({ verdict, days, change }).toEqual({
      verdict: 'cannot tell: too few days',
      days: 60,
      change: undefined,
    });
  });

  it('cannot tell where the whole past is enough to learn from, but no part of it', () => {
    const cells = pastOf({ ...WORLD, days: 12 }, 1);
    const { arms = [] } = policyOf(cells, WISHES).types[0] ?? {};
    const [, second = 0] = arms.map(({ n }) => n).sort((a, b) => b - a);
    expect(replay(cells, { ...WISHES, floor: 0, least: second }).verdict).toBe('cannot tell: too uncertain');
  });

  it('leaves alone what the policy has no answer for', () => {
    const { verdict, leftAlone, sessions } = replay(pastOf(WORLD, 1), { ...WISHES, least: 10_000 });
    expect({ verdict, leftAlone }).toEqual({ verdict: 'same', leftAlone: sessions });
  });

  it('says so when a policy would make it worse', () => {
    const cells = pastOf(WORLD, 1);
    const policy = policyOf(
      cells.filter(({ model }) => model !== 'weak'),
      WISHES,
    );
    const onlyWeak = policy.types.map((route) => ({
      ...route,
      arms: route.arms.map((arm) => ({ ...arm, model: 'weak', share: arm.model === 'small' ? 1 : 0 })),
    }));
    // biome-ignore lint/correctness/useYield: it is known at once.
    const known = function* () {
      return { types: onlyWeak };
    };
    expect(atOnce(replayBy(cells, known, 0.05)).verdict).toBe('worse');
  });
});
