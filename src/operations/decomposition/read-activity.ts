import type { CaseEvidence, TrialEvidence } from '../../decomposition/evidence.ts';
import type { Activity, ActivityFigures } from '../../decomposition/results.ts';
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { mean } from '../../stats/mean.ts';
import { quantile } from '../../stats/quantile.ts';
import type { RunRecord } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type ActivityRequest = {
  /** Only runs since then. */
  readonly since?: string;
  /** At most so many runs, the latest. */
  readonly runs: number;
};

type Seen = { readonly at: string; readonly trials: readonly TrialEvidence[] };

/** Latency, cost, errors and how much was extracted, by hour and day, from the evidence of stored runs. */
export async function readActivity(request: ActivityRequest, ports: Ports): Promise<Activity> {
  const store = await ports.store('looking');
  const { since, runs: most } = request;
  const listed = await store.listRuns({
    instrument: 'decomposition',
    limit: most + 1,
    ...(since !== undefined && { since }),
  });
  const seen: Seen[] = [];
  let withoutEvidence = 0;
  for (const { runId } of listed.slice(0, most)) {
    const record = await store.readRun(runId);
    const trials = record === undefined ? [] : trialsOf(record);
    if (record === undefined || trials.length === 0) withoutEvidence += 1;
    else seen.push({ at: record.at, trials });
  }
  return {
    whole: figuresOf(seen),
    hours: bucketsOf(seen, 13, ':00:00.000Z'),
    days: bucketsOf(seen, 10, 'T00:00:00.000Z'),
    confidences: tenthsOf(seen.flatMap(({ trials }) => trials.flatMap(confidencesIn))),
    withoutEvidence,
    partial: listed.length > most,
  };
}

/** A case that could not be read at all counts as an output that failed. */
function trialsOf({ cases }: RunRecord): TrialEvidence[] {
  return cases.flatMap(({ evidence, error }) => {
    // Written by this instrument, and its hash is checked.
    if (evidence !== undefined) return (evidence as unknown as CaseEvidence).trials;
    return error === undefined ? [] : [{ ...NOTHING, failed: error }];
  });
}

const NOTHING: TrialEvidence = { concepts: [], expected: [], relationships: [], expectedRelationships: [] };

function bucketsOf(seen: readonly Seen[], length: number, end: string) {
  const groups = Map.groupBy(seen, ({ at }) => `${at.slice(0, length)}${end}`);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([at, group]) => ({ at, ...figuresOf(group) }));
}

function figuresOf(seen: readonly Seen[]): ActivityFigures {
  const trials = seen.flatMap((one) => one.trials);
  const answered = trials.filter(({ failed }) => failed === undefined);
  const latencies = trials.flatMap(({ latencyMs }) => latencyMs ?? []);
  const costs = trials.flatMap(({ costUsd }) => costUsd ?? []);
  const quotes = answered.flatMap(({ concepts }) => concepts.flatMap(({ quote }) => quote.state));
  const quoted = quotes.filter((state) => state !== 'none');
  return {
    runs: seen.length,
    outputs: trials.length,
    errorRate: meanOf(
      trials.map(({ failed }) => (failed === undefined ? 0 : 1)),
      'there is no output',
    ),
    concepts: meanOf(
      answered.map(({ concepts }) => concepts.length),
      'no output was read',
    ),
    relationships: meanOf(
      answered.map(({ relationships }) => relationships.length),
      'no output was read',
    ),
    confidence: meanOf(answered.flatMap(confidencesIn), 'no concept says how sure it is'),
    latencyP50: quantileOf(latencies, 0.5),
    latencyP95: quantileOf(latencies, 0.95),
    latencyP99: quantileOf(latencies, 0.99),
    costUsd: meanOf(costs, 'no output says what it cost'),
    totalCostUsd:
      costs.length === 0
        ? unmeasured('no output says what it cost')
        : estimate(
            costs.reduce((sum, cost) => sum + cost, 0),
            costs.length,
          ),
    verified: meanOf(
      quoted.map((state) => (state === 'verified' ? 1 : 0)),
      'nothing was quoted',
    ),
  };
}

function confidencesIn({ concepts }: TrialEvidence): number[] {
  return concepts.flatMap(({ confidence }) => confidence ?? []);
}

function meanOf(values: readonly number[], reason: string): Measurement {
  const value = mean(values);
  return value === undefined ? unmeasured(reason) : estimate(value, values.length);
}

function quantileOf(values: readonly number[], share: number): Measurement {
  const value = quantile(values, share);
  return value === undefined ? unmeasured('no output says how long it took') : estimate(value, values.length);
}

function tenthsOf(values: readonly number[]): number[] {
  const bins = Array.from({ length: 10 }, () => 0);
  for (const value of values) {
    const at = Math.min(9, Math.max(0, Math.floor(value * 10)));
    bins[at] = (bins[at] ?? 0) + 1;
  }
  return bins;
}
