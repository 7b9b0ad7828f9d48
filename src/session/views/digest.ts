import type { Metric } from '../../measure/metric.ts';
import type { Digest } from '../../operations/session/digest-sessions.ts';
import { formatAmount, formatCount, formatDate, formatScore, formatUsd } from '../../report/number.ts';
import { styleOf } from '../../report/text-table.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { LowSession } from '../session-groups.ts';
import type { QualitySummary } from '../summary.ts';
import { isoTime } from '../time-zone.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, LOWER_BOUND } from './wording.ts';

export function digestView(digest: Digest, given?: SessionsGiven): View {
  const { days, until, current, previous, flagBelow, flagged, flaggedInAll } = digest;
  const period = periodOf(days);
  const [lowest] = flagged;
  return {
    title: `The ${period.name} until ${formatDate(isoTime(until) ?? '')}`,
    answer:
      current.q === undefined
        ? `No session was scored in ${period.now}.`
        : `${formatCount(current.n)} sessions, median Q ${formatScore(current.q.median)}, ${formatCount(flaggedInAll)} below ${formatScore(flagBelow)}${sayCost(current)}.`,
    blocks:
      current.n + previous.n === 0
        ? []
        : [periodTable(period, digest), ...metricTables(digest), ...lowestTable(flagged)],
    notes: [...(isLower(digest) ? [LOWER_BOUND] : []), BLIND_SPOT],
    next:
      lowest === undefined ? nextStep('score', given) : nextStep('explain', given, { id: lowest.sessionId }),
  };
}

type Period = { readonly name: string; readonly now: string };

function periodOf(days: number): Period {
  if (days === 1) return { name: 'day', now: 'this day' };
  if (days === 7) return { name: 'week', now: 'this week' };
  const name =
    days < 3 ? formatAmount(Math.round(days * 24), 'hour') : formatAmount(Math.round(days * 10) / 10, 'day');
  return { name, now: `these ${name}` };
}

function isLower({ current, previous }: Digest): boolean {
  return [current, previous].some(({ cost }) => cost?.isLowerBound === true);
}

function sayCost({ cost }: QualitySummary): string {
  return cost === undefined ? '' : `, ${cost.isLowerBound ? 'at least ' : ''}${formatUsd(cost.totalUsd)}`;
}

function periodTable(period: Period, digest: Digest): TableBlock {
  const { current, previous } = digest;
  const atLeast = isLower(digest) ? ' ≥' : '';
  const periods = [
    { what: period.now, ...current },
    { what: `${period.name} before`, ...previous },
  ];
  return tableOf(`Against the ${period.name} before`, periods, [
    { key: 'what', title: '' },
    { key: 'n', title: 'sessions', unit: 'count' },
    { key: 'q', title: 'median Q', unit: 'score', of: ({ q }) => q?.median },
    { key: 'good', title: 'good or better', unit: 'ratio', of: ({ q }) => q?.goodShare },
    { key: 'poor', title: 'poor or failed', unit: 'ratio', of: ({ q }) => q?.poorShare },
    { key: 'cost', title: `cost${atLeast}`, unit: 'usd', of: ({ cost }) => cost?.totalUsd },
    { key: 'mean', title: `each${atLeast}`, unit: 'usd', of: ({ cost }) => cost?.meanUsd },
  ]);
}

/** Every metric of sessions, before and now; those of one unit stand in one table. */
function metricTables({ current, previous }: Digest): TableBlock[] {
  const before = new Map(previous.metrics.map(({ metric, measurement }) => [metric.id, measurement]));
  const units = Map.groupBy(current.metrics, ({ metric }): Metric<never>['unit'] => metric.unit);
  return [...units].map(([unit, metrics]) =>
    tableOf('Mean over the sessions, before → now', metrics, [
      { key: 'metric', of: ({ metric }) => metric.title },
      {
        key: 'moved',
        title: 'before → now',
        unit: styleOf(unit),
        of: ({ metric: { id }, measurement: now }) => ({ before: before.get(id) ?? now, now }),
      },
    ]),
  );
}

/** The others are in the data. */
export const LOWEST_SHOWN = 5;

function lowestTable(flagged: readonly LowSession[]): TableBlock[] {
  if (flagged.length === 0) return [];
  return [
    tableOf('Lowest', flagged.slice(0, LOWEST_SHOWN), [
      { key: 'session_id', title: 'session', unit: 'id' },
      { key: 'q', title: 'Q', unit: 'score', drawn: true, of: ({ q, tier }) => ({ score: q, tier }) },
      { key: 'verified' },
      { key: 'why' },
    ]),
  ];
}
