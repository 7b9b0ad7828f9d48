import {
  cellOf,
  mergeCells,
  type ProductionCell,
  type ProductionGrain,
  withoutCell,
} from '../../decomposition/production/cell.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import type { Position, Store } from '../../store/store.ts';

/** Of an hour: the target counts another number of requests than the source, and nothing says which of them. */
export type SumDifference = {
  readonly at: string;
  readonly promptVersion?: string;
  readonly model?: string;
  readonly from: number;
  readonly to: number;
};

const SPAN_MS: Readonly<Record<'hour' | 'day', number>> = { hour: 3_600_000, day: 86_400_000 };

/**
 * Sums by hour and day outlive the requests they were made of. When the requests that are there were copied, what is missing
 * in the target is what those add that are not: the hour without its requests.
 */
export async function copySums(source: Store, target: Store): Promise<SumDifference[]> {
  const differences: SumDifference[] = [];
  for (const [day] of await fewerIn(source, target, 'day', {})) {
    const period = { since: day.at, until: endOf('day', day) };
    for (const [hour, there] of await fewerIn(source, target, 'hour', period)) {
      if (!isOf(day)(hour)) continue;
      const counted = await recount(source, hour);
      const left = counted === undefined ? hour : withoutCell(hour, counted);
      if (hour.requests - (there?.requests ?? 0) === left.requests)
        await target.upkeep().addSums([left], await minutesFrom(source, hour));
      else differences.push(differenceOf(hour, there));
    }
  }
  return differences;
}

/** Cells of the source with more requests than those of the target. */
async function fewerIn(
  source: Store,
  target: Store,
  by: ProductionGrain,
  period: { readonly since?: string; readonly until?: string },
): Promise<(readonly [ProductionCell, ProductionCell | undefined])[]> {
  const there = new Map(
    (await target.productionCells({ by, perProject: true, ...period })).map((cell) => [placeOf(cell), cell]),
  );
  return (await source.productionCells({ by, perProject: true, ...period })).flatMap((cell) => {
    const other = there.get(placeOf(cell));
    return cell.requests > (other?.requests ?? 0) ? [[cell, other] as const] : [];
  });
}

function placeOf({ at, promptVersion, model, project }: ProductionCell): string {
  return JSON.stringify([at, promptVersion, model, project]);
}

function isOf({ promptVersion, model, project }: ProductionCell): (cell: ProductionCell) => boolean {
  return (cell) => cell.promptVersion === promptVersion && cell.model === model && cell.project === project;
}

const PAGE = 1000;

/** What the requests that are still there add up to. */
async function recount(source: Store, hour: ProductionCell): Promise<ProductionCell | undefined> {
  const query = {
    since: hour.at,
    until: endOf('hour', hour),
    order: 'newest' as const,
    limit: PAGE,
    promptVersion: hour.promptVersion,
    model: hour.model,
  };
  let sum: ProductionCell | undefined;
  for (let after: Position | undefined; ; ) {
    const page: readonly DecompositionRecord[] = await source.readDecompositions({
      ...query,
      ...(after && { after }),
    });
    const cells = page.map(cellOf).filter(isOf(hour));
    sum = mergeCells(sum === undefined ? cells : [sum, ...cells]);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return sum && { ...sum, at: hour.at };
    after = { at: last.at, key: last.id };
  }
}

/** From when on the source has sums by the minute. */
async function minutesFrom(source: Store, hour: ProductionCell): Promise<string> {
  const until = endOf('hour', hour);
  const minutes = await source.productionCells({ by: 'minute', since: hour.at, until });
  return minutes[0]?.at ?? until;
}

function endOf(span: 'hour' | 'day', { at }: ProductionCell): string {
  return new Date(Date.parse(at) + SPAN_MS[span]).toISOString();
}

function differenceOf(hour: ProductionCell, there: ProductionCell | undefined): SumDifference {
  const { at, promptVersion, model } = hour;
  return {
    at,
    promptVersion,
    model,
    from: hour.requests,
    to: there?.requests ?? 0,
  };
}
