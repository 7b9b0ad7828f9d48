import type { CaseEvidence, TrialEvidence } from '../../decomposition/evidence.ts';
import { ratioOf } from '../../decomposition/production/figures.ts';
import type { Activity, ActivityFigures } from '../../decomposition/suite-run.ts';
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { quantile } from '../../stats/descriptive.ts';
import { normalQuantile } from '../../stats/distributions.ts';
import type { RunRecord } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type ActivityRequest = {
  readonly since?: string;
  /** Maximum number of runs, latest first. */
  readonly runs: number;
};

type Trial = TrialEvidence & { readonly ofCase: string };
type Seen = { readonly at: string; readonly trials: readonly Trial[] };

export async function readActivity(request: ActivityRequest, ports: Ports): Promise<Activity> {
  const store = await ports.store('looking');
  const { since, runs: most } = request;
  const listed = await store.listRuns({
    instrument: 'decomposition',
    limit: most + 1,
    since,
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

/** A case that could not be read counts as a failed output. */
function trialsOf({ cases }: RunRecord): Trial[] {
  return cases.flatMap(({ caseId: ofCase, evidence, error }) => {
    // This instrument wrote the record, and its hash is verified.
    if (evidence !== undefined)
      return (evidence as unknown as CaseEvidence).trials.map((trial) => ({ ...trial, ofCase }));
    return error === undefined ? [] : [{ ...NOTHING, ofCase, failed: error }];
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
  return {
    runs: seen.length,
    outputs: trials.length,
    errorRate: over(trials, ({ failed }) => [failed === undefined ? 0 : 1], 'share', 'there is no output'),
    concepts: over(answered, ({ concepts }) => [concepts.length], 'mean', 'no output was read'),
    relationships: over(
      answered,
      ({ relationships }) => [relationships.length],
      'mean',
      'no output was read',
    ),
    confidence: over(answered, confidencesIn, 'mean', 'no concept has a confidence'),
    latencyP50: quantileOf(latencies, 0.5),
    latencyP95: quantileOf(latencies, 0.95),
    latencyP99: quantileOf(latencies, 0.99),
    costUsd: over(
      trials,
      ({ costUsd }) => (costUsd === undefined ? [] : [costUsd]),
      'mean',
      'no output has a cost',
    ),
    totalCostUsd:
      costs.length === 0
        ? unmeasured('no output has a cost')
        : estimate(
            costs.reduce((sum, cost) => sum + cost, 0),
            costs.length,
          ),
    verified: over(answered, quotesIn, 'share', 'nothing was quoted'),
  };
}

/** 1 for a quote that occurs in the text. */
function quotesIn({ concepts }: TrialEvidence): number[] {
  return concepts.flatMap(({ quote: { state } }) => (state === 'none' ? [] : [state === 'verified' ? 1 : 0]));
}

function confidencesIn({ concepts }: TrialEvidence): number[] {
  return concepts.flatMap(({ confidence }) => confidence ?? []);
}

/** The mean over all values. Outputs of one case are correlated, so the interval uses cases as units. */
function over(
  trials: readonly Trial[],
  valuesOf: (trial: Trial) => readonly number[],
  kind: 'share' | 'mean',
  nothing: string,
): Measurement {
  const items = [...Map.groupBy(trials, ({ ofCase }) => ofCase).values()].map((group) => {
    const values = group.flatMap(valuesOf);
    return { count: values.reduce((sum, value) => sum + value, 0), of: values.length, probability: 1 };
  });
  return ratioOf(items, kind, nothing);
}

/** The confidence interval of the rank; none if it lies outside the sample. */
function quantileOf(values: readonly number[], share: number): Measurement {
  const value = quantile(values, share);
  if (value === undefined) return unmeasured('no output has a duration');
  const half = normalQuantile(0.975) * Math.sqrt((share * (1 - share)) / values.length);
  if (share - half < 0 || share + half > 1) return estimate(value, values.length);
  const [low, high] = [quantile(values, share - half), quantile(values, share + half)];
  return estimate(value, values.length, low === undefined || high === undefined ? {} : { low, high });
}

function tenthsOf(values: readonly number[]): number[] {
  const bins = Array.from({ length: 10 }, () => 0);
  for (const value of values) {
    const at = Math.min(9, Math.max(0, Math.floor(value * 10)));
    bins[at] = (bins[at] ?? 0) + 1;
  }
  return bins;
}
