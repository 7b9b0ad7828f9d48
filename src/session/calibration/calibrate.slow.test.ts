import { describe, expect, it } from 'vitest';
import { random } from '../../stats/random.ts';
import { factsWith, runWith } from '../example-session.ts';
import { scoreSession } from '../score-session.ts';
import { DOCUMENTED_PROFILES } from '../weights.ts';
import { calibrate } from './calibrate.ts';
import type { LabelledSession } from './dataset.ts';
import { LEAST_WEIGHT } from './fit-weights.ts';
import { foldsOf, groupsOf } from './folds.ts';

/** Sessions whose label depends on the tools alone (`tools`), or on nothing (`noise`); half of Q's parts are noise. */
function labelled(
  n: number,
  sources: number,
  truth: 'tools' | 'noise',
  kind: 'outcomes' | 'ratings',
  taskType = 'chat',
): LabelledSession[] {
  const source = random(n + sources);
  const share = () => source.bits() / 2 ** 32;
  return Array.from({ length: n }, (_, i) => {
    const failed = source.below(10);
    const quality = truth === 'tools' ? 1 - failed / 10 : 0.5;
    const run = runWith({
      turns: 1 + source.below(10),
      corrections: source.below(3),
      tools: { calls: 10, succeeded: 10 - failed, failed, firstAttemptSuccesses: 10 - failed },
    });
    const label =
      kind === 'outcomes' ? Number(share() < quality) : Math.min(1, quality * 0.7 + share() * 0.3);
    return {
      facts: factsWith([run], { sessionId: `${taskType}-${i}`, declaredTaskType: taskType }),
      label,
      source: `source ${i % sources}`,
    };
  });
}

describe('calibrate', () => {
  it.each(['outcomes', 'ratings'] as const)('gains out of fold where %s depend on one category', (kind) => {
    const found = calibrate(labelled(300, 5, 'tools', kind), { kind, name: 'mine' });
    expect(found.method).toBe('leave one source out');
    expect(found.folds).toHaveLength(5);
    expect(found.verdict).toMatchObject({ verdict: 'gained', gained: true });
    expect(found.verdict.because).toMatch(
      /^gained \+0\.\d+ (AUC|r) out of fold \[\+0\.\d+, \+0\.\d+\], better in \d of 5/,
    );
    expect(found.weights.profiles.chat.execution).toBeGreaterThan(0.4);
    const [all] = found.outOfFold.figures;
    expect(
      all?.calibrated.measured && all.documented.measured && all.calibrated.value > all.documented.value,
    ).toBe(true);
  });

  it.each(['outcomes', 'ratings'] as const)('keeps the documented weights where %s are noise', (kind) => {
    const found = calibrate(labelled(200, 4, 'noise', kind), { kind, name: 'mine' });
    expect(found.verdict).toMatchObject({ verdict: 'no gain', gained: false });
    expect(found.verdict.because).toContain('keep the documented weights');
  });

  it('gives weights that are never negative and sum to 1', () => {
    const found = calibrate(labelled(150, 3, 'tools', 'outcomes'), {
      kind: 'outcomes',
      name: 'mine',
      signals: true,
      shrinkage: 0.01,
    });
    for (const profile of Object.values(found.weights.profiles)) {
      const values = Object.values(profile);
      expect(Math.min(...values)).toBeGreaterThanOrEqual(LEAST_WEIGHT);
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
    }
    expect(found.weights.signals?.['tool-success-rate']).toBeGreaterThan(0.2);
    // Never measured here, so the data say nothing about them.
    expect(found.weights.signals).not.toHaveProperty('token-efficiency');
    expect(found.weights.signals).not.toHaveProperty('downstream-acceptance');
  });

  it('leaves task types with fewer than twenty labelled sessions as documented', () => {
    const few = labelled(19, 1, 'tools', 'outcomes', 'coding');
    const found = calibrate([...labelled(200, 4, 'tools', 'outcomes'), ...few], {
      kind: 'outcomes',
      name: 'mine',
    });
    expect(found.types.filter((one) => one.n > 0)).toEqual([
      { taskType: 'coding', n: 19, fitted: false },
      { taskType: 'chat', n: 200, fitted: true },
    ]);
    expect(found.weights.profiles.coding).toEqual(DOCUMENTED_PROFILES.coding);
    expect(found.weights.profiles.chat).not.toEqual(DOCUMENTED_PROFILES.chat);
  });

  it('says that there are too few when no type has enough, and changes nothing', () => {
    const found = calibrate(labelled(15, 1, 'tools', 'outcomes'), { kind: 'outcomes', name: 'mine' });
    expect(found.verdict.verdict).toBe('too few to tell');
    expect(found.verdict.because).toContain('no task type has 20 labelled sessions (the most is 15)');
    expect(found.weights.profiles).toEqual(DOCUMENTED_PROFILES);
  });

  it('survives no sessions at all and labels that do not vary', () => {
    expect(calibrate([], { kind: 'ratings', name: 'none' }).verdict.verdict).toBe('too few to tell');
    const same = labelled(60, 3, 'tools', 'outcomes').map((one) => ({ ...one, label: 1 }));
    const found = calibrate(same, { kind: 'outcomes', name: 'same' });
    expect(found.verdict).toMatchObject({ verdict: 'too few to tell', gained: false });
    expect(found.weights.profiles).toEqual(DOCUMENTED_PROFILES);
  });

  it('is the same for the same sessions in any order', () => {
    const data = labelled(120, 3, 'tools', 'outcomes');
    const options = { kind: 'outcomes', name: 'mine' } as const;
    expect(calibrate(data.toReversed(), options)).toEqual(calibrate(data, options));
  });

  it('scores held-out sessions with weights fitted without them: forced to the documented ones nothing differs', () => {
    const found = calibrate(labelled(100, 4, 'tools', 'outcomes'), {
      kind: 'outcomes',
      name: 'mine',
      shrinkage: Infinity,
    });
    for (const { documented, calibrated } of found.outOfFold.figures) expect(calibrated).toEqual(documented);
    expect(found.outOfFold.gain).toEqual({ value: 0, interval: { low: 0, high: 0 } });
    expect(found.verdict.gained).toBe(false);
  });

  it('never lets the joined outcomes into the score, even when the options carry them', () => {
    const data = labelled(60, 3, 'noise', 'outcomes');
    const outcomes = new Map(data.map((one) => [one.facts.sessionId, one.label]));
    const leaking = { kind: 'outcomes', name: 'mine', outcomes } as const;
    expect(calibrate(data, leaking)).toEqual(calibrate(data, { kind: 'outcomes', name: 'mine' }));
  });

  it('names weights that the scorer takes and scores as promised', () => {
    const data = labelled(200, 4, 'tools', 'outcomes');
    const { weights } = calibrate(data, { kind: 'outcomes', name: 'mine' });
    const facts = data[0]?.facts ?? factsWith([]);
    expect(scoreSession(facts, { weights }).weights).toBe('mine');
    expect(scoreSession(facts, { weights }).q).not.toBe(scoreSession(facts).q);
  });
});

