/** A kind of work in a project: within it tasks are taken to be alike. Small projects are taken together. */
import type { RouteCell } from './cell.ts';

/** Projects with fewer sessions of a kind have no stratum of their own. */
const OWN_STRATUM = 20;

/** A model with fewer sessions in a stratum was never really tried there. */
export const TRIED = 3;

export type StratumOf = (cell: Pick<RouteCell, 'taskType' | 'project'>) => string;

export function strataOf(cells: readonly RouteCell[]): StratumOf {
  const sizes = new Map<string, number>();
  const nameOf: StratumOf = ({ taskType, project }) => JSON.stringify([taskType, project]);
  for (const cell of cells) sizes.set(nameOf(cell), (sizes.get(nameOf(cell)) ?? 0) + cell.n);
  return (cell) => ((sizes.get(nameOf(cell)) ?? 0) < OWN_STRATUM ? cell.taskType : nameOf(cell));
}
