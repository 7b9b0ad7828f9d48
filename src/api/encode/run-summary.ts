import type { z } from 'zod';
import type { ListedRun } from '../../results.ts';
import type { runSummary } from '../schema/run-summary.ts';
import { encodeNames } from './decomposition-run.ts';
import { encodeMetrics } from './measurement.ts';
import { encodeGate } from './run.ts';

/** A run without its cases. */
export function encodeRunSummary(one: ListedRun): z.infer<typeof runSummary> {
  const { runId, at, instrument, subject, scorer, truthHash, caseCount, metrics, gate, names } = one;
  const standard = one.judgement?.standard;
  return {
    format: 'assay-run',
    version: 2,
    run: {
      id: runId,
      at,
      instrument,
      subject,
      scorer,
      standard,
      ...(names && encodeNames(names)),
    },
    suite: { truth_hash: truthHash ?? null, n_cases: caseCount, metrics: encodeMetrics(metrics) },
    gate: encodeGate(gate),
  };
}
