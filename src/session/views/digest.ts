import type { Metric } from '../../measure/metric.ts';
import type { Digest } from '../../operations/session/digest-sessions.ts';
import { formatAmount, formatCount, formatDate, formatScore, formatUsd } from '../../report/number.ts';
import { styleOf } from '../../report/text-table.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { QualitySummary } from '../summary.ts';
import { isoTime } from '../time-zone.ts';
import { attentionBlock } from './attention.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, LOWER_BOUND } from './wording.ts';

export function digestView(digest: Digest, given?: SessionsGiven): View {
  const { days, until, current, previous, attention, riskyActions } = digest;
  const period = periodOf(days);
  const [first] = attention.listed;
  return {
    title: `The ${period.name} until ${formatDate(isoTime(until) ?? '')}`,
    answer:
      current.q === undefined
        ? `No session was scored in ${period.now}.`
        : `${formatCount(current.n)} sessions, median Q ${formatScore(current.q.median)}, ${needs(attention.inAll)}${riskyActions > 0 ? `, ${formatAmount(riskyActions, 'risky action')}` : ''}${sayCost(current)}.`,
    blocks:
      current.n + previous.n === 0
        ? []
        : [periodTable(period, digest), ...metricTables(digest), attentionBlock(attention)],
    notes: [...(isLower(digest) ? [LOWER_BOUND] : []), BLIND_SPOT],
    next: [
      ...(first === undefined
        ? nextStep('score', given)
        : nextStep('explain', given, { id: first.sessionId })),
      ...(riskyActions > 0 ? nextStep('risks', given) : []),
    ],
  };
}

function needs(n: number): string {
  return n === 0 ? 'none needs attention' : `${formatCount(n)} ${n === 1 ? 'needs' : 'need'} attention`;
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
