import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Measurement } from '../../measure/metric.ts';
import { frontiersOf } from '../../session/pricing/frontier.ts';
import { roiBy } from '../../session/pricing/roi.ts';
import { TASK_TYPES, type TaskType } from '../../session/profiles/task-type.ts';
import { groupKeyOf, groupSessions, type SessionGroup } from '../../session/session-groups.ts';
import { summarise } from '../../session/summary.ts';
import { studentTInterval } from '../../stats/intervals.ts';
import { openStore } from '../../store/open.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import type { SessionSummary, Store } from '../../store/store.ts';
import { session } from '../../store/testing/records.ts';
import { scoredWith } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { testPorts } from '../testing/test-ports.ts';
import { digestSessions } from './digest-sessions.ts';
import { listedRow, listSessions } from './list-sessions.ts';
import { findFrontier, measureRoi, roiFromSums } from './measure-roi.ts';
import { listAttention } from './needs-attention.ts';
import { SelectedSessions } from './selected-sessions.ts';
import { summaryOfSums } from './survey-sessions.ts';

let store: Store;
let ports: Ports;
beforeEach(async () => {
  store = await openStore(':memory:');
  ports = testPorts(() => store);
});
afterEach(() => store.close());

// Thousandths and cents, so that rounding in sums causes no difference.
const share = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const scored = fc
  .record({
    taskType: fc.constantFrom<TaskType[]>('coding', 'chat'),
    model: maybe(fc.constantFrom('big', 'small')),
    agent: maybe(fc.constantFrom('a', 'b')),
    source: fc.constantFrom('x', 'y'),
    startedAt: maybe(fc.constantFrom('2026-01-31T12:00:00.000Z', '2026-02-02T01:15:00.000Z')),
    q: maybe(share),
    coverage: share,
    completion: maybe(share),
    execution: maybe(share),
    efficiency: maybe(share),
    outcome: maybe(share),
    costUsd: maybe(fc.integer({ min: 0, max: 5000 }).map((n) => n / 100)),
    costAtLeast: maybe(fc.constant(1)),
  })
  // An unknown cost has no lower bound.
  .map((one) => (one.costUsd === undefined ? { ...one, costAtLeast: undefined } : one));

type Part = { readonly [Name in keyof SessionRow]?: SessionRow[Name] | undefined };

function rowsOf(parts: readonly Part[]): SessionRow[] {
  return parts.map((part, i) => {
    const known = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
    return session(`s${i}`, '1', { ...scoredWith({}), facts: {}, ...tierOf(part.q), ...known });
  });
}

function tierOf(q: number | undefined): Partial<SessionRow> {
  return q === undefined
    ? {}
    : {
        tier: q >= 0.75 ? 'good' : q >= 0.4 ? 'acceptable' : 'failed',
        verified: q >= 0.9 ? 'yes' : q >= 0.3 ? 'no' : 'failed',
      };
}

async function openOver(parts: readonly Part[]): Promise<SelectedSessions> {
  await store.prune('sessions', '2100-01-01');
  await store.appendSessions(rowsOf(parts));
  return new SelectedSessions(store, {});
}

/** The precision of sums: Q to the billionth, dollars to the millionth. */
const near = (value: number | undefined) => (value === undefined ? undefined : expect.closeTo(value, 5));

function expectMeasured(measured: Measurement, exact: Measurement, values: readonly number[]): void {
  const { low: _, high: __, ...rest } = exact as Measurement & { low?: number; high?: number };
  expect(measured).toMatchObject(exact.measured ? { ...rest, value: near(exact.value) } : exact);
  const interval = values.length < 5 ? undefined : studentTInterval(values);
  if (!measured.measured || interval === undefined) return;
  expect(measured.low).toBeCloseTo(Math.max(0, interval.low), 3);
  expect(measured.high).toBeCloseTo(Math.min(1, interval.high), 3);
}

