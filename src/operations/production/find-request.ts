import { assign } from '../../decomposition/production/experiment/assign.ts';
import { type DecompositionRecord, requestKey } from '../../decomposition/production/record.ts';
import { AssayError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { findExperiment } from './experiments.ts';

/** The number of projects to search for an id without a project. */
const MOST_PROJECTS = 1000;

/**
 * Finds a request by its stored id or by the sender's id: in the named project, in none, or in the only one that has
 * it.
 */
export async function findRequest(
  store: Store,
  id: string,
  project: string | undefined,
): Promise<DecompositionRecord | undefined> {
  const own = requestKey(project, id);
  const near = await store.readDecompositions({ ids: [...new Set([own, id])] });
  const found = near.find((one) => one.id === own) ?? near[0];
  if (found !== undefined) return found;
  const cells = await store.productionCells({ by: 'day', perProject: true });
  const projects = [...new Set(cells.flatMap((cell) => cell.project ?? []))].slice(0, MOST_PROJECTS);
  if (projects.length === 0) return undefined;
  const [one, another] = await store.readDecompositions({
    ids: projects.map((name) => requestKey(name, id)),
  });
  if (another !== undefined)
    throw new AssayError('DECOMPOSITION_NOT_FOUND', `several projects have a request "${id}"`, {
      remedy: `Use its stored id: ${one?.id} or ${another.id}.`,
    });
  return one;
}

export type AssignKeyRequest = {
  readonly prompts?: string;
  readonly cwd: string;
  readonly id: string;
  /** A user, an account, a document: whatever is to see the same prompt each time. */
  readonly key: string;
};

/** The control once it was stopped, also for a service that follows the arm: nobody sees the candidate any longer. */
export function assignKey({ key, ...request }: AssignKeyRequest): ReturnType<typeof assign> {
  const { plan, stopped } = findExperiment(request);
  const assigned = assign(plan, key);
  if (stopped === undefined) return assigned;
  return { promptVersion: plan.control, experiment: { ...assigned.experiment, arm: 'control' } };
}
