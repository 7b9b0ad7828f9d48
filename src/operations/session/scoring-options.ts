import type { WeightsDoubt } from '../../session/calibration/weights-file.ts';
import type { SessionOptions } from '../../session/score-session.ts';
import type { ScoringChoices } from './session-request.ts';

/** The files that were chosen, read. Each reader is loaded only when it is used: most scoring needs none of them. */
export async function readScoringOptions(
  choices: ScoringChoices = {},
): Promise<{ readonly options: SessionOptions; readonly weightsDoubts: readonly WeightsDoubt[] }> {
  const { weights, baselines, outcomes, taskTypes, taskTypeOf, prices } = choices;
  const { loadPrices } = await import('../../session/pricing/load-prices.ts');
  const given =
    weights === undefined
      ? undefined
      : (await import('../../session/calibration/weights-file.ts')).readWeights(weights);
  const options: SessionOptions = {
    prices: await loadPrices(prices),
    ...(given && { weights: given.weights }),
    ...(baselines !== undefined && {
      baselines: (await import('../../session/profiles/baselines-file.ts')).readBaselines(baselines),
    }),
    ...(outcomes !== undefined && {
      outcomes: (await import('../../session/calibration/labels.ts')).readOutcomes(outcomes),
    }),
    ...(taskTypes !== undefined && {
      taskTypes: (await import('../../session/calibration/labels.ts')).readTaskTypes(taskTypes),
    }),
    ...(taskTypeOf !== undefined && { taskTypeOf: new Map(Object.entries(taskTypeOf)) }),
  };
  return { options, weightsDoubts: given?.doubts ?? [] };
}
