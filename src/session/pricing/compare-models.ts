import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import type { SessionScore } from '../session-score.ts';
import { type RoiRow, roiBy } from './roi.ts';
import { isWorthIt, type Worth } from './worth.ts';

/** The two models with the most sessions of a kind of task. */
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

/** Is the dearer model worth it, per task type with two models or more. */
export function compareModels(sessions: readonly SessionScore[]): ModelComparison[] {
  const ofType = (taskType: TaskType) => sessions.filter((session) => session.taskType === taskType);
  return compareUsedMost(
    (taskType) => roiBy(ofType(taskType), ({ model }) => model),
    (taskType, one, other) => {
      const own = ofType(taskType);
      const pick = (key: string) => own.filter(({ model }) => model === key);
      return isWorthIt(pick(one), pick(other));
    },
  );
}

/** The same from what is known of each model. */
export function compareUsedMost(
  rowsOf: (taskType: TaskType) => readonly RoiRow[],
  worthOf: (taskType: TaskType, one: string, other: string) => Worth | undefined,
): ModelComparison[] {
  return TASK_TYPES.flatMap((taskType) => {
    const [first, second] = pricedRows(rowsOf(taskType)).sort((a, b) => b.n - a.n);
    if (first === undefined || second === undefined) return [];
    const worth = worthOf(taskType, first.key, second.key);
    return worth === undefined ? [] : [{ taskType, first, second, worth }];
  });
}
