import { EXIT_CODES, type Gate } from '../judge/gate.ts';
import { judgeAgain } from '../judge/judgement.ts';
import { type JudgedMetric, judgeMetrics, type Verdict } from '../judge/verdict.ts';
import type { Measurement } from '../measure/metric.ts';
import type { RunRecord, RunSummary } from '../store/store.ts';

type Stored = Pick<RunSummary, 'verdict' | 'judgement' | 'metrics'>;

/** The metrics of a stored run in the zones they were judged by; runs of the first release kept none. */
export function storedMetrics({ judgement, metrics }: Stored): JudgedMetric[] {
  return judgement === undefined ? withoutZones(metrics) : judgeMetrics(judgement.metrics, metrics);
}

/** Why the verdict was what it is, as far as it was kept. */
export function storedGate({ verdict, judgement }: Stored): Gate {
  const { checks = [], reasons = [] } = judgement ?? {};
  return { verdict, exitCode: EXIT_CODES[verdict], checks, reasons };
}

/** The verdict of a stored run, as it was judged then. */
export function storedVerdict(record: RunRecord): Verdict {
  const { judgement } = record;
  if (judgement !== undefined) return { ...judgeAgain({ ...record, judgement }), gate: storedGate(record) };
  const { runId, at, scorer, truthHash, instrument, subject, cases } = record;
  const errored = cases.filter(({ error }) => error !== undefined).length;
  return {
    instrument,
    subject,
    validity: {
      runId,
      at,
      scorer,
      ...(truthHash !== undefined && { truthHash }),
      cases: cases.length - errored,
      skipped: errored === 0 ? {} : { 'could not be read': errored },
    },
    metrics: storedMetrics(record),
    cases: cases.map(({ caseId, metrics, zone, error }) => ({
      id: caseId,
      metrics: withoutZones(metrics),
      notes: [],
      ...(zone && { zone }),
      ...(error !== undefined && { error }),
    })),
    trends: [],
    gate: storedGate(record),
    notes: [],
  };
}

function withoutZones(metrics: Readonly<Record<string, Measurement>>): JudgedMetric[] {
  return Object.entries(metrics).map(([id, measurement]) => ({
    id,
    title: id,
    unit: 'ratio',
    better: 'higher',
    measurement,
  }));
}
