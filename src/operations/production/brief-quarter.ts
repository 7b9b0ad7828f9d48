import { decompositionMetrics } from '../../decomposition/catalog.ts';
import type { QuarterParts } from '../../decomposition/production/brief/brief.ts';
import { type Observed, reviewThreshold } from '../../decomposition/production/brief/review-thresholds.ts';
import type { ProductionCell } from '../../decomposition/production/cell.ts';
import { type Hallucination, hallucinationOf } from '../../decomposition/production/figures.ts';
import {
  type OperationalFigures,
  operationalFigures,
  type Production,
  sampledFigures,
} from '../../decomposition/production/production.ts';
import type { OverallWeights } from '../../decomposition/weights.ts';
import type { Measurement } from '../../measure/metric.ts';
import type { Period, Store } from '../../store/store.ts';
import { listPromptDecisions } from '../decomposition/prompt-versions.ts';
import type { Ports } from '../ports.ts';
import { readExperiments } from './experiments.ts';
import type { WatchedRecords } from './watched-decompositions.ts';

export type BriefQuarterRequest = {
  readonly prompts?: string;
  readonly cwd: string;
  readonly weights: OverallWeights;
};

const MOST_RUNS = 200;

const LINES: readonly (Omit<Observed, 'values' | 'per'> & {
  readonly of: (figures: OperationalFigures) => Measurement;
})[] = [
  {
    what: 'average confidence',
    unit: 'ratio',
    wrong: 'below',
    threshold: 0.7,
    of: ({ confidence }) => confidence,
  },
  { what: 'p95 latency', unit: 'ms', wrong: 'above', threshold: 5000, of: ({ latencyP95 }) => latencyP95 },
  {
    what: 'cost per decomposition',
    unit: 'usd',
    wrong: 'above',
    threshold: 0.1,
    of: ({ costUsd }) => costUsd,
  },
  {
    what: 'concepts per topic',
    unit: 'count',
    wrong: 'below',
    threshold: 10,
    of: ({ concepts }) => concepts,
  },
  { what: 'error rate', unit: 'ratio', wrong: 'above', threshold: 0.01, of: ({ errorRate }) => errorRate },
];

const SAMPLED_LINES: readonly { readonly what: string; readonly of: keyof Hallucination }[] = [
  { what: 'concepts rated as made up', of: 'ratedFabrications' },
  { what: 'concepts that the text never mentions', of: 'unmentionedConcepts' },
  { what: 'quotes that are not in the text', of: 'unsupportedQuotes' },
];

export async function briefQuarter(
  { prompts, cwd, weights }: BriefQuarterRequest,
  period: Required<Period>,
  { production, watched }: { readonly production: Production; readonly watched: WatchedRecords },
  ports: Ports,
): Promise<Omit<QuarterParts, 'feedback' | 'failures'>> {
  const store = await ports.store('looking');
  const folder = { cwd, prompts };
  const within = (at: string) => at >= period.since && at < period.until;
  const experiments = await readExperiments(folder, ports);
  const days = daysOf(production.cells);
  const runs = await runsIn(store, period, weights);
  return {
    experiments: experiments.filter(
      ({ startedAt, stopped }) =>
        startedAt < period.until && (stopped === undefined || stopped.at >= period.since),
    ),
    thresholds: [...LINES.map((line) => overDays(line, days)), ...sampledLines(watched), ...runs.lines].map(
      reviewThreshold,
    ),
    versions: production.versions.map((span) => ({ ...span, sample: sampleOf(span.cell, watched) })),
    decisions: listPromptDecisions(folder).decisions.filter(({ at }) => within(at)),
    days: days.length,
    runs: runs.count,
  };
}

function daysOf(cells: readonly ProductionCell[]): OperationalFigures[] {
  return [...Map.groupBy(cells, ({ at }) => at.slice(0, 10)).values()].map(operationalFigures);
}

function overDays({ of, ...line }: (typeof LINES)[number], days: readonly OperationalFigures[]): Observed {
  const values = days.map(of).flatMap((one) => (one.measured ? [one.value] : []));
  return { ...line, per: 'day', values };
}

function sampledLines({ sampled }: WatchedRecords): Observed[] {
  const days = [...Map.groupBy(sampled, ({ record }) => record.at.slice(0, 10)).values()].map(
    hallucinationOf,
  );
  return SAMPLED_LINES.map(({ what, of }) => ({
    what,
    unit: 'ratio',
    wrong: 'above',
    threshold: 0.02,
    per: 'day',
    values: days.map((day) => day[of]).flatMap((one) => (one.measured ? [one.value] : [])),
  }));
}

async function runsIn(
  store: Store,
  period: Period,
  weights: OverallWeights,
): Promise<{ readonly count: number; readonly lines: readonly Observed[] }> {
  const runs = await store.listRuns({ instrument: 'decomposition', ...period, limit: MOST_RUNS });
  const lines = decompositionMetrics(weights).flatMap(({ id, title, unit, better, zones }): Observed[] => {
    const values = runs.flatMap(({ metrics }) => {
      const one = metrics[id];
      return one?.measured ? [one.value] : [];
    });
    if (zones === undefined || values.length === 0) return [];
    const wrong = better === 'higher' ? 'below' : 'above';
    return [{ what: `${title}, target`, unit, wrong, threshold: zones.target, per: 'run', values }];
  });
  return { count: runs.length, lines };
}

function sampleOf({ promptVersion, model }: ProductionCell, { sampled, said, isPartial }: WatchedRecords) {
  const own = sampled.filter(
    ({ record }) => record.promptVersion === promptVersion && record.model === model,
  );
  const ids = new Set(own.map(({ id }) => id));
  return sampledFigures({ sampled: own, said: said.filter(({ id }) => ids.has(id)), isPartial });
}
