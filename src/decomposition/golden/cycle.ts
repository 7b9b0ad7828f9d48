export type CycleStep = { readonly from: string; readonly to: string };

/** Closed ways through the steps, as the places of their steps in order. Every step of a circle is in one of them. */
export function findCycles(steps: readonly CycleStep[]): number[][] {
  const leaving = Map.groupBy(steps.keys(), (i) => steps[i]?.from ?? '');
  const told = new Set<number>();
  return steps.flatMap(({ from, to }, first) => {
    // A circle is told where its first step stands, not once for every step of it.
    const back = told.has(first) ? undefined : shortestWay(steps, leaving, to, from);
    if (back === undefined) return [];
    const cycle = [first, ...back];
    for (const step of cycle) told.add(step);
    return [cycle];
  });
}

function shortestWay(
  steps: readonly CycleStep[],
  leaving: ReadonlyMap<string, readonly number[]>,
  start: string,
  goal: string,
): number[] | undefined {
  const ways = new Map<string, number[]>([[start, []]]);
  for (const [at, way] of ways) {
    if (at === goal) return way;
    for (const step of leaving.get(at) ?? []) {
      const next = steps[step]?.to ?? '';
      if (!ways.has(next)) ways.set(next, [...way, step]);
    }
  }
  return undefined;
}
