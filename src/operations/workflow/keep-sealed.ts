import { AssayError } from '../../errors.ts';
import { readExperiment } from '../../workflow/ingest/read-experiment.ts';
import { findSealedTruths } from './find-evaluations.ts';

/**
 * Whoever may be an evaluator is not shown what a blind evaluation keeps from them. Refuses what rests on a ground truth
 * that one below `folder` has sealed and not yet opened.
 */
export function keepSealed(folder: string, truths: Iterable<string>): void {
  const sealed = findSealedTruths(folder);
  for (const hash of truths) {
    const by = sealed.get(hash);
    if (by === undefined) continue;
    throw new AssayError(
      'BLIND_ORDER',
      `the blind evaluation ${JSON.stringify(by)} keeps this ground truth sealed until its results are opened`,
    );
  }
}

/** The same of an experiment, by all ground truths it names. */
export function keepExperimentSealed(folder: string, experiment: string): void {
  if (findSealedTruths(folder).size === 0) return;
  keepSealed(
    folder,
    readExperiment(experiment, folder).arms.map(({ truth }) => truth.hash),
  );
}
