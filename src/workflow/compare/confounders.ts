/** What else could have made the difference. */
import type { RunEvidence } from '../evidence.ts';

export type Confounder = {
  readonly name: 'task' | 'ground truth' | 'model' | 'evaluator' | 'matcher';
  readonly state: 'held' | 'differs' | 'not recorded';
  readonly before: string;
  readonly after: string;
};

export function confoundersOf(before: readonly RunEvidence[], after: readonly RunEvidence[]): Confounder[] {
  const compare = (name: Confounder['name'], values: (run: RunEvidence) => readonly (string | undefined)[]) =>
    confounder(name, before.map(values), after.map(values));
  return [
    compare('task', ({ task }) => [task]),
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

/** Tasks that both sides reviewed, but against different truths or by different matchers: nothing to compare. */
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
