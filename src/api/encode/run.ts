/**
 * A run as it leaves the product, whichever door it leaves by. Only types of the schemas are imported: printing JSON
 * costs no schema library.
 */
import type { z } from 'zod';
import type { Gate } from '../../judge/gate.ts';
import type { Trend } from '../../judge/trend.ts';
import type { JudgedCase, Verdict } from '../../judge/verdict.ts';
import { metricKey } from '../../measure/metric.ts';
import type { gate as gateSchema } from '../schema/gate.ts';
import type { caseResult, run, trend } from '../schema/run.ts';
import { type ComparisonWire, encodeComparison } from './comparison.ts';
import { encodeMetrics } from './measurement.ts';

export type RunWire = z.infer<typeof run>;
export type CaseWire = z.infer<typeof caseResult>;
export type GateWire = z.infer<typeof gateSchema>;

/** A `RunWire` as it is printed. */
export type StreamedRun = { readonly [key: string]: unknown; readonly cases: Iterable<CaseWire> };

/** What an instrument adds to the shape that all share. */
export type RunAdditions = {
  readonly run?: Readonly<Record<string, unknown>>;
  readonly suite?: Readonly<Record<string, unknown>>;
  readonly case?: (id: string) => Readonly<Record<string, unknown>>;
  readonly comparison?: ComparisonWire;
};

export function encodeRun(verdict: Verdict, additions: RunAdditions = {}): RunWire {
  const streamed = streamRun(verdict, additions);
  return { ...streamed, cases: [...streamed.cases] } as RunWire;
}

/** The same with cases that are made one by one: thousands of them need not be there together. They can be read once. */
export function streamRun(verdict: Verdict, additions: RunAdditions = {}): StreamedRun {
  const { validity, comparison } = verdict;
  const compared = additions.comparison ?? (comparison && encodeComparison(comparison));
  return {
    format: 'assay-run',
    version: 2,
    run: {
      id: validity.runId,
      at: validity.at,
      instrument: verdict.instrument,
      subject: verdict.subject,
      scorer: validity.scorer,
      standard: validity.standard,
      ...additions.run,
    },
    suite: {
      truth_hash: validity.truthHash ?? null,
      n_cases: verdict.cases.length,
      n_errored: verdict.cases.filter((one) => one.error !== undefined).length,
      metrics: encodeMetrics(verdict.metrics),
      ...additions.suite,
    },
    cases: casesOf(verdict, additions),
    ...(compared && { comparison: compared }),
    gate: encodeGate(verdict.gate),
    trends: verdict.trends.map(encodeTrend),
    notes: [...verdict.notes],
  };
}

function* casesOf({ cases }: Verdict, additions: RunAdditions): Generator<CaseWire> {
  for (const one of cases) yield { ...encodeCase(one), ...additions.case?.(one.id) };
}

export function encodeCase({ id, error, metrics, zone, notes }: JudgedCase): CaseWire {
  return {
    id,
    error,
    metrics: encodeMetrics(metrics),
    zone: zone ?? null,
    notes: [...notes],
  };
}

export function encodeGate({ verdict, exitCode, reasons, checks }: Gate): GateWire {
  return {
    verdict,
    exit_code: exitCode,
    reasons: [...reasons],
    checks: checks.map(({ id, outcome, reason }) => ({ id, outcome, reason })),
  };
}

function encodeTrend({ metric, title, unit, points, declines, alert }: Trend): z.infer<typeof trend> {
  return {
    metric: metricKey(metric),
    title,
    unit,
    points: points.map(({ runId, at, value }) => ({ run_id: runId, at, value })),
    declines,
    alert,
  };
}
