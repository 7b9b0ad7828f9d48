import type { TaskType } from '../../session/profiles/task-type.ts';
import { NO_PROJECT, type RouteCell } from '../../session/routing/cell.ts';
import { yieldToEventLoop } from '../../session/stop-if-aborted.ts';
import type { SessionRollup } from '../../store/rollup.ts';
import type { StoredScores } from './stored-scores.ts';

const DAY_MS = 86_400_000;
/** So many sums at once hold nobody else up for long, and are soon forgotten. */
const AT_ONCE = 1500;
const [FIRST_DAYS, MOST_DAYS] = [4, 31];

/**
 * What routing knows of the past, from kept sums: as many sessions as there may be. Some days are read at a time, fewer
 * or more of them next time as there was more or less in these.
 */
export async function storedCells(stored: StoredScores, signal?: AbortSignal): Promise<RouteCell[]> {
  const cells: RouteCell[] = [];
  let [days, read] = [FIRST_DAYS, Number.NEGATIVE_INFINITY];
  for (const { bucket: month } of await stored.rollup({ bucket: 'month' })) {
    if (month === undefined) continue;
    const end = Date.parse(nextMonth(month));
    for (let from = Math.max(read, Date.parse(month)); from < end; from = read) {
      read = from + days * DAY_MS;
      const some = stored.within({
        since: new Date(from).toISOString(),
        until: new Date(read).toISOString(),
      });
      const rollups = await some.rollup({ by: ['taskType', 'model', 'project'], bucket: 'day' });
      for (const one of rollups) {
        const cell = cellOf(one);
        if (cell !== undefined) cells.push(cell);
      }
      const wished = Math.round((days * AT_ONCE) / Math.max(1, rollups.length));
      days = Math.max(1, Math.min(MOST_DAYS, wished));
      await yieldToEventLoop(signal);
    }
  }
  return cells;
}

function nextMonth(month: string): string {
  const date = new Date(month);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return date.toISOString();
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
