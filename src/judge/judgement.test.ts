import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Examined, measureCases } from '../measure/measure.ts';
import { estimate, type Metric, type Zones } from '../measure/metric.ts';
import { meanOverCases } from '../measure/over-cases.ts';
import type { Side } from './compare.ts';
import { judge, type Policy } from './judge.ts';
import { type JudgedRun, judgeAgain, judgementOf } from './judgement.ts';

type Case = { readonly a: number; readonly b: number };

const metric = (name: 'a' | 'b', zones: Zones): Metric<Case> => ({
  id: `x/${name}`,
  title: name.toUpperCase(),
  question: 'How much?',
  formula: 'itself',
  unit: 'ratio',
  range: [0, 1],
  better: name === 'a' ? 'higher' : 'lower',
  zones,
  example: { given: 'a half', cases: [{ a: 0.5, b: 0.5 }], value: 0.5 },
  compute: (cases) => meanOverCases(cases, (one) => estimate(one[name], 1)),
});

const METRICS = [
  metric('a', { fail: 0.4, target: 0.6, excellent: 0.9 }),
  metric('b', { fail: 0.5, target: 0.3, excellent: 0.1 }),
];
const SUBJECT = { instrument: 'x', subject: 'it', runId: 'now', at: '2026-02-02T00:00:00.000Z', scorer: '1' };

function fresh(metrics: readonly Metric<Case>[], cases: readonly Examined<Case>[], policy: Policy) {
  return judge(SUBJECT, metrics, cases, measureCases(metrics, cases), {}, policy);
}

/** As it comes back from a store, which keeps JSON. */
function stored(cases: readonly Examined<Case>[], policy: Policy): JudgedRun {
  const verdict = fresh(METRICS, cases, policy);
  const { suite, perCase } = measureCases(METRICS, cases);
  const run: JudgedRun = {
    ...SUBJECT,
    metrics: suite,
    cases: cases.map((one) => ({
      caseId: one.id,
      metrics: perCase[one.id] ?? {},
      ...('error' in one && { error: one.error }),
    })),
    judgement: judgementOf(verdict, policy),
  };
  return JSON.parse(JSON.stringify(run)) as JudgedRun;
}

const share = fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20);
const value = fc.record({ a: share, b: share });
const cases = fc
  .uniqueArray(fc.tuple(fc.constantFrom('p', 'q', 'r', 's', 't', 'u', 'v'), fc.option(value, { freq: 8 })), {
    selector: ([id]) => id,
    maxLength: 7,
  })
  .map((list) =>
    list.map(
      ([id, evidence]): Examined<Case> =>
        evidence === null ? { id, error: 'not JSON' } : { id, evidence, notes: [] },
    ),
  );
const zones = fc.tuple(share, share, share).map(([fail, target, excellent]) => ({ fail, target, excellent }));
const ids = fc.subarray(['x/a', 'x/b']);
const lines = fc.record({
  gate: fc.record({ gated: ids, warnWhenWorseThan: fc.dictionary(fc.constantFrom('x/a', 'x/b'), share) }),
  compare: fc.record({ blocking: ids, noisePoints: fc.nat({ max: 10 }), blockPoints: fc.nat({ max: 30 }) }),
  approvals: ids.map((list) =>
    list.map((id) => ({ metric: id, reason: 'known', who: 'ada', at: '2026-01-01T00:00:00.000Z' })),
  ),
});
const baseline = fc.option(
  fc.tuple(cases, fc.constantFrom('1', '2')).map(([list, scorer]): Side => {
    const { suite, perCase } = measureCases(METRICS, list);
    return { runId: 'then', at: '2026-01-01T00:00:00.000Z', scorer, metrics: suite, cases: perCase };
  }),
  { nil: undefined },
);
const policyOf = (
  {
    gate,
    compare,
    approvals,
  }: { readonly gate: Policy['gate'] } & Pick<Policy, 'compare'> & {
      readonly approvals: JudgedRun['judgement']['approvals'];
    },
  side: Side | undefined,
  insist: boolean,
): Policy => ({ gate, compare, approve: () => approvals, insist, ...(side && { baseline: side }) });

it('gives the verdict of then, with its reasons and its comparison', () =>
  fc.assert(
    fc.property(cases, lines, baseline, fc.boolean(), (list, then, side, insist) => {
      const policy = policyOf(then, side, insist);
      const { notes: _, cases: judged, ...verdict } = fresh(METRICS, list, policy);
      const again = judgeAgain(stored(list, policy));
      expect(again).toMatchObject(JSON.parse(JSON.stringify(verdict)));
      expect(again.gate).toEqual(verdict.gate);
      expect(again.cases.map(({ id, zone, error }) => ({ id, zone, error }))).toEqual(
        judged.map(({ id, zone, error }) => ({ id, zone, error })),
      );
    }),
    { numRuns: 300 },
  ));

it('gives with other lines what a fresh run would give', () =>
  fc.assert(
    fc.property(
      cases,
      lines,
      lines,
      fc.tuple(zones, zones),
      baseline,
      fc.boolean(),
      (list, then, now, [a, b], side, insist) => {
        const metrics = [metric('a', a), metric('b', b)];
        const run = stored(list, policyOf(then, side, insist));
        const again = judgeAgain(run, { ...now, metrics });
        const expected = fresh(metrics, list, policyOf(now, side, insist));
        expect(again.gate).toEqual(expected.gate);
        expect(again.metrics.map(({ zone }) => zone)).toEqual(expected.metrics.map(({ zone }) => zone));
        expect(again.comparison).toEqual(expected.comparison);
      },
    ),
    { numRuns: 300 },
  ));
