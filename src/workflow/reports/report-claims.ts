/** What a report may say at all: the documented sample sizes, and what is missing where they are not reached. */
import { claimsOf, RUNS_PER_TASK, TASKS_TO_GENERALISE } from '../compare/claims.ts';
import { type CategoryHeatmap, TASKS_FOR_BLIND_SPOT } from './category-heatmap.ts';
import { type ExaminedArm, runsOf, workflowsOf } from './examined-arm.ts';

export type ReportClaim = {
  readonly claim: 'assessed' | 'better' | 'generalises' | 'blind spot';
  readonly about: string;
  readonly allowed: boolean;
  readonly missing?: string;
};

export function reportClaims(
  arms: readonly ExaminedArm[],
  baseline: string,
  heatmap: CategoryHeatmap,
): ReportClaim[] {
  const workflows = workflowsOf(arms);
  return [
    ...arms.map(({ workflow, task, runs }) =>
      claim(
        'assessed',
        `${workflow} on ${task}`,
        runs.length >= RUNS_PER_TASK,
        `${RUNS_PER_TASK} runs on the same task are needed; ${thereAre(runs.length)}`,
      ),
    ),
    ...workflows
      .filter((workflow) => workflow !== baseline)
      .map((workflow) => {
        const [before, after] = [runsOf(arms, baseline), runsOf(arms, workflow)];
        const { allowed, missing = '' } = claimsOf(before, after).find((one) => one.claim === 'better') ?? {
          allowed: false,
        };
        return claim('better', `${workflow} against ${baseline}`, allowed, missing);
      }),
    ...workflows.map((workflow) => {
      const full = arms.filter((arm) => arm.workflow === workflow && arm.runs.length >= RUNS_PER_TASK);
      return claim(
        'generalises',
        workflow,
        full.length >= TASKS_TO_GENERALISE,
        `${TASKS_TO_GENERALISE} tasks with ${RUNS_PER_TASK} runs each are needed; ${thereAre(full.length)}`,
      );
    }),
    ...heatmap.rows.flatMap(({ workflow, cells }) =>
      cells
        .filter(({ blindSpot }) => blindSpot !== undefined)
        .map(({ category, tasks }) =>
          claim(
            'blind spot',
            `${workflow} ${category}`,
            tasks >= TASKS_FOR_BLIND_SPOT,
            `${TASKS_FOR_BLIND_SPOT} tasks with that category are needed; ${thereAre(tasks)}`,
          ),
        ),
    ),
  ];
}

function claim(what: ReportClaim['claim'], about: string, allowed: boolean, missing: string): ReportClaim {
  return { claim: what, about, allowed, ...(!allowed && { missing }) };
}

function thereAre(count: number): string {
  return `there ${count === 1 ? 'is' : 'are'} ${count}`;
}
