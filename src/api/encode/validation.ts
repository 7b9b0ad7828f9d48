import type { z } from 'zod';
import type { OutcomeValidation } from '../../session/calibration/validate-outcomes.ts';
import type { RatingValidation } from '../../session/calibration/validate-ratings.ts';
import type { Validation } from '../../session/results.ts';
import type { ratingValidation, validation as schema } from '../schema/validation.ts';
import { encodeMeasurement } from './measurement.ts';

type ValidationWire = z.infer<typeof schema>;

export function encodeValidation(result: Validation): ValidationWire {
  return result.against === 'ratings'
    ? encodeRatingValidation(result.validation)
    : againstOutcomes(result.validation);
}

export function encodeRatingValidation(validation: RatingValidation): z.infer<typeof ratingValidation> {
  const { sessions, ratings, skipped, target, overall, perType, verdict, bias, raters } = validation;
  return {
    format: 'assay-validation',
    version: 1,
    against: 'ratings',
    sessions,
    ratings,
    skipped: { ...skipped },
    target,
    pearson: encodeMeasurement(overall.pearson),
    spearman: encodeMeasurement(overall.spearman),
    per_type: perType.map(({ taskType, n, pearson, spearman }) => ({
      task_type: taskType,
      n,
      pearson: encodeMeasurement(pearson),
      spearman: encodeMeasurement(spearman),
    })),
    verdict: { verdict: verdict.verdict, because: verdict.because, needed: verdict.needed ?? null },
    bias: bias.map(({ taskType, interval, p, n, value, verdict: found, because }) => ({
      task_type: taskType,
      n,
      value,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      p: p ?? null,
      verdict: found,
      because,
    })),
    rated_twice: validation.ratedTwice,
    raters: encodeMeasurement(raters),
    precision: { ...validation.precision },
  };
}

function againstOutcomes(validation: OutcomeValidation): ValidationWire {
  const { sessions, successes, skipped, auc, perType, perSource, brier, reliability } = validation;
  return {
    format: 'assay-validation',
    version: 1,
    against: 'outcomes',
    sessions,
    successes,
    skipped: { ...skipped },
    tasks: validation.tasks ?? null,
    auc: encodeMeasurement(auc),
    auc_within_sources: encodeMeasurement(validation.withinSources),
    auc_by_source: encodeMeasurement(validation.bySource),
    per_type: perType.map((one) => ({ task_type: one.taskType, auc: encodeMeasurement(one.auc) })),
    per_source: perSource.map(({ source, auc: own }) => ({ source, auc: encodeMeasurement(own) })),
    brier: encodeMeasurement(brier),
    reliability: reliability.map(({ low, high, meanPredicted, observed, interval, n }) => ({
      from: low,
      to: high,
      mean_predicted: meanPredicted,
      observed: encodeMeasurement({
        measured: true,
        value: observed,
        n,
        low: interval.low,
        high: interval.high,
      }),
    })),
  };
}
