import { cellOf, mergeCells, type ProductionCell, withoutCell } from '../../decomposition/production/cell.ts';
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

const HOUR_MS = 3_600_000;

/**
 * Sums by hour and day outlive the requests they were made of. When the requests that are there were copied, what is missing
 * in the target is what those add that are not: the hour without its requests.
 */
export async function copySums(source: Store, target: Store): Promise<SumDifference[]> {
  const differences: SumDifference[] = [];
  const cellsOf = (store: Store) => store.productionCells({ by: 'hour', perProject: true });
  const copied = new Map((await cellsOf(target)).map((cell) => [placeOf(cell), cell]));
  for (const hour of await cellsOf(source)) {
    const there = copied.get(placeOf(hour));
    const missing = hour.requests - (there?.requests ?? 0);
    if (missing <= 0) continue;
    const counted = await recount(source, hour);
    const left = counted === undefined ? hour : withoutCell(hour, counted);
    if (missing === left.requests) await target.upkeep().addSums([left], await minutesFrom(source, hour));
    else differences.push(differenceOf(hour, there));
  }
  return differences;
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
    until: endOf(hour),
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
  const until = endOf(hour);
  const minutes = await source.productionCells({ by: 'minute', since: hour.at, until });
  return minutes[0]?.at ?? until;
}

function endOf({ at }: ProductionCell): string {
  return new Date(Date.parse(at) + HOUR_MS).toISOString();
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
