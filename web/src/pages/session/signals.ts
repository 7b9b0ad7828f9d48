/** What an explanation says, signal by signal. */
import type { Explanation } from '../../api/shapes.ts';

export type Run = Explanation['runs'][number];
export type CategoryName = keyof Run['categories'];
export type Signal = Run['categories'][CategoryName]['signals'][number];
export type PlacedSignal = Signal & { readonly category: CategoryName };

export const CATEGORIES: readonly CategoryName[] = ['completion', 'execution', 'efficiency', 'outcome'];

/** `user-corrections` → `User corrections`. */
export function signalName({ id }: Pick<Signal, 'id'>): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Biggest loss first; unmeasured last. */
export function signalsOf({ categories }: Run): readonly PlacedSignal[] {
  return CATEGORIES.flatMap((category) =>
    categories[category].signals.map((signal) => ({ ...signal, category })),
  ).toSorted(
    (a, b) => Number(a.value === null) - Number(b.value === null) || b.cost - a.cost || b.weight - a.weight,
  );
}

/** The run that lost most: the one to look at first. */
export function worstRun(runs: readonly Run[]): number {
  return runs.reduce((worst, { q }, index) => ((q ?? 1) < (runs[worst]?.q ?? 1) ? index : worst), 0);
}
