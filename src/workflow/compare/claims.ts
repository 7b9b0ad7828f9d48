/** What may be said at all: the documented sample sizes, and what is missing where they are not reached. */
import type { RunEvidence } from '../evidence.ts';

export type Claim = {
  readonly claim: 'assessed' | 'better' | 'generalises';
  readonly allowed: boolean;
  readonly missing?: string;
};

export const RUNS_PER_TASK = 3;
export const TASKS_TO_GENERALISE = 5;

export function claimsOf(before: readonly RunEvidence[], after: readonly RunEvidence[]): Claim[] {
  const runsOf = (runs: readonly RunEvidence[], task: string) =>
    runs.filter((run) => run.task === task).length;
  const tasks = [...new Set(before.map(({ task }) => task))].filter((task) => runsOf(after, task) > 0);
  const full = tasks.filter((task) => Math.min(runsOf(before, task), runsOf(after, task)) >= RUNS_PER_TASK);
  const short = tasks
    .filter((task) => !full.includes(task))
    .map((task) => `${task} has ${runsOf(before, task)} and ${runsOf(after, task)}`);
  const runs = `${RUNS_PER_TASK} runs of each workflow on the same task are needed; ${short.join('; ') || 'there is no common task'}`;
  const enough = tasks.length > 0 && short.length === 0;
  const general = enough && full.length >= TASKS_TO_GENERALISE;
  return [
    { claim: 'assessed', allowed: enough, ...(!enough && { missing: runs }) },
    { claim: 'better', allowed: enough, ...(!enough && { missing: runs }) },
    {
      claim: 'generalises',
      allowed: general,
      ...(!general && {
        missing: `${TASKS_TO_GENERALISE} tasks with ${RUNS_PER_TASK} runs each are needed; there ${full.length === 1 ? 'is' : 'are'} ${full.length}`,
      }),
    },
  ];
}
