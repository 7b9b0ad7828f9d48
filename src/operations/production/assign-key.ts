import { assign } from '../../decomposition/production/experiment/assign.ts';
import { findExperiment } from './find-experiment.ts';

export type AssignKeyRequest = {
  readonly prompts?: string;
  readonly cwd: string;
  readonly id: string;
  /** A user, an account, a document: whatever is to see the same prompt each time. */
  readonly key: string;
};

/** The control once it was stopped: nobody is to see the candidate any longer than needed. */
export function assignKey({ key, ...request }: AssignKeyRequest): ReturnType<typeof assign> {
  const { plan, stopped } = findExperiment(request);
  const assigned = assign(plan, key);
  return stopped === undefined ? assigned : { ...assigned, promptVersion: plan.control };
}
