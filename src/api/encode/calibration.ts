import type { z } from 'zod';
import type { ScoreComparison } from '../../session/calibration/compare-scores.ts';
import type { CalibrationResult } from '../../session/results.ts';
import type { calibration as schema } from '../schema/calibration.ts';
import { encodeMeasurement } from './measurement.ts';

type CalibrationWire = z.infer<typeof schema>;

export function encodeCalibration({ calibration, out }: CalibrationResult): CalibrationWire {
  const { weights, types, folds, verdict } = calibration;
  return {
    format: 'assay-calibration',
    version: 1,
    kind: calibration.kind,
    sessions: calibration.sessions,
    sources: calibration.sources,
    without_q: calibration.withoutQ,
    weights: {
      name: weights.name,
      profiles: { ...weights.profiles },
      ...(weights.signals && { signals: { ...weights.signals } }),
    },
    types: types.map(({ taskType, n, fitted }) => ({ task_type: taskType, n, fitted })),
    shrinkage: finite(calibration.shrinkage),
    method: calibration.method,
    folds: folds.map(({ name, n, shrinkage }) => ({ name, n, shrinkage: finite(shrinkage) })),
    in_sample: encodeComparison(calibration.inSample, calibration.sessions),
    out_of_fold: encodeComparison(calibration.outOfFold, calibration.sessions),
    verdict: { ...verdict },
    scorer_version: calibration.scorerVersion,
    out: out ?? null,
  };
}

function encodeComparison(comparison: ScoreComparison, sessions: number): CalibrationWire['in_sample'] {
  const { figures, gain, sourcesGained, sourcesMeasured } = comparison;
  return {
    figures: figures.map(({ scope, metric, documented, calibrated }) => ({
      scope,
      metric,
      documented: encodeMeasurement(documented),
      calibrated: encodeMeasurement(calibrated),
    })),
    gain: encodeMeasurement(
      gain === undefined
        ? { measured: false, reason: 'too few labelled sessions to measure both scores' }
        : { measured: true, value: gain.value, n: sessions, ...gain.interval },
    ),
    sources_gained: sourcesGained,
    sources_measured: sourcesMeasured,
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
