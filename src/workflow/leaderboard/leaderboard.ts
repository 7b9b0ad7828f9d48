/** Workflows over all their tasks: one row each, and which of them can be told apart. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { bootstrap } from '../../stats/bootstrap.ts';
import { holm } from '../../stats/holm.ts';
import { swapTest } from './swap-test.ts';
import { detectionOf, f1Of, precisionOf, sumOf, type TaskCell } from './task-cell.ts';

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

export type LeaderboardPair = {
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
