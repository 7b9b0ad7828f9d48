/** Which claims the documented sample sizes allow, and what is missing for the others. */
import type { RunEvidence } from '../evidence.ts';
import { sameTasks } from '../same-tasks.ts';

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
  const distinct = differentTasks([...before, ...after], full);
  const general = enough && distinct >= TASKS_TO_GENERALISE;
  return [
    { claim: 'assessed', allowed: enough, ...(!enough && { missing: runs }) },
    { claim: 'better', allowed: enough, ...(!enough && { missing: runs }) },
    {
      claim: 'generalises',
      allowed: general,
      ...(!general && {
        missing: `${TASKS_TO_GENERALISE} tasks with ${RUNS_PER_TASK} runs each are needed; there ${distinct === 1 ? 'is' : 'are'} ${distinct}`,
      }),
    },
  ];
}

/** How many of these tasks have different texts. */
export function differentTasks(runs: readonly RunEvidence[], tasks: readonly string[]): number {
  const firsts = new Map(runs.map((run) => [run.task, run] as const));
  const errors = [...firsts.values()].flatMap(({ task, errors: own }) =>
    own.map((error) => ({ ...error, task })),
  );
  const same = sameTasks(errors);
  return new Set(tasks.map((task) => same.get(task) ?? task)).size;
}

/** Another possible cause of the difference. */

export type Confounder = {
  readonly name: 'task' | 'ground truth' | 'model' | 'evaluator' | 'matcher';
  readonly state: 'held' | 'differs' | 'not recorded';
  readonly before: string;
  readonly after: string;
};

/** Confounders of the compared runs; only tasks are taken from all runs. */
export function confoundersOf(
  allBefore: readonly RunEvidence[],
  allAfter: readonly RunEvidence[],
  before = allBefore,
  after = allAfter,
): Confounder[] {
  const compare = (name: Confounder['name'], values: (run: RunEvidence) => readonly (string | undefined)[]) =>
    confounder(name, before.map(values), after.map(values));
  const tasks = (runs: readonly RunEvidence[]) => runs.map(({ task }) => [task]);
  return [
    confounder('task', tasks(allBefore), tasks(allAfter)),
    compare('ground truth', ({ task, truthHash }) => [`${task} ${truthHash.slice(0, 12)}`]),
    compare('model', ({ model }) => [model]),
    compare('evaluator', ({ evaluators }) => (evaluators.length === 0 ? ['criteria only'] : evaluators)),
    compare('matcher', ({ matcherVersion }) => [matcherVersion]),
  ];
}

type Values = readonly (readonly (string | undefined)[])[];

function confounder(name: Confounder['name'], before: Values, after: Values): Confounder {
  const [one, other] = [say(before), say(after)];
  const unknown = [...before, ...after].some((values) => values.includes(undefined));
  return {
    name,
    state: unknown ? 'not recorded' : one === other ? 'held' : 'differs',
    before: one,
    after: other,
  };
}

function say(values: Values): string {
  const known = values.flatMap((some) => some.flatMap((one) => one ?? []));
  return known.length === 0 ? 'unknown' : [...new Set(known)].sort().join(', ');
}

/** Tasks that both sides reviewed, but against different truths or with different matchers. They cannot be compared. */
export function incomparable(before: readonly RunEvidence[], after: readonly RunEvidence[]): string[] {
  const shared = [...new Set(before.map(({ task }) => task))].filter((task) =>
    after.some((run) => run.task === task),
  );
  const differs = (what: (run: RunEvidence) => string) =>
    shared.filter(
      (task) => new Set([...before, ...after].filter((run) => run.task === task).map(what)).size > 1,
    );
  const [truths, matchers] = [
    differs(({ truthHash }) => truthHash),
    differs(({ matcherVersion }) => matcherVersion),
  ];
  return [
    ...(truths.length > 0 ? [`the ground truth of ${truths.join(', ')} is not the same on both sides`] : []),
    ...(matchers.length > 0
      ? [`${matchers.join(', ')} was matched by different versions of the matcher`]
      : []),
  ];
}
