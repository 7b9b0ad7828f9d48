/** What a card takes from the stored runs of an instrument. */
import type { Overview, RunSummary } from '../../api/shapes.ts';

export type Instrument = Overview['decomposition'];

export type Judged = RunSummary['suite']['metrics'][string];

export function metricOf(run: RunSummary | undefined, name: string): Judged | undefined {
  return run?.suite.metrics[name];
}

/** `decomposition/overall` → `overall`, as results name it. */
export function keyOf(metric: string): string {
  return (metric.split('/').at(-1) ?? metric).replaceAll('-', '_');
}

/** `concept_recall` → `concept recall`. */
export function wordsOf(key: string): string {
  return keyOf(key).replaceAll('_', ' ');
}

/** The newest run before this one of the same thing. */
export function formerOf({ runs }: Instrument, run: RunSummary): RunSummary | undefined {
  return runs.slice(runs.indexOf(run) + 1).find((one) => one.run.subject === run.run.subject);
}