describe('answers from the sums of a store', () => {
  it('summarise sessions as reading each of them would', () =>
    fc.assert(
      fc.asyncProperty(fc.array(scored, { maxLength: 40 }), async (parts) => {
        const stored = await openOver(parts);
        const each = (await stored.each()) ?? [];
        const [sums, exact] = [summaryOfSums(await stored.total()), summarise(each)];
        expect(sums.n).toBe(exact.n);
        expect(sums.q).toEqual(
          exact.q && {
            topShare: near(exact.q.topShare),
            verifiedShare: near(exact.q.verifiedShare),
            verificationFailedShare: near(exact.q.verificationFailedShare),
            median: expect.closeTo(exact.q.median, 2),
            goodShare: near(exact.q.goodShare),
            poorShare: near(exact.q.poorShare),
            histogram: expect.anything(),
          },
        );
        expect(Math.abs((sums.q?.median ?? 0) - (exact.q?.median ?? 0))).toBeLessThan(0.0025 + 1e-6);
        const { median = 0 } = exact.coverage ?? {};
        expect(Math.abs((sums.coverage?.median ?? 0) - median)).toBeLessThan(0.01 + 1e-6);
        expect(sums.coverage?.withoutOutcome).toEqual(near(exact.coverage?.withoutOutcome));
        expect(sums.coverage?.lowShare).toEqual(near(exact.coverage?.lowShare));
        expect(sums.cost?.isLowerBound).toBe(exact.cost?.isLowerBound);
        expect(sums.cost?.unknown).toBe(exact.cost?.unknown);
        expect(sums.cost?.totalUsd).toEqual(exact.cost && expect.closeTo(exact.cost.totalUsd, 3));
        for (const [i, { metric, measurement }] of sums.metrics.entries()) {
          const one = exact.metrics[i];
          const values = each.flatMap((session) => {
            const own = metric.compute([session]);
            return own.measured ? [own.value] : [];
          });
          if (one === undefined) throw new Error('a metric is missing');
          expectMeasured(measurement, one.measurement, values);
        }
      }),
      { numRuns: 30 },
    ));

  it.each<[SessionGroup, string?]>([
    ['model'],
    ['agent'],
    ['task-type'],
    ['day'],
    ['day', 'America/New_York'],
    ['week', 'Pacific/Auckland'],
    ['month', 'Europe/Berlin'],
  ])('give the return by %s %s', (by, zone) =>
    fc.assert(
      fc.asyncProperty(fc.array(scored, { maxLength: 40 }), async (parts) => {
        const stored = await openOver(parts);
        const each = (await stored.each()) ?? [];
        const rows = (await roiFromSums(stored, by, zone)).groups;
        const expected = types(each).flatMap((taskType) => {
          const own = each.filter((session) => session.taskType === taskType);
          return roiBy(own, groupKeyOf(by, zone)).map((row) =>
            by === 'task-type' ? row : { ...row, taskType },
          );
        });
        expect(rows.toSorted(byName).map(figuresOf)).toEqual(expected.toSorted(byName).map(nearFigures));
      }),
      { numRuns: 30 },
    ),
  );
});

function types(each: readonly SessionSummary[]): TaskType[] {
  return TASK_TYPES.filter((type) => each.some(({ taskType }) => taskType === type));
}

type Row = ReturnType<typeof roiBy>[number] & { readonly taskType?: TaskType };

function byName(a: Row, b: Row): number {
  return `${a.taskType} ${a.key}` < `${b.taskType} ${b.key}` ? -1 : 1;
}

function figuresOf(row: Row) {
  const { taskType, key, n, meanQ, priced, meanCostUsd, totalCostUsd, roi, costIsLowerBound } = row;
  return { costIsLowerBound, taskType, key, n, meanQ, priced, meanCostUsd, totalCostUsd, roi };
}

function nearFigures(row: Row) {
  const { meanQ, meanCostUsd, totalCostUsd, roi } = row;
  return {
    ...figuresOf(row),
    meanQ: near(meanQ),
    meanCostUsd: near(meanCostUsd),
    totalCostUsd: near(totalCostUsd),
    roi: roi.measured ? { ...roi, value: expect.closeTo(roi.value, 4) } : roi,
  };
}

