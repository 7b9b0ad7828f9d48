import { mergeCells, type ProductionCell } from '../../decomposition/production/cell.ts';
import { countAbove, sumOfSketch } from '../../stats/quantile-sketch.ts';
import type { TrackedAlert } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

/** The number of pairs of prompt version and model to show separately, first come; the others are one group. */
const MOST_GROUPS = 20;
const OTHER = 'other';

const MOST_ALERTS = 1000;
const MOST_DELIVERIES = 1000;

/** Seconds; 3 is the target and 5 the line of the alert. */
const DURATIONS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60];

type GroupTotals = Omit<ProductionCell, 'at' | 'latency'> & {
  /** In seconds: how many there are, about what they sum to, and how many are at most as long as each bound. */
  readonly durations: {
    readonly n: number;
    readonly sum: number;
    readonly upTo: readonly (readonly [bound: number, count: number])[];
  };
};

export type ServiceTotals = {
  /** Everything since the beginning, by prompt version and model. */
  readonly production: readonly GroupTotals[];
  readonly alerts: readonly TrackedAlert[];
  /** Target → number of pending deliveries. */
  readonly pending: ReadonlyMap<string, number>;
};

/** Sums that only grow, whatever process asks for them and however often it was started. */
export async function readTotals(ports: Ports): Promise<ServiceTotals> {
  const store = await ports.store('looking');
  const now = ports.now().toISOString();
  const deliveries = await store.pendingDeliveries({ limit: MOST_DELIVERIES });
  return {
    production: boundedGroups(await store.productionCells({ by: 'day' })).map(totalsOf),
    alerts: await store.trackAlerts({
      now,
      states: ['open', 'acknowledged', 'silenced'],
      order: 'newest',
      limit: MOST_ALERTS,
    }),
    pending: new Map(
      [...Map.groupBy(deliveries, ({ target }) => target)].map(([name, all]) => [name, all.length]),
    ),
  };
}

/** Oldest first, so that a group keeps its place when others appear. */
function boundedGroups(cells: readonly ProductionCell[]): readonly ProductionCell[] {
  const groups = [
    ...Map.groupBy(cells, ({ promptVersion, model }) => JSON.stringify([promptVersion, model])).values(),
  ];
  const own = groups.slice(0, MOST_GROUPS).flatMap((group) => mergeCells(group) ?? []);
  const rest = mergeCells(groups.slice(MOST_GROUPS).flat());
  return rest === undefined ? own : [...own, { ...rest, promptVersion: OTHER, model: OTHER }];
}

function totalsOf({ at: _, latency, ...cell }: ProductionCell): GroupTotals {
  const upTo = DURATIONS.map((bound) => [bound, latency.n - countAbove(latency, 1000 * bound)] as const);
  return { ...cell, durations: { n: latency.n, sum: sumOfSketch(latency) / 1000, upTo } };
}
