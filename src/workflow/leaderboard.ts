/** Workflows over all their tasks: one row each, and which of them can be told apart. */
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { bootstrap } from '../stats/bootstrap.ts';
import { holm } from '../stats/holm.ts';
import { random } from '../stats/random.ts';
import { countsOf } from './counts.ts';
import { detectedErrors } from './detected-errors.ts';
import type { RunEvidence } from './evidence.ts';
import type { Reading } from './ingest/mapping.ts';
import type { Tally } from './review.ts';

/** What a workflow did, task by task. */
export type Entrant = { readonly workflow: string; readonly tasks: ReadonlyMap<string, TaskCell> };

export type LeaderboardRow = {
  readonly workflow: string;
  readonly tasks: number;
  readonly runs: number;
  /** 0 to 100. */
  readonly dr: Measurement;
  readonly precision: Measurement;
  readonly f1: Measurement;
  /** Of the findings that precision is over, those that nobody has judged. */
  readonly unjudged: number;
  /** How many others it is better and worse than, after Holm's correction. */
  readonly betterThan: number;
  readonly worseThan: number;
};

type LeaderboardPair = {
  readonly better: string;
  readonly worse: string;
  readonly tasks: number;
  readonly difference: number;
  readonly p: number;
  /** Corrected for all pairs that were tested. */
  readonly holm: number;
};

export type Leaderboard = {
  readonly tasks: readonly string[];
  /** Best first. */
  readonly rows: readonly LeaderboardRow[];
  readonly pairs: readonly LeaderboardPair[];
  /** Workflows that were not run on every task, and how many they lack. */
  readonly incomplete: readonly { readonly workflow: string; readonly missing: number }[];
};

export type RankedWorkflows = Reading & {
  readonly name: string;
  readonly leaderboard: Leaderboard;
  /** Only counts were read: nothing is known of single findings. */
  readonly counted: boolean;
};

export const ALPHA = 0.05;

export function rank(entrants: readonly Entrant[]): Leaderboard {
  const tasks = [...new Set(entrants.flatMap((one) => [...one.tasks.keys()]))].sort();
  const pairs = pairsOf(entrants);
  const rows = entrants
    .map((one) => rowOf(one, pairs))
    .toSorted((a, b) => rankOf(b.f1) - rankOf(a.f1) || a.workflow.localeCompare(b.workflow, 'en'));
  return {
    tasks,
    rows,
    pairs,
    incomplete: entrants.flatMap(({ workflow, tasks: own }) =>
      own.size < tasks.length ? [{ workflow, missing: tasks.length - own.size }] : [],
    ),
  };
}

function rankOf(measurement: Measurement): number {
  return measurement.measured ? measurement.value : -1;
}

function rowOf({ workflow, tasks }: Entrant, pairs: readonly LeaderboardPair[]): LeaderboardRow {
  // Sorted by task: the interval must not depend on the order of files.
  const cells = [...tasks].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell);
  const told = pairs.filter((pair) => pair.holm < ALPHA);
  const { reported, unjudged } = sumOf(cells);
  return {
    workflow,
    tasks: cells.length,
    runs: cells.reduce((sum, { runs }) => sum + runs, 0),
    dr: overTasks(cells, (sums) => percent(detectionOf(sums)), 'the ground truth expects no errors'),
    precision: overTasks(cells, precisionOf, 'there are no findings'),
    f1: overTasks(cells, f1Of, 'the ground truth expects no errors'),
    unjudged: reported === 0 ? 0 : unjudged / reported,
    betterThan: told.filter(({ better }) => better === workflow).length,
    worseThan: told.filter(({ worse }) => worse === workflow).length,
  };
}

function percent(share: number | undefined): number | undefined {
  return share === undefined ? undefined : 100 * share;
}

/** Pooled over tasks; the interval draws tasks again, so it covers the choice of tasks and the noise of their runs. */
function overTasks(
  cells: readonly TaskCell[],
  statistic: (sums: ReturnType<typeof sumOf>) => number | undefined,
  whenEmpty: string,
): Measurement {
  const value = statistic(sumOf(cells));
  if (value === undefined) return unmeasured(whenEmpty);
  const drawn = bootstrap(cells, (units) => statistic(sumOf(units)));
  return estimate(value, cells.length, drawn?.interval);
}

function pairsOf(entrants: readonly Entrant[]): LeaderboardPair[] {
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

/** Whether two workflows differ in F1 beyond the luck of which tasks there were. */

export type SwapTest = {
  readonly difference: number;
  readonly p: number;
  /** Tasks on which the two differ: only these can be exchanged. */
  readonly n: number;
};

const EXACT_UP_TO = 12;
const SWAPS = 10_000;

/**
 * If neither is better, what they did on a task could as well have been done by the other. p is the share of exchanges
 * whose difference in F1 is at least as large as the real one; all of them up to 12 tasks, otherwise 10,000 seeded ones.
 */
export function swapTest(pairs: readonly (readonly [TaskCell, TaskCell])[], seed = 1): SwapTest | undefined {
  const differ = pairs.filter(
    ([a, b]) => JSON.stringify({ ...a, runs: 0 }) !== JSON.stringify({ ...b, runs: 0 }),
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
    const moved = (from: (typeof base)[0], away: typeof mine, back: typeof mine) => ({
      expected: from.expected - away.expected + back.expected,
      found: from.found - away.found + back.found,
      reported: from.reported - away.reported + back.reported,
      right: from.right - away.right + back.right,
      unjudged: 0,
    });
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

/** What one workflow did on one task, as sums that can be added up over tasks. */

export type TaskCell = {
  readonly expected: number;
  /** With partial credit. */
  readonly found: number;
  /** What precision is over: duplicates of a credited finding are left out. */
  readonly reported: number;
  readonly right: number;
  /** Of those reported, what nobody has judged yet. */
  readonly unjudged: number;
  readonly runs: number;
};

/** Every task counts once, however often it was reviewed. */
export function cellOfRuns(runs: readonly RunEvidence[]): TaskCell {
  return meanOf(
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
  );
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

type Sums = Omit<TaskCell, 'runs'>;

function meanOf(parts: readonly Sums[]): TaskCell {
  return { ...divide(sumOf(parts), parts.length), runs: parts.length };
}

function divide(sums: Sums, by: number): Sums {
  const { expected, found, reported, right, unjudged } = sums;
  return {
    expected: expected / by,
    found: found / by,
    reported: reported / by,
    right: right / by,
    unjudged: unjudged / by,
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

/** Share of the expected errors that were found; `undefined` where none is expected. */
function detectionOf({ expected, found }: Sums): number | undefined {
  return expected === 0 ? undefined : found / expected;
}

function precisionOf({ reported, right }: Sums): number | undefined {
  return reported === 0 ? undefined : right / reported;
}

/** The harmonic mean of the two. Who says nothing where there was something to find scores 0. */
export function f1Of(sums: Sums): number | undefined {
  const [detection, precision] = [detectionOf(sums), precisionOf(sums) ?? 0];
  if (detection === undefined) return undefined;
  return detection + precision === 0 ? 0 : (2 * detection * precision) / (detection + precision);
}
