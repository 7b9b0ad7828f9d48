import type { Metric } from '../measure/metric.ts';
import type { RunEvidence } from './evidence.ts';

/** A metric of reviews: the metric contract, plus how the table of a score shows it. */
export type ReviewMetric = Metric<RunEvidence> & {
  /** Its documented short name, e.g. DR; without one the table shows the title. */
  readonly label?: string;
  /** A variant, or a value that a note or a column already shows: in JSON and CSV, but without its own row. */
  readonly aside?: true;
  /** Absent for a single run: it is measured over all runs of a score, or over both sides of a comparison. */
  readonly needs?: 'all runs' | 'two workflows';
};
