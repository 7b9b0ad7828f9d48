import type { LabelNames } from '../../session/calibration/labels.ts';
import type { WeightsDoubt } from '../../session/calibration/weights-file.ts';
import type { SessionOptions } from '../../session/score-session.ts';
import { shortHash } from '../../session/session-key.ts';
import {
  DOCUMENTED_PROFILES,
  type OwnSessionWeights,
  type SessionWeights,
  SIGNAL_WEIGHTS,
} from '../../session/weights.ts';
import type { ScoringChoices } from './session-request.ts';

/** Reads the chosen files. Each reader is loaded only when used: most scoring needs none of them. */
export async function readScoringOptions(choices: ScoringChoices = {}): Promise<{
  readonly options: SessionOptions;
  readonly weightsDoubts: readonly WeightsDoubt[];
  /** The session names in the files of outcomes, task types and costs. */
  readonly names: LabelNames;
}> {
  const { weights, baselines, taskTypeOf, prices, ownWeights, intents } = choices;
  const { loadPrices } = await import('../../session/pricing/load-prices.ts');
  const given =
    weights === undefined
      ? undefined
      : (await import('../../session/calibration/weights-file.ts')).readWeights(weights);
  const labels = await readLabels(choices);
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

type LabelOptions = Pick<SessionOptions, 'outcomes' | 'taskTypes' | 'costs'>;

async function readLabels({
  outcomes,
  taskTypes,
  costs,
}: ScoringChoices): Promise<{ readonly options: LabelOptions; readonly names: LabelNames }> {
  if (outcomes === undefined && taskTypes === undefined && costs === undefined)
    return { options: {}, names: new Map() };
  const { readCosts, readLabelNames, readOutcomes, readTaskTypes } = await import(
    '../../session/calibration/labels.ts'
  );
  return {
    options: {
      ...(outcomes !== undefined && { outcomes: readOutcomes(outcomes) }),
      ...(taskTypes !== undefined && { taskTypes: readTaskTypes(taskTypes) }),
      ...(costs !== undefined && { costs: readCosts(costs) }),
    },
    names: new Map([
      ...(outcomes === undefined ? [] : readLabelNames(outcomes, 'outcome')),
      ...(taskTypes === undefined ? [] : readLabelNames(taskTypes, 'task_type')),
      ...(costs === undefined ? [] : readLabelNames(costs, 'cost_usd')),
    ]),
  };
}

/** As the scorer takes them; undefined when all of them are the documented ones. */
export function ownWeightsOf({ profiles, signals }: OwnSessionWeights): SessionWeights | undefined {
  const own = describeOwnWeights({ profiles, signals });
  if (own.length === 0) return undefined;
  const flat = Object.assign({}, ...Object.values(signals)) as Record<string, number>;
  return { name: `yours@${shortHash([profiles, flat])}`, profiles, signals: flat, own };
}

/** Each custom weight with the documented one. */
function describeOwnWeights({ profiles, signals }: OwnSessionWeights): readonly string[] {
  return [...differences(profiles, DOCUMENTED_PROFILES), ...differences(signals, SIGNAL_WEIGHTS)];
}

type Table = Readonly<Record<string, Readonly<Record<string, number>>>>;

function differences(yours: Table, documented: Table): string[] {
  return Object.entries(documented).flatMap(([group, known]) => {
    const parts = Object.entries(known).flatMap(([name, weight]) => {
      const own = yours[group]?.[name];
      return own === undefined || own === weight
        ? []
        : [`${name} ${round(own)} (documented ${round(weight)})`];
    });
    return parts.length === 0 ? [] : [`${group}: ${parts.join(', ')}`];
  });
}

function round(weight: number): number {
  return Number(weight.toFixed(3));
}
