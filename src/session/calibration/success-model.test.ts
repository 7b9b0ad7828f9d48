import { describe, expect, it } from 'vitest';
import { type KnownCase, SuccessModel, unseenModels } from './success-model.ts';
import { reportSuccess } from './success-report.ts';
import { drawKnown, meanRate, rateOf, type World } from './testing/success-world.ts';

const known = (n: number, successes: number, more: Partial<KnownCase> = {}): KnownCase[] =>
  Array.from({ length: n }, (_, i) => ({ numbers: [0.9], ...more, success: i < successes }));

describe('P(success)', () => {
  it('says nothing below ten known outcomes', () => {
    expect(SuccessModel.fit(known(9, 5))).toBeUndefined();
    expect(reportSuccess(known(9, 5))).toMatchObject({
      n: 9,
      brier: { measured: false },
      reliability: [],
    });
    expect(SuccessModel.fit(known(10, 5))?.chanceOf({ numbers: [0.9] })).toMatchObject({ n: 10, ofTask: 0 });
  });

  it('is held back where little is known, and nears the share where much is', () => {
    const few = SuccessModel.fit(known(10, 10))?.chanceOf({ numbers: [0.9] });
    expect(few?.p).toBeGreaterThan(0.75);
    expect(few?.high).toBeLessThan(1);
    expect(few?.low).toBeLessThan(0.75);
    const many = SuccessModel.fit(known(400, 248))?.chanceOf({ numbers: [0.9] });
    expect(many?.p).toBeCloseTo(0.62, 1);
    expect((many?.high ?? 1) - (many?.low ?? 0)).toBeLessThan(0.12);
  });

  it('falls back from the task to the project, the model and all', () => {
    const model = SuccessModel.fit([
      ...known(40, 36, { model: 'm', project: 'good', task: 'easy' }),
      ...known(40, 8, { model: 'm', project: 'good', task: 'hard' }),
      ...known(40, 6, { model: 'm', project: 'bad', task: 'other' }),
    ]);
    const p = (one: Partial<KnownCase>) =>
      model?.chanceOf({ numbers: [0.9], ...one }) ?? { p: 0, low: 0, high: 1, ofTask: 0 };
    const easy = p({ model: 'm', project: 'good', task: 'easy' });
    expect(easy.p).toBeGreaterThan(0.8);
    expect(easy.ofTask).toBe(40);
    expect(p({ model: 'm', project: 'good', task: 'hard' }).p).toBeLessThan(0.35);
    const [good, bad] = [p({ model: 'm', project: 'good' }), p({ model: 'm', project: 'bad' })];
    expect(good.p).toBeGreaterThan(bad.p);
    // The estimate for an unknown project is less certain.
    const unknown = p({ model: 'm', project: 'new' });
    expect(unknown.high - unknown.low).toBeGreaterThan(good.high - good.low);
  });

  it('rises with Q where Q tells, and not where it does not', () => {
    const cases = [...Array(60).keys()].map((i) => ({ numbers: [i / 60], success: i % 7 < i / 10 }));
    const told = SuccessModel.fit(cases);
    const at = (q: number) => told?.chanceOf({ numbers: [q] }).p ?? 0;
    expect(at(0.9) - at(0.1)).toBeGreaterThan(0.4);
    const none = SuccessModel.fit(cases.map((one, i) => ({ ...one, success: i % 2 === 0 })));
    expect(Math.abs((none?.chanceOf({ numbers: [0.9] }).p ?? 0) - 0.5)).toBeLessThan(0.1);
  });

  it('predicts a known outcome by models that saw nothing of its task', () => {
    const cases = [...Array(30).keys()].flatMap((t) => known(2, t % 2 === 0 ? 2 : 0, { task: `t${t}` }));
    const own = SuccessModel.fit(cases);
    const unseen = unseenModels(cases);
    cases.forEach((one, i) => {
      expect(unseen[i]?.chanceOf(one).ofTask).toBe(0);
      expect(own?.chanceOf(one).ofTask).toBe(2);
    });
    expect(reportSuccess(cases).brier).toMatchObject({ measured: true });
  });

  it('predicts the outcomes of the only task that recurs, too', () => {
    const cases = known(40, 30, { task: 'nightly' });
    expect(unseenModels(cases).every((model) => (model?.chanceOf({ numbers: [0.9] }).p ?? 0) > 0.5)).toBe(
      true,
    );
  });

  it('covers the true rate with its intervals about as often as it says', () => {
    let [covered, of] = [0, 0];
    for (let seed = 1; seed <= 40; seed++) {
      const world: World = { seed, outcomes: 60, tasks: 20, projects: 4, models: 3, spread: 0.7, slope: 0.5 };
      const { cases, truth } = drawKnown(world);
      const model = SuccessModel.fit(cases);
      for (const one of cases.slice(0, 10)) {
        for (const [about, rate] of [
          [one, rateOf(one, truth)],
          [{ ...one, task: undefined }, meanRate(one, truth)],
        ] as const) {
          const { low = 0, high = 0 } = model?.chanceOf(about) ?? {};
          of += 1;
          if (low <= rate && rate <= high) covered += 1;
        }
      }
    }
    expect(covered / of).toBeGreaterThan(0.9);
    expect(covered / of).toBeLessThan(0.995);
  });
});
