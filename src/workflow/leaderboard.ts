/** Ranks workflows over all their tasks: one row each, and which pairs differ significantly. */
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { bootstrap } from '../stats/bootstrap.ts';
import { holm } from '../stats/holm.ts';
import { random } from '../stats/random.ts';
import { countsOf } from './counts.ts';
import { detectedErrors } from './detected-errors.ts';
import type { RunEvidence } from './evidence.ts';
import type { Reading } from './ingest/mapping.ts';
import type { Tally } from './review.ts';

/** The results of a workflow per task. */
export type Entrant = { readonly workflow: string; readonly tasks: ReadonlyMap<string, TaskCell> };

export type Leaderboard = ReturnType<typeof rank>;
export type LeaderboardRow = Leaderboard['rows'][number];

export type RankedWorkflows = Reading & {
  readonly name: string;
  readonly leaderboard: Leaderboard;
  /** True if only counts were imported, without single findings. */
  readonly counted: boolean;
};

export const ALPHA = 0.05;

export function rank(entrants: readonly Entrant[]) {
  const tasks = [...new Set(entrants.flatMap((one) => [...one.tasks.keys()]))].sort();
  const pairs = pairsOf(entrants);
  const rows = entrants
    .map((one) => rowOf(one, pairs))
    .map((row, _, all) => ({ ...row, onFrontier: isOnFrontier(row, all) }))
    .toSorted((a, b) => rankOf(b.f1) - rankOf(a.f1) || a.workflow.localeCompare(b.workflow, 'en'));
  return {
    tasks,
    /** Best first. */
    rows,
    pairs,
    /** Workflows that were not run on every task, and how many tasks they lack. */
    incomplete: entrants.flatMap(({ workflow, tasks: own }) =>
      own.size < tasks.length ? [{ workflow, missing: tasks.length - own.size }] : [],
    ),
  };
}

type Costed = Pick<ReturnType<typeof rowOf>, 'dr' | 'costPerRound'>;

/** No other workflow finds at least as much for less, or more at the same cost. */
function isOnFrontier({ dr, costPerRound }: Costed, all: readonly Costed[]): boolean | undefined {
  if (!dr.measured || costPerRound === undefined) return undefined;
  return !all.some(
    (other) =>
      other.dr.measured &&
      other.costPerRound !== undefined &&
      other.dr.value >= dr.value &&
      other.costPerRound <= costPerRound &&
      (other.dr.value > dr.value || other.costPerRound < costPerRound),
  );
}

function rankOf(measurement: Measurement): number {
  return measurement.measured ? measurement.value : -1;
}

function rowOf({ workflow, tasks }: Entrant, pairs: ReturnType<typeof pairsOf>) {
  // Sorted by task, because the interval must not depend on the order of files.
  const cells = [...tasks].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell);
  const significant = pairs.filter((pair) => pair.holm < ALPHA);
  const { reported, unjudged } = sumOf(cells);
  return {
    workflow,
    tasks: cells.length,
    runs: cells.reduce((sum, { runs }) => sum + runs, 0),
    dr: overTasks(cells, drOf, 'the ground truth expects no errors'),
    precision: overTasks(cells, precisionOf, 'there are no findings'),
    f1: overTasks(cells, f1Of, 'the ground truth expects no errors'),
    costPerError: perError(cells, 'costUsd', 'not every run has a cost'),
    timePerError: perError(cells, 'durationMs', 'not every run has a duration'),
    /** Cost of one run on every task. */
    costPerRound: sumIfAll(cells.map(({ costUsd }) => costUsd)),
    // As a share of the findings that precision counts.
    unjudged: reported === 0 ? 0 : unjudged / reported,
    betterThan: significant.filter(({ better }) => better === workflow).length,
    worseThan: significant.filter(({ worse }) => worse === workflow).length,
  };
}

/** Total cost of all tasks per error found. */
function perError(cells: readonly TaskCell[], key: 'costUsd' | 'durationMs', missing: string): Measurement {
  const spent = sumIfAll(cells.map((cell) => cell[key]));
  const { found } = sumOf(cells);
  if (spent === undefined) return unmeasured(missing);
  return found === 0 ? unmeasured('it found no known error') : estimate(spent / found, cells.length);
}

function sumIfAll(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );
}

/** Pooled over tasks. The interval resamples tasks, so it covers the choice of tasks and the noise of their runs. */
function overTasks(
  cells: readonly TaskCell[],
  statistic: (sums: Sums) => number | undefined,
  whenEmpty: string,
): Measurement {
  const value = statistic(sumOf(cells));
  if (value === undefined) return unmeasured(whenEmpty);
  const drawn = bootstrap(cells, (units) => statistic(sumOf(units)));
  return estimate(value, cells.length, drawn?.interval);
}

/** `holm`: p corrected for all tested pairs. */
function pairsOf(entrants: readonly Entrant[]) {
  const tested = entrants.flatMap((one, index) =>
    entrants.slice(index + 1).flatMap((other) => {
      const cells = [...one.tasks].flatMap(([task, cell]) => {
        const theirs = other.tasks.get(task);
        return theirs === undefined ? [] : [[cell, theirs] as const];
      });
      const test = swapTest(cells);
      if (test === undefined) return [];
      const [better, worse] = test.difference >= 0 ? [one, other] : [other, one];
      return [
        {
          better: better.workflow,
          worse: worse.workflow,
          tasks: cells.length,
          difference: Math.abs(test.difference),
          p: test.p,
        },
      ];
    }),
  );
  const corrected = holm(tested.map(({ p }) => p));
  return tested
    .map((pair, index) => ({ ...pair, holm: corrected[index] ?? 1 }))
    .toSorted((a, b) => a.holm - b.holm || b.difference - a.difference);
}

