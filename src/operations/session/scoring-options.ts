import type { LabelNames } from '../../session/calibration/labels.ts';
import type { WeightsDoubt } from '../../session/calibration/weights-file.ts';
import type { SessionOptions } from '../../session/score-session.ts';
import type { ScoringChoices } from './session-request.ts';

/** The files that were chosen, read. Each reader is loaded only when it is used: most scoring needs none of them. */
export async function readScoringOptions(choices: ScoringChoices = {}): Promise<{
  readonly options: SessionOptions;
  readonly weightsDoubts: readonly WeightsDoubt[];
  /** What the files of outcomes and task types call the sessions. */
  readonly names: LabelNames;
}> {
  const { weights, baselines, outcomes, taskTypes, taskTypeOf, prices, ownWeights, intents } = choices;
  const { loadPrices } = await import('../../session/pricing/load-prices.ts');
  const given =
    weights === undefined
      ? undefined
      : (await import('../../session/calibration/weights-file.ts')).readWeights(weights);
  const labels = await readLabels(outcomes, taskTypes);
  const options: SessionOptions = {
    prices: await loadPrices(prices),
    ...(ownWeights && { weights: ownWeights }),
    ...(given && { weights: given.weights }),
    ...(baselines !== undefined && {
      baselines: (await import('../../session/profiles/baselines-file.ts')).readBaselines(baselines),
    }),
    ...(intents !== undefined && {
      intents: (await import('../../session/intents/intents-file.ts')).readIntents(intents),
    }),
    ...labels.options,
    ...(taskTypeOf !== undefined && { taskTypeOf: new Map(Object.entries(taskTypeOf)) }),
  };
  return { options, weightsDoubts: given?.doubts ?? [], names: labels.names };
}

async function readLabels(
  outcomes: string | undefined,
  taskTypes: string | undefined,
): Promise<{ readonly options: Pick<SessionOptions, 'outcomes' | 'taskTypes'>; readonly names: LabelNames }> {
  if (outcomes === undefined && taskTypes === undefined) return { options: {}, names: new Map() };
  const { readLabelNames, readOutcomes, readTaskTypes } = await import('../../session/calibration/labels.ts');
  return {
    options: {
      ...(outcomes !== undefined && { outcomes: readOutcomes(outcomes) }),
      ...(taskTypes !== undefined && { taskTypes: readTaskTypes(taskTypes) }),
    },
    names: new Map([
      ...(outcomes === undefined ? [] : readLabelNames(outcomes, 'outcome')),
      ...(taskTypes === undefined ? [] : readLabelNames(taskTypes, 'task_type')),
    ]),
  };
}
