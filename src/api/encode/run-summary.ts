import type { z } from 'zod';
import type { RunFacts } from '../../decomposition/suite-run.ts';
import type { Gate } from '../../judge/gate.ts';
import type { JudgedMetric } from '../../judge/verdict.ts';
import type { runSummary } from '../schema/run-summary.ts';
import { encodeNames } from './decomposition-run.ts';
import { encodeMetrics } from './measurement.ts';
import { encodeGate } from './run.ts';

export type ListedWire = {
  readonly runId: string;
  readonly at: string;
  readonly instrument: string;
  readonly subject: string;
  readonly scorer: string;
  readonly truthHash?: string;
  readonly caseCount: number;
  readonly metrics: readonly JudgedMetric[];
  readonly gate: Gate;
  readonly names?: RunFacts;
  readonly judgement?: { readonly standard?: string };
};

/** A run without its cases. */
export function encodeRunSummary(one: ListedWire): z.infer<typeof runSummary> {
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
      ...(standard !== undefined && { standard }),
      ...(names && encodeNames(names)),
    },
    suite: { truth_hash: truthHash ?? null, n_cases: caseCount, metrics: encodeMetrics(metrics) },
    gate: encodeGate(gate),
  };
}
