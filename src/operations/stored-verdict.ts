import { EXIT_CODES, type Gate } from '../judge/gate.ts';
import { judgeAgain } from '../judge/judgement.ts';
import { type Declaration, type JudgedMetric, judgeMetrics, type Verdict } from '../judge/verdict.ts';
import type { Measurement } from '../measure/metric.ts';
import { readSeries } from '../pipeline.ts';
import type { RunRecord, RunSummary, Store } from '../store/store.ts';

type Stored = Pick<RunSummary, 'verdict' | 'judgement' | 'metrics'>;

/** The metrics of a stored run in the zones they were judged by. */
export async function storedMetrics({ judgement, metrics }: Stored): Promise<JudgedMetric[]> {
  return judgement === undefined
    ? withoutZones(metrics, await declarations())
    : judgeMetrics(judgement.metrics, metrics);
}

/** The reasons of the verdict, as far as they are stored. */
export function storedGate({ verdict, judgement }: Stored): Gate {
  const { checks = [], reasons = [] } = judgement ?? {};
  return { verdict, exitCode: EXIT_CODES[verdict], checks, reasons };
}

/** The verdict of a stored run, as it was judged then, with the trend that led to it. */
export async function storedVerdict(record: RunRecord, store: Pick<Store, 'listRuns'>): Promise<Verdict> {
  const { judgement } = record;
  if (judgement !== undefined) {
    const before = { at: record.at, key: record.runId };
    const earlier = await readSeries(record, judgement.gate.gated, store, before);
    const verdict = judgeAgain({ ...record, judgement }, {}, earlier);
    return { ...verdict, gate: storedGate(record), notes: judgement.notes ?? [] };
  }
  const { runId, at, scorer, truthHash, instrument, subject, cases } = record;
  const declared = await declarations();
  const errored = cases.filter(({ error }) => error !== undefined).length;
  return {
    instrument,
    subject,
    validity: {
      runId,
      at,
      scorer,
      truthHash,
      cases: cases.length - errored,
      skipped: errored === 0 ? {} : { 'could not be read': errored },
    },
    metrics: withoutZones(record.metrics, declared),
    cases: cases.map(({ caseId, metrics, zone, error }) => ({
      id: caseId,
      metrics: withoutZones(metrics, declared),
      notes: [],
      ...(zone && { zone }),
      ...(error !== undefined && { error }),
    })),
    trends: [],
    gate: storedGate(record),
    notes: [],
  };
}

/** Only for runs without stored zones; loaded on demand, because it loads every instrument. */
async function declarations(): Promise<readonly Declaration[]> {
  return (await import('../measure/catalog.ts')).CATALOG;
}

/** In the order of the catalogue. Today's zones say nothing about a verdict of then. */
function withoutZones(
  metrics: Readonly<Record<string, Measurement>>,
  declared: readonly Declaration[],
): JudgedMetric[] {
  const known = declared.filter(({ id }) => Object.hasOwn(metrics, id));
  const ids = new Set(known.map(({ id }) => id));
  // Of a metric that no longer exists only the value is known.
  const gone = Object.keys(metrics).filter((id) => !ids.has(id));
  return judgeMetrics(
    [
      ...known.map(({ id, title, unit, better }) => ({ id, title, unit, better })),
      ...gone.map((id) => ({ id, title: id, unit: 'score' as const, better: 'higher' as const })),
    ],
    metrics,
  );
}
