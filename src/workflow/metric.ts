import type { Metric } from '../measure/metric.ts';
import type { RunEvidence } from './evidence.ts';

/** A metric of reviews: what the contract asks for, and how the table of a score shows it. */
export type ReviewMetric = Metric<RunEvidence> & {
  /** Its documented short name, e.g. DR; without one the table shows the title. */
  readonly label?: string;
  /** A variant, or what a note or a column tells already: in JSON and CSV, not a row of its own. */
  readonly aside?: true;
  /** What one run does not have: it is measured over all runs of a score, or of both sides of a comparison. */
  readonly needs?: 'all runs' | 'two workflows';
};