describe('answers about more sessions than are read one by one', () => {
  const MANY = 5400;
  const noise = (i: number, salt: number) =>
    ((Math.imul(i + 1, 2654435761 + salt * 40503) >>> 8) % 9973) / 9973;

  beforeEach(async () => {
    const parts = Array.from({ length: MANY }, (_, i) => ({
      taskType: 'coding' as const,
      model: i % 3 === 0 ? 'big' : 'small',
      q: (i % 3 === 0 ? 0.4 : 0.2) + 0.6 * noise(i, 1),
      costUsd: (i % 3 === 0 ? 2 : 1) * (0.5 + noise(i, 2)),
      coverage: noise(i, 3),
      startedAt: new Date(Date.UTC(2026, 0, 1) + i * 600_000).toISOString(),
    }));
    await store.appendSessions(rowsOf(parts));
  });

  const each = () => store.listSessions();

  it('are those of the rows, with the same verdicts', async () => {
    const sessions = await each();
    const { groups } = await measureRoi({ from: 'store', by: 'model' }, ports);
    const rows = roiBy(sessions, groupKeyOf('model')).map((row) => ({
      ...row,
      taskType: 'coding' as const,
    }));
    expect(groups.map(figuresOf)).toEqual(rows.map(nearFigures));
    const { frontiers } = await findFrontier({ from: 'store', by: 'model' }, ports);
    const exact = frontiersOf(sessions, groupKeyOf('model'));
    expect(frontiers.map(({ points }) => points.map(({ key, place }) => [key, place]))).toEqual(
      exact.map(({ points }) => points.map(({ key, place }) => [key, place])),
    );
    const [worth, exactWorth] = [frontiers[0]?.comparisons[0]?.worth, exact[0]?.comparisons[0]?.worth];
    expect(worth).toMatchObject({
      verdict: exactWorth?.verdict,
      because: exactWorth?.because,
      n: exactWorth?.n,
    });
    expect(worth?.margin?.interval?.low).toBeCloseTo(exactWorth?.margin?.interval?.low ?? 0, 5);
  });

  it('name the seven that need attention most and count the others', async () => {
    const sessions = await each();
    const needing = sessions
      .filter(({ attention = 0 }) => attention > 0)
      .toSorted((a, b) => (b.attention ?? 0) - (a.attention ?? 0) || (b.costUsd ?? 0) - (a.costUsd ?? 0));
    const found = await listAttention({ from: 'store' }, ports);
    const rankOf = new Map(needing.map(({ sessionKey, attention }) => [sessionKey, attention]));
    expect(found.listed.map(({ sessionKey, costUsd }) => [rankOf.get(sessionKey), costUsd])).toEqual(
      needing.slice(0, 7).map(({ attention, costUsd }) => [attention, costUsd]),
    );
    expect(found).toMatchObject({ inAll: needing.length, sessions: MANY });
    const until = Date.UTC(2026, 0, 20);
    const day = await digestSessions({ from: 'store', days: 1, until }, ports);
    const inDay = sessions.filter(
      ({ startedAt = '' }) => Date.parse(startedAt) >= until - 86_400_000 && Date.parse(startedAt) <= until,
    );
    expect(day.current).toEqual(summarise(inDay));
    expect(day.attention.inAll).toBe(inDay.filter(({ attention = 0 }) => attention > 0).length);
  });

  it.each(['model', 'agent', 'task-type', 'project', 'day', 'week', 'month'] as const)(
    'say what sessions come to by %s',
    async (by) => {
      const { groups, total } = await listSessions({ from: 'store', sort: 'date', by, limit: 0 }, ports);
      const rows = (await store.listSessions()).map((row) => listedRow(row));
      const exact = groupSessions(rows, by, () => []);
      expect(groups.map(({ key, models, sessions, turns }) => [key, models, sessions, turns])).toEqual(
        exact.map(({ key, models, sessions, turns }) => [key, models, sessions, turns]),
      );
      expect(groups.map(({ costUsd }) => costUsd)).toEqual(
        // Each session to a millionth of a dollar.
        exact.map(({ costUsd = 0 }) => expect.closeTo(costUsd, 2)),
      );
      expect(total.sessions).toBe(MANY);
    },
  );

  it('list those with the most turns', async () => {
    await store.appendSessions(
      rowsOf([1, 2, 3].map(() => ({}))).map((row, i) => ({ ...row, revision: '2', turns: 1000 + i })),
    );
    const { listed, total } = await listSessions({ from: 'store', sort: 'turns', limit: 2 }, ports);
    expect(listed.map(({ turns }) => turns)).toEqual([1002, 1001]);
    expect(total.sessions).toBe(MANY);
  });
});
