/** A kind of work in a project: within it tasks are taken to be alike. Small projects are taken together. */
import type { TaskType } from '../profiles/task-type.ts';
import type { RouteCell } from './cell.ts';

/** Projects with fewer sessions of a kind have no stratum of their own. */
const OWN_STRATUM = 20;

/** A model with fewer sessions in a stratum was never really tried there. */
export const TRIED = 3;

export type StratumOf = (cell: Pick<RouteCell, 'taskType' | 'project'>) => string;

export function strataOf(cells: readonly RouteCell[]): StratumOf {
  const counts = new Map<TaskType, Map<string, number>>();
  for (const { taskType, project, n } of cells) {
    let projects = counts.get(taskType);
    if (projects === undefined) {
      projects = new Map();
      counts.set(taskType, projects);
    }
    projects.set(project, (projects.get(project) ?? 0) + n);
  }
  const strata = new Map<TaskType, ReadonlyMap<string, string>>();
  for (const [taskType, projects] of counts) {
    const large = [...projects].filter(([, n]) => n >= OWN_STRATUM);
    strata.set(taskType, new Map(large.map(([project]) => [project, JSON.stringify([taskType, project])])));
  }
  return ({ taskType, project }) => strata.get(taskType)?.get(project) ?? taskType;
}
