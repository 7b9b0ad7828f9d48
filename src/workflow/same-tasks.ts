/**
 * Detects tasks with the same text under several names. They count as one, because their errors are not independent.
 */
import type { Likeness } from './evidence.ts';

export type Placed = {
  readonly task: string;
  readonly id?: string;
  readonly document?: string;
  readonly likeness?: Likeness;
};

/** Task → the first of the tasks it is a duplicate of. */
export function sameTasks(errors: readonly Placed[]): ReadonlyMap<string, string> {
  const sizes = new Map<string, number>();
  for (const { task } of errors) sizes.set(task, (sizes.get(task) ?? 0) + 1);
  const parent = new Map([...sizes.keys()].map((task) => [task, task]));
  const root = (task: string): string => {
    const up = parent.get(task) ?? task;
    return up === task ? task : root(up);
  };
  if (sizes.size > 1)
    for (const [one, other] of alikePairs(errors, sizes)) {
      const [a, b] = [root(one), root(other)].sort() as [string, string];
      parent.set(b, a);
    }
  return new Map([...sizes.keys()].map((task) => [task, root(task)]));
}

/** Enough to rule out coincidence if only the place or only the words of errors are the same. */
const ALIKE_IN_PART = 3;

function alikePairs(errors: readonly Placed[], sizes: ReadonlyMap<string, number>): [string, string][] {
  const pairs = new Map<
    string,
    { tasks: [string, string]; text: boolean; whole: Set<string>; part: Set<string> }
  >();
  const meet = (
    of: (likeness: Likeness) => string | undefined,
    note: (pair: { text: boolean; whole: Set<string>; part: Set<string> }, error: string) => void,
  ) => {
    const found = Map.groupBy(
      errors.filter(({ likeness }) => likeness !== undefined && of(likeness) !== undefined),
      ({ likeness }) => of(likeness as Likeness),
    );
    for (const own of found.values()) {
      const tasks = [...new Map(own.map((error) => [error.task, error])).values()];
      for (const [i, one] of tasks.entries())
        for (const other of tasks.slice(i + 1)) {
          const key = JSON.stringify([one.task, other.task].sort());
          const pair = pairs.get(key) ?? {
            tasks: [one.task, other.task],
            text: false,
            whole: new Set(),
            part: new Set(),
          };
          note(pair, JSON.stringify(one.likeness));
          pairs.set(key, pair);
        }
    }
  };
  meet(
    ({ text }) => text,
    (pair) => {
      pair.text = true;
    },
  );
  meet(
    ({ place, words }) => (place && words ? place + words : undefined),
    ({ whole }, error) => whole.add(error),
  );
  meet(
    ({ place }) => place,
    ({ part }, error) => part.add(error),
  );
  meet(
    ({ words }) => words,
    ({ part }, error) => part.add(error),
  );
  return [...pairs.values()].flatMap(({ tasks, text, whole, part }) => {
    const half = Math.min(...tasks.map((task) => sizes.get(task) ?? 0)) / 2;
    const same = text || whole.size > half || (part.size >= ALIKE_IN_PART && part.size > half);
    return same ? [tasks] : [];
  });
}

/** Groups errors that are not independent: by task, or by document within a single task. */
export type Clustered = { readonly clusters: readonly string[]; readonly by: 'task' | 'document' | 'error' };

export function clusterErrors(errors: readonly Placed[]): Clustered {
  const same = sameTasks(errors);
  const tasks = errors.map(({ task }) => same.get(task) ?? task);
  if (new Set(tasks).size > 1) return { clusters: tasks, by: 'task' };
  const documents = new Set(errors.flatMap(({ document }) => document ?? []));
  const itself = ({ task, likeness }: Placed, i: number) =>
    same.size > 1 ? (likeness?.place ?? likeness?.words ?? task) : String(i);
  // An error without a document is its own cluster and does not count as a second document.
  if (documents.size > 1)
    return {
      clusters: errors.map((one, i) => JSON.stringify(one.document ?? itself(one, i))),
      by: 'document',
    };
  return { clusters: errors.map(itself), by: 'error' };
}

export function sameTasksNotes(errors: readonly Placed[]): string[] {
  const groups = Map.groupBy(sameTasks(errors), ([, first]) => first);
  return [...groups.values()].flatMap((own) =>
    own.length > 1
      ? [`${own.map(([task]) => task).join(', ')} hold the same text and count as one task.`]
      : [],
  );
}
