import { assign } from '../../decomposition/production/experiment/assign.ts';
import { findExperiment } from './find-experiment.ts';

export type AssignKeyRequest = {
  readonly prompts?: string;
  readonly cwd: string;
  readonly id: string;
  /** A user, an account, a document: whatever is to see the same prompt each time. */
  readonly key: string;
};

/** The control once it was stopped, also for a service that goes by the arm: nobody is to see the candidate any longer. */
export function assignKey({ key, ...request }: AssignKeyRequest): ReturnType<typeof assign> {
  const { plan, stopped } = findExperiment(request);
  const assigned = assign(plan, key);
  if (stopped === undefined) return assigned;
  return { promptVersion: plan.control, experiment: { ...assigned.experiment, arm: 'control' } };
}
