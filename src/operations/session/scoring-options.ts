import type { SessionFacts } from '../../session/evidence.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type { SessionOptions } from '../../session/score-session.ts';
import type { ScoringChoices } from './session-request.ts';

/** The files that were chosen, read. Each reader is loaded only when it is used: most scoring needs none of them. */
export async function readScoringOptions(choices: ScoringChoices = {}): Promise<SessionOptions> {
  const { weights, baselines, outcomes, taskTypes, prices } = choices;
  const { loadPrices } = await import('../../session/pricing/load-prices.ts');
  return {
    prices: await loadPrices(prices),
    ...(weights !== undefined && {
      weights: (await import('../../session/calibration/weights-file.ts')).readWeights(weights),
    }),
    ...(baselines !== undefined && {
      baselines: (await import('../../session/profiles/baselines-file.ts')).readBaselines(baselines),
    }),
    ...(outcomes !== undefined && {
      outcomes: (await import('../../session/calibration/labels.ts')).readOutcomes(outcomes),
    }),
    ...(taskTypes !== undefined && {
      taskTypes: (await import('../../session/calibration/labels.ts')).readTaskTypes(taskTypes),
    }),
  };
}

/** What is known of single sessions wins; the agent is more particular than the source. */
export class KnownTaskTypes {
  readonly bySession: Map<string, TaskType>;
  readonly #byName: ReadonlyMap<string, TaskType>;

  constructor({ taskTypeOf = {} }: ScoringChoices = {}, { taskTypes }: SessionOptions) {
    this.bySession = new Map(taskTypes);
    this.#byName = new Map(Object.entries(taskTypeOf));
  }

  note({ sessionId, agent, source }: SessionFacts): void {
    const type = this.#byName.get(agent ?? '') ?? this.#byName.get(source);
    if (type !== undefined && !this.bySession.has(sessionId)) this.bySession.set(sessionId, type);
  }
}
