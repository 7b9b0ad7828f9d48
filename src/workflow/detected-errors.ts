import type { RunEvidence } from './evidence.ts';
import { evidenceWith, SIX_ERRORS } from './example-evidence.ts';
import { type Part, shareMetric } from './mean-over-runs.ts';
import type { ReviewMetric } from './metric.ts';
import type { Severity } from './truth.ts';

/** Credit over expected errors, of one severity or of all; a partial match earns `partial`. */
export function detectedErrors({ errors }: RunEvidence, severity?: Severity, partial = 0.5): Part {
  const counted = errors.filter((error) => severity === undefined || error.severity === severity);
  const count = counted.reduce((sum, { credit }) => sum + (credit === 0.5 ? partial : credit), 0);
  return { count, of: counted.length };
}

/** The detection rate among errors of one severity. */
export function detectionRateOf(severity: Severity, given: string, value: number): ReviewMetric {
  const word = severity.toLowerCase();
  return shareMetric({
    id: `workflow/dr-${word}`,
    file: `detection-rate-${word}`,
    label: `DR_${word}`,
    title: `Detection rate, ${word}`,
    question: `How many of the ${word} errors does the review find?`,
    formula: `(full matches + 0.5 × partial matches) / expected errors × 100, of the ${word} errors alone`,
    scale: 100,
    example: { given, cases: [evidenceWith({ errors: SIX_ERRORS })], value },
    part: (run) => detectedErrors(run, severity),
    whenEmpty: `the ground truth expects no ${word} errors`,
  });
}
