import {
  type Brief,
  type BriefKind,
  type BriefPeriod,
  briefPeriod,
  type WeekParts,
} from '../../decomposition/production/brief/brief.ts';
import {
  type FeedbackOnOutput,
  failureTrend,
  feedbackTrend,
  latencyTrend,
  lowestRequests,
  weekDays,
} from '../../decomposition/production/brief/week.ts';
import type { ProductionCell, ProductionGrain } from '../../decomposition/production/cell.ts';
import { productionOf } from '../../decomposition/production/production.ts';
import { RATED_WHOLE } from '../../decomposition/production/watched.ts';
import type { Period, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { type BriefMonthRequest, briefMonth } from './brief-month.ts';
import { type BriefQuarterRequest, briefQuarter } from './brief-quarter.ts';
import { recordsById, type WatchedRecords, watchedDecompositions } from './watched-decompositions.ts';

export type ReadBriefRequest = BriefMonthRequest &
  BriefQuarterRequest & {
    readonly kind: BriefKind;
    /** Where the span ends; by default now. */
    readonly until?: Date | undefined;
  };

const MOST_LOWEST = 5;
const MOST_FAILED = 200;

export async function readBrief(request: ReadBriefRequest, ports: Ports): Promise<Brief> {
  const period = briefPeriod(request.kind, request.until ?? ports.now());
  const store = await ports.store('looking');
  const { since, until } = period;
  const span = { since, until };
  const watched = await watchedDecompositions(span, store);
  const by = request.kind === 'week' ? 'hour' : 'day';
  const cells = await store.productionCells({ by, ...span });
  const production = productionOf({ by, ...span }, cells, watched);
  const brief = {
    kind: request.kind,
    ...period,
    operational: production.operational,
    sample: production.sample,
  };
  if (request.kind === 'month') return { ...brief, month: await briefMonth(request, span, watched, ports) };
  const week = await weekParts({ ...period, by }, cells, watched, store);
  if (request.kind === 'week') return { ...brief, week };
  const { feedback, failures } = week;
  const quarter = await briefQuarter(request, span, { production, watched }, ports);
  return { ...brief, quarter: { ...quarter, feedback, failures } };
}

async function weekParts(
  { since, until, before, by }: BriefPeriod & { readonly by: ProductionGrain },
  cells: readonly ProductionCell[],
  watched: WatchedRecords,
  store: Store,
): Promise<WeekParts> {
  // Cells of one grain: an hour counts either now or before, never twice.
  const earlier = await store.productionCells({ by, since: before, until: since });
  const failed = await store.readDecompositions({
    since,
    until,
    status: 'error',
    order: 'newest',
    limit: MOST_FAILED,
  });
  const [now, earlierFeedback] = [
    await feedbackIn(store, { since, until }),
    await feedbackIn(store, { since: before, until: since }),
  ];
  const alerts = await store.readAlerts({ instrument: 'decomposition', since, until });
  return {
    lowest: lowestRequests(watched.sampled, await notesIn(store, since), MOST_LOWEST),
    feedback: feedbackTrend(now, earlierFeedback),
    failures: failureTrend(cells, earlier, failed),
    latency: latencyTrend(
      cells,
      earlier,
      watched.sampled.map(({ record }) => record),
    ),
    days: weekDays({ since, until, before }, { now: cells, before: earlier }, now, alerts),
  };
}

async function notesIn(store: Store, since: string): Promise<ReadonlyMap<string, string>> {
  const ratings = await store.readRatings({ kind: RATED_WHOLE, latest: true, since });
  return new Map(ratings.flatMap(({ subjectId, note }) => (note === undefined ? [] : [[subjectId, note]])));
}

async function feedbackIn(
  store: Store,
  period: Required<Period>,
): Promise<(FeedbackOnOutput & { readonly at: string })[]> {
  const feedback = await store.readFeedback({ instrument: 'decomposition', ...period });
  const records = await recordsById(
    store,
    feedback.map(({ outputId }) => outputId),
  );
  return feedback.map((one) => ({ ...one, record: records.get(one.outputId) }));
}
