import type { Measurement } from '../../../measure/metric.ts';
import { emptyCell, mergeCells, type ProductionCell } from '../cell.ts';
import { errorRate } from '../figures.ts';
import type { DecompositionRecord } from '../record.ts';

export type FailureKind = {
  readonly kind: string;
  readonly count: number;
  readonly before: number;
  readonly examples: readonly Pick<DecompositionRecord, 'id' | 'at' | 'model' | 'promptVersion'>[];
};

export type FailureTrend = {
  readonly rate: Measurement;
  readonly before: Measurement;
  /** The most first. */
  readonly kinds: readonly FailureKind[];
};

const MOST_EXAMPLES = 2;

/** `failed`: some of the records, newest first. */
export function failureTrend(
  now: readonly ProductionCell[],
  before: readonly ProductionCell[],
  failed: readonly DecompositionRecord[],
): FailureTrend {
  const [here, there] = [now, before].map((cells) => mergeCells(cells) ?? emptyCell({ at: '' }));
  if (here === undefined || there === undefined) throw new RangeError('two spans are compared');
  return {
    rate: errorRate(here),
    before: errorRate(there),
    kinds: Object.entries(here.errorKinds)
      .map(([kind, count]) => ({
        kind,
        count,
        before: there.errorKinds[kind] ?? 0,
        examples: failed
          .filter(({ errorKind = 'unknown' }) => errorKind === kind)
          .slice(0, MOST_EXAMPLES)
          .map(({ id, at, model, promptVersion }) => ({
            id,
            at,
            model,
            promptVersion,
          })),
      }))
      .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1)),
  };
}
