import type { z } from 'zod';
import type { Activity, ActivityFigures } from '../../decomposition/results.ts';
import type { decompositionActivity } from '../schema/decomposition-activity.ts';
import { encodeExtractionFigures } from './extraction-figures.ts';
import { encodeMeasurement } from './measurement.ts';

type Wire = z.infer<typeof decompositionActivity>;

export function encodeActivity(activity: Activity): Wire {
  const { whole, hours, days, confidences, withoutEvidence, partial } = activity;
  return {
    format: 'assay-decomposition-activity',
    version: 1,
    whole: encodeFigures(whole),
    hours: hours.map((one) => ({ at: one.at, ...encodeFigures(one) })),
    days: days.map((one) => ({ at: one.at, ...encodeFigures(one) })),
    confidences: [...confidences],
    without_evidence: withoutEvidence,
    partial,
  };
}

function encodeFigures(figures: ActivityFigures): Wire['whole'] {
  return {
    runs: figures.runs,
    outputs: figures.outputs,
    ...encodeExtractionFigures(figures),
    verified_quotes: encodeMeasurement(figures.verified),
  };
}
