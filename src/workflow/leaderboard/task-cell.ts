/** What one workflow did on one task, as sums that can be added up over tasks. */
import { countsOf } from '../counts.ts';
import { detectedErrors } from '../detected-errors.ts';
import type { RunEvidence } from '../evidence.ts';
import type { Tally } from '../review.ts';

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

export function sumOf(parts: readonly Sums[]): Sums {
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
export function detectionOf({ expected, found }: Sums): number | undefined {
  return expected === 0 ? undefined : found / expected;
}

export function precisionOf({ reported, right }: Sums): number | undefined {
  return reported === 0 ? undefined : right / reported;
}

/** The harmonic mean of the two. Who says nothing where there was something to find scores 0. */
export function f1Of(sums: Sums): number | undefined {
  const [detection, precision] = [detectionOf(sums), precisionOf(sums) ?? 0];
  if (detection === undefined) return undefined;
  return detection + precision === 0 ? 0 : (2 * detection * precision) / (detection + precision);
}
