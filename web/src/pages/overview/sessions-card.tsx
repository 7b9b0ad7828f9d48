import {
  formatAmount,
  formatCents,
  formatCount,
  formatRatio,
  formatScore,
} from '../../../../src/report/number.ts';
import type { Overview, SessionSummary } from '../../api/shapes.ts';
import { Card } from '../../parts/card.tsx';
import { Figure } from '../../parts/figure.tsx';
import { Spark, type SparkPoint } from '../../parts/spark.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Share, Strip } from '../../parts/strip.tsx';

type Sessions = Overview['sessions'];

export function SessionsCard({ overview: { sessions } }: { readonly overview: Overview }) {
  const { kept, current } = sessions;
  return (
    <Card title="Sessions" aside={<a href="/sessions">{formatCount(kept)} kept →</a>}>
      {kept === 0 ? (
        <Empty command="assay sessions score">
          No session is kept yet. This scores and keeps those of this machine:
        </Empty>
      ) : current.n === 0 ? (
        <Quiet sessions={sessions} />
      ) : (
        <Week sessions={sessions} />
      )}
    </Card>
  );
}

/** Nothing happened this week: the days before still say something. */
function Quiet({ sessions }: { readonly sessions: Sessions }) {
  return (
    <>
      <Figure value="0" beside="sessions in 7 days" />
      <Days sessions={sessions} />
      <p class="sub">
        The latest are under <a href="/sessions">sessions</a>.
      </p>
    </>
  );
}

function Week({ sessions }: { readonly sessions: Sessions }) {
  const { current, previous } = sessions;
  const { q, cost } = current;
  return (
    <>
      <Figure value={q === null ? '–' : formatScore(q.median)} beside={`median Q, ${before(previous)}`} />
      {q !== null && <Strip shares={sharesOf(q)} />}
      <p class="sub">
        {formatAmount(current.n, 'session')}
        {q !== null &&
          ` · good ${formatRatio(q.good_share)} · unproven ${formatRatio(q.unproven_share)} · poor or failed ${formatRatio(q.poor_share)}`}
      </p>
      <Days sessions={sessions} />
      <p class="sub">
        <b>{cost === null ? '–' : `${cost.is_lower_bound ? '≥ ' : ''}${formatCents(cost.total_usd)}`}</b> cost
        {current.coverage.without_outcome !== null &&
          ` · outcome known in ${formatRatio(1 - current.coverage.without_outcome)}`}
      </p>
    </>
  );
}

function before({ q }: SessionSummary): string {
  return q === null ? 'none the week before' : `${formatScore(q.median)} the week before`;
}

/** What was only not seen to fail is no success: it has a place of its own. */
function sharesOf(q: NonNullable<SessionSummary['q']>): readonly Share[] {
  const rest = 1 - q.good_share - q.unproven_share - q.poor_share;
  return [
    { name: 'good or excellent', share: q.good_share, tone: 'good' },
    {
      name: 'unproven: nothing against it, but no outcome either',
      share: q.unproven_share,
      tone: 'excellent',
    },
    { name: 'acceptable', share: Math.max(0, rest), tone: 'quiet' },
    { name: 'poor or failed', share: q.poor_share, tone: 'bad' },
  ];
}

function Days({ sessions: { daily } }: { readonly sessions: Sessions }) {
  const points = daily.flatMap(({ key, q }): SparkPoint[] =>
    key === null || q.value === null
      ? []
      : [{ at: Date.parse(key), value: q.value, low: q.low, high: q.high }],
  );
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const label = `mean Q by day, ${formatAmount(points.length, 'day')} of the last 30: ${formatScore(first.value)} to ${formatScore(last.value)}`;
  return <Spark points={points} domain={[0, 1]} label={label} />;
}
