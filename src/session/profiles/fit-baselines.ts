/** Baselines from the user's own history instead of the shipped ones. */
import { median } from '../../stats/descriptive.ts';
import type { SessionFacts } from '../evidence.ts';
import type { ScoredSession } from '../score-session.ts';
import type { MedianEffort } from '../signals/signal.ts';
import { effortTurns } from '../signals/turn-efficiency.ts';
import { countsTooLittle } from '../usage.ts';
import { type BaselineSet, SHIPPED_BASELINES } from './baselines.ts';
import type { SpecialCase } from './special-cases.ts';
import { TASK_TYPES, type TaskType } from './task-type.ts';

/** A scored run as far as baselines go. */
export type FittingRun = {
  readonly taskType: TaskType;
  /** For each request. */
  readonly turns: number;
  /** Output / all input tokens; undefined where the counts are not whole. */
  readonly tokenRatio?: number | undefined;
  readonly costUsd?: number | undefined;
  readonly specialCase?: SpecialCase | undefined;
  readonly agent?: string | undefined;
};

/** The runs of scored sessions as baselines see them; facts and scores of a session belong together. */
export function fittingRuns(
  sessions: readonly { readonly facts: SessionFacts; readonly scored: ScoredSession }[],
): FittingRun[] {
  return sessions.flatMap(({ facts, scored }) =>
    scored.runs.map((run, i) => {
      const own = facts.runs[i];
      const usage = run.usage;
      const input = usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;
      return {
        taskType: run.taskType,
        turns: (own === undefined ? 0 : effortTurns(own)) / Math.max(1, own?.requests ?? 1),
        tokenRatio:
          usage === undefined || input === 0 || (own !== undefined && countsTooLittle(own))
            ? undefined
            : usage.output / input,
        costUsd: run.cost.costUsd,
        specialCase: run.specialCase,
        agent: facts.agent,
      };
    }),
  );
}

/** With fewer runs the baseline of the task type stays unchanged. */
export const MIN_RUNS = 30;

/** Fewer idle runs of one agent than this, and the figure of the set is used for it. */
const MIN_IDLE_RUNS = 5;

/** A figure of a task type: fitted on how many runs, or unchanged because there were too few. */
export type FittedFigure = {
  readonly taskType: TaskType;
  readonly figure: keyof MedianEffort;
  readonly n: number;
  readonly fitted: boolean;
};

export type Fitted = { readonly set: BaselineSet; readonly figures: readonly FittedFigure[] };

export function fitBaselines(
  runs: readonly FittingRun[],
  name: string,
  from: BaselineSet = SHIPPED_BASELINES,
): Fitted {
  const figures: FittedFigure[] = [];
  const perType = { ...from.perType };
  for (const taskType of TASK_TYPES) {
    // A run without output says nothing about the usual effort.
    const own = runs.filter((run) => run.taskType === taskType && run.specialCase !== 'empty');
    const medianOf = (figure: keyof MedianEffort, values: readonly number[]): number | undefined => {
      const value = values.length < MIN_RUNS ? undefined : median(values);
      const usable = value !== undefined && value > 0;
      figures.push({ taskType, figure, n: values.length, fitted: usable });
      return usable ? value : from.perType[taskType][figure];
    };
    const tokenRatio = medianOf(
      'tokenRatio',
      own.flatMap((run) => run.tokenRatio ?? []),
    );
    const turns = medianOf(
      'turns',
      own.flatMap((run) => (run.turns > 0 ? run.turns : [])),
    );
    perType[taskType] = { tokenRatio, turns };
  }
  return { set: { name, perType, idleCostByAgent: idleCostByAgent(runs) }, figures };
}

/** Median cost of the idle runs of each agent that has enough of them. */
function idleCostByAgent(runs: readonly FittingRun[]): Readonly<Record<string, number>> {
  const costs = new Map<string, number[]>();
  for (const run of runs) {
    if (!isIdle(run) || run.agent === undefined || run.costUsd === undefined) continue;
    const own = costs.get(run.agent);
    if (own === undefined) costs.set(run.agent, [run.costUsd]);
    else own.push(run.costUsd);
  }
  const medians = [...costs]
    .filter(([, own]) => own.length >= MIN_IDLE_RUNS)
    .map(([agent, own]) => [agent, median(own) ?? 0] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  // Names come from transcripts: fromEntries defines own properties, so that none reaches a prototype.
  return Object.fromEntries(medians);
}

function isIdle({ specialCase }: FittingRun): boolean {
  return specialCase !== undefined && specialCase !== 'empty';
}
