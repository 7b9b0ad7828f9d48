import { mean } from '../stats/descriptive.ts';
import type { ScoredSession } from './score-session.ts';
import { SIGNALS } from './signals/catalog.ts';

/** `signal_ended_normally` and so on: added to rows printed with their signals. */
export const SIGNAL_COLUMNS: readonly { readonly key: string; readonly doc: string }[] = SIGNALS.map(
  ({ id, title }) => ({
    key: keyOf(id),
    doc: `Signal: ${title}, 0–1, the mean of its runs; only where signals were asked for`,
  }),
);

function keyOf(id: string): string {
  return `signal_${id.replaceAll('-', '_')}`;
}

export function signalColumns({ runs }: ScoredSession): Record<string, number | undefined> {
  const signals = runs.flatMap(({ categories }) => Object.values(categories).flatMap((one) => one.signals));
  return Object.fromEntries(
    SIGNALS.map(({ id }) => {
      const own = signals.filter((one) => one.id === id);
      return [keyOf(id), mean(own.flatMap(({ reading }) => (reading.measured ? [reading.value] : [])))];
    }),
  );
}
