import './overview.css';
import {
  formatAmount,
  formatCents,
  formatCount,
  formatPercent,
  formatRatio,
  formatScore,
} from '../../../../src/report/number.ts';
import type { Overview, RunSummary, SessionSummary } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card, Figure, type Share, Strip } from '../../parts/card.tsx';
import { Measured, type Unit, VerdictPill, ZonePill } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Intervals, Spark, type SparkPoint } from '../../parts/spark.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { When } from '../../parts/when.tsx';
import type { PageProps } from '../../routes.ts';
import { Attention } from './attention.tsx';
import { Changed } from './changed.tsx';
import { overviewAnswer } from './overview-answer.ts';

const LIVE = ['session.scored', 'session.updated', 'run.stored', 'alert.changed'];

/** Three instruments at a glance, what needs attention, what changed: one screen. */
export function OverviewPage(_: PageProps) {
  const overview = useResource<Overview>('overview', { titles: 'true' }, LIVE);
  return (
    <Page
      title="Overview"
      live
      actions={<span class="sub">{periodWords(overview.data)}</span>}
      {...(overview.data && { lead: <Lead overview={overview.data} /> })}
    >
      <Show of={overview} rows={12}>
        {(data) => (
          <>
            <div class="grid g3">
              <SessionsCard overview={data} />
              <DecompositionCard runs={data.decomposition} />
              <WorkflowCard runs={data.workflow} />
            </div>
            <div class="grid g2 overview">
              <Attention overview={data} />
              <Changed overview={data} />
            </div>
            <p class="foot">
              Q says how a session went, not whether its answer was right. Every figure opens what it was made
              of.
            </p>
          </>
        )}
      </Show>
    </Page>
  );
}

function Lead({ overview }: { readonly overview: Overview }) {
  return <>{overviewAnswer(overview).map(({ text, bold }) => (bold ? <b key={text}>{text}</b> : text))}</>;
}

/** Sessions of long ago have a week of their own, and it says which. */
function periodWords(data: Overview | undefined): string {
  const until = data?.sessions.until;
  return until === undefined || until === data?.until
    ? 'the last 7 days'
    : `sessions of the 7 days to ${until.slice(0, 10)}`;
}

type Sessions = Overview['sessions'];

