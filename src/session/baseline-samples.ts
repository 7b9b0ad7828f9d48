import type { SessionFacts } from './evidence.ts';
import type { FittingRun } from './profiles/fit-baselines.ts';
import type { ScoredSession } from './score-session.ts';
import { effortTurns } from './signals/turn-efficiency.ts';
import { countsTooLittle } from './usage.ts';

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
