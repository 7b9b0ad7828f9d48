/** Measurements as cells of a table. */
import { estimate, type Measurement } from '../../measure/metric.ts';
import type { Styled } from '../../report/document.ts';
import type { ReviewMetric } from '../metric.ts';

/** The documented table has shares as percentages and everything else with two digits. */
export function styled({ unit }: Pick<ReviewMetric, 'unit'>, measurement: Measurement): Styled {
  return { value: withoutInterval(measurement), style: unit === 'percent' ? 'percent' : 'score' };
}

/** The interval of the detection rate stands in the answer; beside every value there is no room for one. */
export function withoutInterval(measurement: Measurement): Measurement {
  return measurement.measured ? estimate(measurement.value, measurement.n) : measurement;
}