const EXACT_UP_TO = 12;
const SWAPS = 10_000;

/**
 * Tests whether two workflows differ in F1 by more than the choice of tasks explains. If neither is better, their
 * results on a task are exchangeable. p is the share of exchanges with a difference in F1 at least as large as the
 * observed one. Up to 12 tasks it counts all exchanges, otherwise 10,000 seeded ones.
 */
export function swapTest(pairs: readonly (readonly [TaskCell, TaskCell])[], seed = 1) {
  const differ = pairs.filter(
    ([a, b]) => JSON.stringify(eachSum((key) => a[key])) !== JSON.stringify(eachSum((key) => b[key])),
  );
  const [a, b] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
  const [first, second] = [f1Of(sumOf(a)), f1Of(sumOf(b))];
  if (first === undefined || second === undefined) return undefined;
  const base = [sumOf(a), sumOf(b)] as const;
  const difference = first - second;
  const reach = Math.abs(difference) - 1e-12;
  const swapped = (isOut: (index: number) => boolean): boolean => {
    const parts = differ.filter((_, index) => isOut(index));
    const [mine, theirs] = [sumOf(parts.map(([one]) => one)), sumOf(parts.map(([, other]) => other))];
    const moved = (from: Sums, away: Sums, back: Sums) => eachSum((key) => from[key] - away[key] + back[key]);
    const [one, other] = [f1Of(moved(base[0], mine, theirs)), f1Of(moved(base[1], theirs, mine))];
    return Math.abs((one ?? 0) - (other ?? 0)) >= reach;
  };
  const n = differ.length;
  if (n <= EXACT_UP_TO) {
    let asFar = 0;
    for (let signs = 0; signs < 2 ** n; signs++)
      if (swapped((index) => ((signs >>> index) & 1) === 1)) asFar++;
    return { difference, p: asFar / 2 ** n, n };
  }
  const source = random(seed);
  let asFar = 1;
  for (let swap = 0; swap < SWAPS; swap++) {
    const bits = Array.from({ length: Math.ceil(n / 32) }, () => source.bits());
    if (swapped((index) => (((bits[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1)) asFar++;
  }
  return { difference, p: asFar / (SWAPS + 1), n };
}

/**
 * Results of one workflow on one task, as sums that add up over tasks. `found` includes partial credit. `reported` is
 * the denominator of precision, without duplicates of a credited finding; `right` and `unjudged` are parts of it.
 */
type Sums = Readonly<Record<'expected' | 'found' | 'reported' | 'right' | 'unjudged', number>>;
export type TaskCell = Sums & {
  readonly runs: number;
  /** Mean over the runs, if every run records it. */
  readonly costUsd?: number | undefined;
  readonly durationMs?: number | undefined;
};

function eachSum(value: (key: keyof Sums) => number): Sums {
  return {
    expected: value('expected'),
    found: value('found'),
    reported: value('reported'),
    right: value('right'),
    unjudged: value('unjudged'),
  };
}

function sumOf(parts: readonly Sums[]): Sums {
  const sum = { expected: 0, found: 0, reported: 0, right: 0, unjudged: 0 };
  for (const part of parts) {
    sum.expected += part.expected;
    sum.found += part.found;
    sum.reported += part.reported;
    sum.right += part.right;
    sum.unjudged += part.unjudged;
  }
  return sum;
}

/** Every task counts once, however often it was reviewed. */
export function cellOfRuns(runs: readonly RunEvidence[]): TaskCell {
  const meanIfAll = (values: readonly (number | undefined)[]) => {
    const sum = sumIfAll(values);
    return sum === undefined ? undefined : sum / values.length;
  };
  return {
    costUsd: meanIfAll(runs.map(({ costUsd }) => costUsd)),
    durationMs: meanIfAll(runs.map(({ durationMs }) => durationMs)),
    ...meanOf(
      runs.map((run) => {
        const { matched, partial, bonus, false: wrong, unresolved } = countsOf(run);
        const { count, of } = detectedErrors(run);
        const right = matched + partial + bonus;
        return {
          expected: of,
          found: count,
          reported: right + wrong + unresolved,
          right,
          unjudged: unresolved,
        };
      }),
    ),
  };
}

export function cellOfTallies(tallies: readonly Tally[]): TaskCell {
  return meanOf(
    tallies.map(({ expected, matched, reported }) => ({
      expected,
      found: matched,
      reported,
      right: matched,
      unjudged: 0,
    })),
  );
}

function meanOf(parts: readonly Sums[]): TaskCell {
  const sums = sumOf(parts);
  return { ...eachSum((key) => sums[key] / parts.length), runs: parts.length };
}

/** Share of the expected errors that were found; `undefined` if none is expected. */
function detectionOf({ expected, found }: Sums): number | undefined {
  return expected === 0 ? undefined : found / expected;
}

/** The same from 0 to 100. */
function drOf(sums: Sums): number | undefined {
  const share = detectionOf(sums);
  return share === undefined ? undefined : 100 * share;
}

function precisionOf({ reported, right }: Sums): number | undefined {
  return reported === 0 ? undefined : right / reported;
}

/** Harmonic mean of precision and detection. A workflow that reports nothing although there are errors scores 0. */
export function f1Of(sums: Sums): number | undefined {
  const [detection, precision] = [detectionOf(sums), precisionOf(sums) ?? 0];
  if (detection === undefined) return undefined;
  return detection + precision === 0 ? 0 : (2 * detection * precision) / (detection + precision);
}
