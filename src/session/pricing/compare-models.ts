import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import type { SessionScore } from '../session-score.ts';
import { type RoiRow, roiBy } from './roi.ts';
import { isWorthIt, MIN_SESSIONS, type Worth } from './worth.ts';

/** Two models on a kind of task. */
export type ModelComparison = {
  readonly taskType: TaskType;
  readonly first: PricedRow;
  readonly second: PricedRow;
  readonly worth: Worth;
};

export type PricedRow = RoiRow & { readonly meanCostUsd: number };

export function pricedRows(rows: readonly RoiRow[]): PricedRow[] {
  return rows.flatMap((row) =>
    row.meanCostUsd === undefined ? [] : [{ ...row, meanCostUsd: row.meanCostUsd }],
  );
}

/** Is the dearer model worth it: every pair with enough sessions of a kind of task; else the two with the most. */
export function compareModels(sessions: readonly SessionScore[]): ModelComparison[] {
  const ofType = (taskType: TaskType) => sessions.filter((session) => session.taskType === taskType);
  return compareModelPairs(
    (taskType) => roiBy(ofType(taskType), ({ model }) => model),
    (taskType, one, other) => {
      const own = ofType(taskType);
      const pick = (key: string) => own.filter(({ model }) => model === key);
      return isWorthIt(pick(one), pick(other));
    },
  );
}

/** The same from what is known of each model. */
export function compareModelPairs(
  rowsOf: (taskType: TaskType) => readonly RoiRow[],
  worthOf: (taskType: TaskType, one: string, other: string) => Worth | undefined,
): ModelComparison[] {
  return TASK_TYPES.flatMap((taskType) => {
    const rows = pricedRows(rowsOf(taskType)).sort((a, b) => b.n - a.n);
    const enough = rows.filter(({ priced }) => priced >= MIN_SESSIONS);
    return pairsOf(enough.length > 1 ? enough : rows.slice(0, 2)).flatMap(([first, second]) => {
      const worth = worthOf(taskType, first.key, second.key);
      return worth === undefined ? [] : [{ taskType, first, second, worth }];
    });
  });
}

function pairsOf(rows: readonly PricedRow[]): (readonly [PricedRow, PricedRow])[] {
  return rows.flatMap((first, i) => rows.slice(i + 1).map((second) => [first, second] as const));
}