describe('foldsOf', () => {
  const sources = (counts: readonly number[]) =>
    counts.flatMap((n, i) => Array.from({ length: n }, () => `s${i}`));

  it('leaves one source out with three of some size, and covers every session once', () => {
    const { method, folds } = foldsOf(sources([10, 12, 30]), 20, 10, 1);
    expect(method).toBe('leave one source out');
    expect(folds.map((fold) => [fold.name, fold.heldOut.length])).toEqual([
      ['s0', 10],
      ['s1', 12],
      ['s2', 30],
    ]);
    expect(folds.flatMap((fold) => fold.heldOut).sort((a, b) => a - b)).toEqual([...Array(52).keys()]);
  });

  it('holds several out at a time when there are many, never a part of one', () => {
    const given = sources(Array.from({ length: 30 }, () => 10));
    const { method, folds } = foldsOf(given, 5, 10, 1);
    expect([method, folds.length]).toEqual(['leave some sources out', 5]);
    for (const { heldOut } of folds) {
      const names = new Set(heldOut.map((place) => given[place]));
      expect(heldOut).toHaveLength(names.size * 10);
    }
  });

  it('falls back to a seeded k-fold with fewer', () => {
    const { method, folds } = foldsOf(sources([50, 9, 9]), 20, 5, 1);
    expect([method, folds.length]).toEqual(['k-fold', 5]);
    expect(foldsOf(sources([50, 9, 9]), 20, 5, 1).folds).toEqual(folds);
    expect(new Set(folds.flatMap((fold) => fold.heldOut)).size).toBe(68);
  });

  it('takes small sources together when sessions are compared within theirs', () => {
    expect(new Set(groupsOf(sources([10, 3, 2])))).toEqual(new Set(['s0', 'other sources']));
  });
});
