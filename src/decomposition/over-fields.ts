import type { Measurement } from '../measure/metric.ts';
import type { CaseEvidence, FieldEvidence } from './evidence.ts';
import { shareOverTrials } from './over-trials.ts';

type Count = (field: FieldEvidence) => number;

/**
 * A share of the fields of each trial. No fields, although some are expected, is a failure; a case without fields is
 * unmeasured.
 */
export function shareOverFields(
  cases: readonly CaseEvidence[],
  part: Count,
  whole: Count,
  whenEmpty: string,
): Measurement {
  const sum = (fields: readonly FieldEvidence[] | undefined, count: Count) =>
    (fields ?? []).reduce((total, one) => total + count(one), 0);
  return shareOverTrials(
    cases,
    ({ fields }) => ({
      count: sum(fields, part),
      of: sum(fields, whole),
      asked: sum(fields, ({ wanted }) => wanted),
    }),
    whenEmpty,
  );
}
