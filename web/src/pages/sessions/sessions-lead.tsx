import { formatAmount, formatCents, formatInterval, formatScore } from '../../../../src/report/number.ts';
import type { SessionList } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { narrowingOf, periodOf } from './session-filters.ts';

/** The answer of the page: how many, how good, for how much. */
export function SessionsLead({ query }: { readonly query: URLSearchParams }) {
  const { data, problem } = useResource<SessionList>(
    'sessions/summary',
    { ...narrowingOf(query), by: 'task_type' },
    ['session.scored'],
  );
  // The list below says what is wrong.
  if (data === undefined) return problem === undefined ? <span class="faint">…</span> : null;
  const { sessions, q, cost_usd: cost, cost_usd_is_lower_bound: atLeast, cost_unknown: unknown } = data.total;
  if (sessions === 0) return <>No session in this view.</>;
  const { days } = periodOf(query);
  return (
    <>
      {formatAmount(sessions, 'session')}
      {days !== undefined && ` in ${days === 1 ? '24 hours' : `${days} days`}`}: mean{' '}
      <b>{q.value === null ? 'Q unmeasured' : `Q ${formatScore(q.value)}`}</b>
      {q.value !== null && (
        <span class="faint"> {formatInterval(q.low ?? undefined, q.high ?? undefined, 'score')}</span>
      )}
      , cost <b>{cost === null ? 'unknown' : `${atLeast ? 'at least ' : ''}${formatCents(cost)}`}</b>
      {cost !== null && unknown > 0 && (
        <span class="faint"> ({formatAmount(unknown, 'session')} without a price)</span>
      )}
      .
    </>
  );
}
