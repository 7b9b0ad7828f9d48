import type { Measurement } from '../../../measure/metric.ts';
import { emptyCell, mergeCells, type ProductionCell } from '../cell.ts';
import { latencyAt } from '../figures.ts';
import type { DecompositionRecord } from '../record.ts';

export type LatencyFigures = {
  readonly p50: Measurement;
  readonly p95: Measurement;
  readonly p99: Measurement;
};

export type LatencyTrend = {
  readonly now: LatencyFigures;
  readonly before: LatencyFigures;
  /** Of the 95th percentile: told only where the intervals of the two spans do not meet. */
  readonly change: 'slower' | 'faster' | 'no clear change' | 'not measured';
  readonly days: readonly (LatencyFigures & { readonly day: string; readonly requests: number })[];
  /** Of the sampled requests. */
  readonly slowest: readonly Pick<DecompositionRecord, 'id' | 'latencyMs' | 'topic'>[];
};

export function latencyTrend(
  now: readonly ProductionCell[],
  before: readonly ProductionCell[],
  sampled: readonly DecompositionRecord[],
): LatencyTrend {
  const [here, there] = [figuresOf(now), figuresOf(before)];
  const days = Map.groupBy(now, ({ at }) => at.slice(0, 10));
  return {
    now: here,
    before: there,
    change: changeOf(there.p95, here.p95),
    days: [...days]
      .map(([day, cells]) => ({
        day,
        requests: cells.reduce((sum, { requests }) => sum + requests, 0),
        ...figuresOf(cells),
      }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    slowest: sampled
      .filter(({ latencyMs }) => latencyMs !== undefined)
      .sort((a, b) => (b.latencyMs ?? 0) - (a.latencyMs ?? 0))
      .slice(0, 3)
      .map(({ id, latencyMs, topic }) => ({
        id,
        latencyMs,
        topic,
      })),
  };
}

function figuresOf(cells: readonly ProductionCell[]): LatencyFigures {
  const { latency } = mergeCells(cells) ?? emptyCell({ at: '' });
  return { p50: latencyAt(latency, 0.5), p95: latencyAt(latency, 0.95), p99: latencyAt(latency, 0.99) };
}

function changeOf(before: Measurement, now: Measurement): LatencyTrend['change'] {
  if (!before.measured || !now.measured) return 'not measured';
  if (now.low !== undefined && before.high !== undefined && now.low > before.high) return 'slower';
  if (now.high !== undefined && before.low !== undefined && now.high < before.low) return 'faster';
  return 'no clear change';
}
