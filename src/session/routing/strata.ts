/** A kind of work in a project: within it tasks are taken to be alike. Small projects are taken together. */
import type { TaskType } from '../profiles/task-type.ts';
import type { RouteCell } from './cell.ts';

/** Projects with fewer sessions of a kind have no stratum of their own. */
const OWN_STRATUM = 20;

/** A model with fewer sessions in a stratum was never really tried there. */
export const TRIED = 3;

export type StratumOf = (cell: Pick<RouteCell, 'taskType' | 'project'>) => string;

export function strataOf(cells: readonly RouteCell[]): StratumOf {
  const strata = new Map<TaskType, ReadonlyMap<string, string>>();
  for (const [taskType, own] of Map.groupBy(cells, (cell) => cell.taskType)) {
    const large = [...Map.groupBy(own, ({ project }) => project)].filter(
      ([, some]) => some.reduce((sum, { n }) => sum + n, 0) >= OWN_STRATUM,
    );
    strata.set(taskType, new Map(large.map(([project]) => [project, JSON.stringify([taskType, project])])));
  }
  return ({ taskType, project }) => strata.get(taskType)?.get(project) ?? taskType;
}
