import type { ExperimentStatus } from '../../decomposition/production/experiment/from-ledger.ts';
import type { Ports } from '../ports.ts';
import { listExperiments } from './find-experiment.ts';
import { readExperiments } from './read-experiments.ts';
import { stopExperiment } from './stop-experiment.ts';

/**
 * Ends every experiment whose candidate is worse than a guard rail allows, for certain; gives those it ended. Also where
 * the arms are uneven: which is better cannot be told then, but what does harm is not to go on because of that.
 */
export async function stopAtGuardRails(
  { prompts, cwd }: { readonly prompts: string; readonly cwd: string },
  ports: Ports,
): Promise<readonly ExperimentStatus[]> {
  const ended: ExperimentStatus[] = [];
  for (const { plan, stopped } of listExperiments({ cwd })) {
    if (stopped !== undefined) continue;
    const [status] = await readExperiments({ cwd, id: plan.id }, ports);
    if (status?.reading.guards.some(({ crossed }) => crossed) !== true) continue;
    ended.push(await stopExperiment({ prompts, id: plan.id, reason: 'stopped by itself' }, ports));
  }
  return ended;
}