export function SessionsCard({ overview: { sessions } }: { readonly overview: Overview }) {
  const { stored, current } = sessions;
  return (
    <Card title="Sessions" aside={<a href="/sessions">{formatCount(stored)} stored →</a>}>
      {stored === 0 ? (
        <Empty command="assay sessions score">
          No session is stored yet. This scores those of this machine:
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
      <Figure value="0" caption="sessions in 7 days" />
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
      <Figure value={q === null ? '–' : formatScore(q.median)} caption={`median Q, ${before(previous)}`} />
      {q !== null && <Strip shares={sharesOf(q)} />}
      <p class="sub">
        {formatAmount(current.n, 'session')}
        {q !== null &&
          ` · good ${formatRatio(q.good_share)} · poor or failed ${formatRatio(q.poor_share)} · verified ${formatRatio(q.verified_share)}`}
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

function sharesOf(q: NonNullable<SessionSummary['q']>): readonly Share[] {
  const rest = 1 - q.good_share - q.poor_share;
  return [
    { name: 'good or excellent', share: q.good_share, tone: 'good' },
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

const ROWS: readonly { readonly key: string; readonly name: string; readonly unit: Unit }[] = [
  { key: 'concept_recall', name: 'Recall', unit: 'ratio' },
  { key: 'concept_precision', name: 'Precision', unit: 'ratio' },
  { key: 'hallucination_rate', name: 'Hallucination', unit: 'ratio' },
];

export function DecompositionCard({ runs: instrument }: { readonly runs: Instrument }) {
  const [latest] = instrument.runs;
  const cases = latest === undefined ? 'runs' : formatAmount(latest.suite.n_cases, 'case');
  return (
    <Card title="Decomposition" aside={<a href="/decomposition">{cases} →</a>}>
      {latest === undefined ? (
        <Empty command="assay decomposition run">
          No run is stored in this project yet. This scores its golden suite:
        </Empty>
      ) : (
        <LatestRun run={latest} former={formerOf(instrument, latest)} />
      )}
    </Card>
  );
}

function LatestRun({ run, former }: { readonly run: RunSummary; readonly former: RunSummary | undefined }) {
  const overall = metricOf(run, 'overall');
  const then = metricOf(former, 'overall')?.value;
  const value = overall?.value ?? null;
  return (
    <>
      <Figure
        value={value === null ? '–' : formatScore(value)}
        caption={`overall${typeof then === 'number' ? `, ${formatScore(then)} the run before` : ''}`}
      />
      <div class="row">
        <VerdictPill verdict={run.gate.verdict} />
      </div>
      <table class="compact">
        <caption>The latest run of {run.run.subject}</caption>
        <tbody>
          {ROWS.map(({ key, name, unit }) => {
            const metric = metricOf(run, key);
            return metric === undefined ? null : (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td class="num">
                  <Measured of={metric} unit={unit} />
                </td>
                <td class="num">
                  <ZonePill zone={metric.zone} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="sub cut">
        {run.run.subject} · <When at={run.run.at} />
      </p>
    </>
  );
}

/** The detection rate, in percent. */
const RATE = 'dr';
const SHOWN = 4;

export function WorkflowCard({ runs: { runs } }: { readonly runs: Instrument }) {
  const subjects = [...Map.groupBy(runs, ({ run }) => run.subject).values()].flatMap(
    ([newest]) => newest ?? [],
  );
  const [latest] = subjects;
  return (
    <Card title="Workflow" aside={<a href="/workflow">experiments →</a>}>
      {latest === undefined ? (
        <Empty command="assay workflow score">
          No review is stored in this project yet. This scores a workflow against its planted errors:
        </Empty>
      ) : (
        <LatestReview latest={latest} subjects={subjects} />
      )}
    </Card>
  );
}

function LatestReview({
  latest,
  subjects,
}: {
  readonly latest: RunSummary;
  readonly subjects: readonly RunSummary[];
}) {
  const rate = metricOf(latest, RATE);
  const rows = subjects.slice(0, SHOWN).flatMap((one) => {
    const metric = metricOf(one, RATE);
    return metric?.value === null || metric === undefined
      ? []
      : [{ label: one.run.subject, value: metric.value, low: metric.low, high: metric.high }];
  });
  return (
    <>
      <Figure
        value={rate?.value === null || rate === undefined ? '–' : formatPercent(rate.value)}
        caption={`of planted errors found by ${latest.run.subject}`}
      />
      <Intervals rows={rows} domain={[0, 100]} format={formatPercent} ends={['0%', '100%']} />
      <p class="sub">
        on these errors only · <When at={latest.run.at} />
      </p>
    </>
  );
}

/** What a card takes from the stored runs of an instrument. */
export type Instrument = Overview['decomposition'];

export type Judged = RunSummary['suite']['metrics'][string];

export function metricOf(run: RunSummary | undefined, name: string): Judged | undefined {
  return run?.suite.metrics[name];
}

/** `decomposition/overall` → `overall`, as results name it. */
export function keyOf(metric: string): string {
  return (metric.split('/').at(-1) ?? metric).replaceAll('-', '_');
}

/** `concept_recall` → `concept recall`. */
export function wordsOf(key: string): string {
  return keyOf(key).replaceAll('_', ' ');
}

/** The newest run before this one of the same thing. */
export function formerOf({ runs }: Instrument, run: RunSummary): RunSummary | undefined {
  return runs.slice(runs.indexOf(run) + 1).find((one) => one.run.subject === run.run.subject);
}
