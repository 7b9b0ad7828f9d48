import {
  experimentsIn,
  type KnownExperiment,
} from '../../decomposition/production/experiment/from-ledger.ts';
import { readWholeLedger } from '../../decomposition/prompts/ledger.ts';
import { promptFolder } from '../../decomposition/prompts/read-prompt.ts';
import { AssayError } from '../../errors.ts';

export type FindExperimentRequest = { readonly prompts?: string; readonly cwd: string; readonly id: string };

/** The experiments of the folder, newest first. */
export function listExperiments({ prompts, cwd }: Omit<FindExperimentRequest, 'id'>): KnownExperiment[] {
  return experimentsIn(readWholeLedger(promptFolder(prompts, cwd)));
}

export function findExperiment({ id, ...folder }: FindExperimentRequest): KnownExperiment {
  const known = listExperiments(folder);
  const found = known.find(({ plan }) => plan.id === id);
  if (found !== undefined) return found;
  const names = known.map(({ plan }) => plan.id);
  throw new AssayError('EXPERIMENT_NOT_FOUND', `there is no experiment ${id}`, {
    remedy: names.length === 0 ? 'None was started yet.' : `There are ${names.join(', ')}.`,
  });
}
