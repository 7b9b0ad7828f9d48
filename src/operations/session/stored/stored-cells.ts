import type { TaskType } from '../../../session/profiles/task-type.ts';
import { NO_PROJECT, type RouteCell } from '../../../session/routing/cell.ts';
import type { SessionRollup } from '../../../store/rollup.ts';
import type { StoredScores } from './stored-scores.ts';

/** What routing knows of the past, from kept sums: as many sessions as there may be. */
export async function storedCells(stored: StoredScores): Promise<RouteCell[]> {
  const rollups = await stored.rollup({ by: ['taskType', 'model', 'project'], bucket: 'day' });
  return rollups.flatMap((one) => cellOf(one) ?? []);
}

function cellOf({ bucket, group, priced, categories }: SessionRollup): RouteCell | undefined {
  const { taskType, model, project = NO_PROJECT } = group;
  if (bucket === undefined || model === undefined || taskType === undefined || priced.q.n === 0)
    return undefined;
  return {
    day: bucket.slice(0, 'YYYY-MM-DD'.length),
    // The scorer wrote it.
    taskType: taskType as TaskType,
    project,
    model,
    n: priced.q.n,
    q: priced.q.sum,
    qSquares: priced.q.sumOfSquares,
    costUsd: priced.sumUsd,
    outcome: { n: categories.outcome.n, sum: categories.outcome.sum },
  };
}
