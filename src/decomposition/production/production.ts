import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { wilson } from '../../stats/intervals.ts';
import type { ExtractionFigures } from '../suite-run.ts';
import { emptyCell, mergeCells, type ProductionCell, type ProductionGrain } from './cell.ts';
import {
  errorRate,
  feedbackScore,
  type Hallucination,
  hallucinationOf,
  latencyAt,
  meanConfidence,
  meanOf,
  quotesVerified,
  ratedAcceptable,
  ratedPrecision,
  ratedRecall,
} from './figures.ts';
import { raterAgreement } from './opinions.ts';
import type { Watched } from './watched.ts';

export type OperationalFigures = ExtractionFigures & { readonly requests: number; readonly errors: number };

export type SampledFigures = {
  readonly sampled: number;
  readonly rated: number;
  readonly shareRated: Measurement;
  readonly acceptable: Measurement;
  readonly precision: Measurement;
  readonly recall: Measurement;
  readonly agreement: Measurement;
  readonly feedback: Measurement;
  readonly quotesVerified: Measurement;
  readonly hallucination: Hallucination;
  /** There are older sampled requests that were not looked at. */
  readonly isPartial: boolean;
};

export type ProductionSpan = { readonly cell: ProductionCell; readonly figures: OperationalFigures };

/** What may explain a change in the figures. */
export type ProductionEvent = {
  readonly at: string;
  readonly kind: 'alert' | 'prompt' | 'experiment';
  readonly label: string;
  readonly text: string;
};

export type Production = {
  readonly since?: string;
  readonly until?: string;
  readonly by: ProductionGrain;
  /** By span, prompt version and model, oldest first. */
  readonly cells: readonly ProductionCell[];
  /** By span alone, oldest first. */
  readonly spans: readonly ProductionSpan[];
  /** By prompt version and model over the whole time, the most requests first. */
  readonly versions: readonly ProductionSpan[];
  readonly operational: OperationalFigures;
  readonly sample: SampledFigures;
  /** Oldest first. */
  readonly events: readonly ProductionEvent[];
};

export type WatchedSample = {
  readonly sampled: readonly Watched[];
  readonly said: readonly Watched[];
  readonly isPartial: boolean;
};

export function productionOf(
  { by, since, until }: Pick<Production, 'by' | 'since' | 'until'>,
  cells: readonly ProductionCell[],
  sample: WatchedSample,
  events: readonly ProductionEvent[] = [],
): Production {
  return {
    since,
    until,
    by,
    cells,
    spans: mergedBy(cells, ({ at }) => at),
    versions: mergedBy(cells, ({ promptVersion, model }) => JSON.stringify([promptVersion, model])).toSorted(
      (a, b) => b.cell.requests - a.cell.requests,
    ),
    operational: operationalFigures(cells),
    sample: sampledFigures(sample),
    events,
  };
}

function mergedBy(cells: readonly ProductionCell[], key: (cell: ProductionCell) => string): ProductionSpan[] {
  return [...Map.groupBy(cells, key).values()].map((group) => ({
    cell: mergeCells(group) ?? emptyCell({ at: '' }),
    figures: operationalFigures(group),
  }));
}

export function operationalFigures(cells: readonly ProductionCell[]): OperationalFigures {
  const cell = mergeCells(cells) ?? emptyCell({ at: '' });
  const nothing = (what: string) =>
    cell.requests === 0 ? 'there were no requests' : `no request reported ${what}`;
  return {
    requests: cell.requests,
    errors: cell.errors,
    errorRate: errorRate(cell),
    concepts: meanOf(cell.concepts, nothing('its number of concepts')),
    relationships: meanOf(cell.relationships, nothing('its number of relationships')),
    confidence: meanConfidence(cell),
    latencyP50: latencyAt(cell.latency, 0.5),
    latencyP95: latencyAt(cell.latency, 0.95),
    latencyP99: latencyAt(cell.latency, 0.99),
    costUsd: meanOf(cell.cost, nothing('its cost')),
    totalCostUsd: cell.cost.n === 0 ? unmeasured(nothing('its cost')) : estimate(cell.cost.sum, cell.cost.n),
  };
}

export function sampledFigures({ sampled, said, isPartial }: WatchedSample): SampledFigures {
  const opinions = sampled.flatMap(({ rated: said }) => (said?.acceptable === undefined ? [] : [said]));
  const rated = opinions.length;
  return {
    sampled: sampled.length,
    rated,
    shareRated:
      sampled.length === 0
        ? unmeasured('no request was sampled')
        : estimate(rated / sampled.length, sampled.length, wilson(rated, sampled.length) ?? {}),
    acceptable: ratedAcceptable(sampled),
    precision: ratedPrecision(sampled),
    recall: ratedRecall(sampled),
    agreement: raterAgreement(opinions),
    feedback: feedbackScore(said),
    quotesVerified: quotesVerified(sampled),
    hallucination: hallucinationOf(sampled),
    isPartial,
  };
}
