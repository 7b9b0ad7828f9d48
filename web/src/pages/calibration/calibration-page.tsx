/** Does Q agree with people? Every rated session, r with its interval, and how far the raters agree among themselves. */
import type { IntervalsChart, ScatterChart } from '../../../../src/report/chart.ts';
import { formatAmount, formatCount, formatInterval, formatScore } from '../../../../src/report/number.ts';
import type { KeptValidation } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Chart, useChartsSoon } from '../../parts/chart.tsx';
import { Measured } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Pill } from '../../parts/pill.tsx';
import { ScatterKey } from '../../parts/scatter-key.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import type { PageProps } from '../../routes.ts';
import { nameIn, useSessionNames } from '../sessions/use-session-names.ts';

type Validation = KeptValidation['validation'];
type Point = KeptValidation['points'][number];
type NameOf = (point: Point) => string;

export function CalibrationPage(_: PageProps) {
  useChartsSoon();
  const kept = useResource<KeptValidation>('calibration', {}, ['rating.saved', 'session.scored']);
  const furthest = kept.data?.points.toSorted((a, b) => apart(b) - apart(a));
  const names = useSessionNames(furthest?.map(({ session_key }) => session_key));
  const nameOf: NameOf = ({ session_key, session_id }) => nameIn(names, session_key, session_id);
  return (
    <Page
      title="Calibration"
      live
      lead={kept.data === undefined ? undefined : <Answer validation={kept.data.validation} />}
      actions={
        <a class="chip on" href="/rate">
          Rate a session
        </a>
      }
    >
      <Show of={kept} rows={8}>
        {({ validation, points, unjoined }) =>
          points.length === 0 ? (
            <Empty command="assay sessions rate">
              No session is rated yet. Rate some here, without seeing their score, or in a terminal with
            </Empty>
          ) : (
            <>
              <div class="grid g2">
                <section class="card">
                  <Chart chart={scatterOf(furthest ?? points, validation, nameOf)} table={false} />
                  <ScatterKey chart={scatterOf(furthest ?? points, validation, nameOf)} />
                </section>
                <Card title="How sure is that?">
                  <Chart chart={intervalsOf(validation)} table={false} />
                  <Sure validation={validation} unjoined={unjoined} />
                </Card>
              </div>
              <Bias validation={validation} />
              <Points points={furthest ?? points} nameOf={nameOf} />
            </>
          )
        }
      </Show>
    </Page>
  );
}

const VERDICTS = {
  'meets the target': ['good', '✓'],
  'does not meet it': ['bad', '✗'],
  'too few to tell': ['quiet', '–'],
} as const;

function Answer({ validation: { pearson, target, verdict, sessions } }: { readonly validation: Validation }) {
  if (sessions === 0) return <>Nothing says yet whether Q agrees with people.</>;
  const [tone, mark] = VERDICTS[verdict.verdict];
  return (
    <>
      {pearson.value === null ? (
        'Q and ratings cannot be held against each other yet'
      ) : (
        <>
          Q and what people say go together with <b>r {formatScore(pearson.value)}</b>{' '}
          <span class="faint">
            {formatInterval(pearson.low ?? undefined, pearson.high ?? undefined, 'score')}
          </span>
        </>
      )}{' '}
      over {formatAmount(sessions, 'rated session')}; the target is <b>{formatScore(target)}</b>.{' '}
      <Pill tone={tone}>
        {mark} {verdict.verdict}
      </Pill>
    </>
  );
}

/** The ones that lie furthest apart; names of all would cover each other. */
const NAMED = 3;

function scatterOf(points: readonly Point[], { pearson }: Validation, nameOf: NameOf): ScatterChart {
  return {
    kind: 'scatter',
    title:
      pearson.value === null
        ? 'Each rated session: its Q and what people said'
        : `Each rated session: Q and ratings go together with r ${formatScore(pearson.value)}`,
    x: { label: 'Q', unit: 'score' },
    y: { label: 'rating, 1 to 5', unit: 'count', range: [0.5, 5.5] },
    points: points.map((point, index) => ({
      label: nameOf(point),
      quiet: index >= NAMED,
      x: point.q,
      y: point.rating,
      group: point.task_type,
    })),
  };
}

function intervalsOf({ pearson, spearman, raters, ceiling, target }: Validation): IntervalsChart {
  const rows = [
    { label: 'r (Pearson)', of: pearson, target },
    { label: 'rank r (Spearman)', of: spearman },
    { label: 'raters agree (alpha)', of: raters },
    { label: 'no score could exceed', of: ceiling },
  ].flatMap(({ label, of: { value, low, high }, target: line }) =>
    value === null
      ? []
      : [
          {
            label,
            value,
            ...(low !== null && high !== null && { low, high }),
            ...(line !== undefined && { target: line }),
          },
        ],
  );
  return { kind: 'intervals', title: `Target: r of ${formatScore(target)} or more`, unit: 'score', rows };
}

function Sure({ validation, unjoined }: { readonly validation: Validation; readonly unjoined: number }) {
  const { verdict, raters, rated_twice: twice, precision, ratings } = validation;
  return (
    <ul class="notes">
      <li>{verdict.because}.</li>
      {verdict.needed !== null && <li>{formatAmount(verdict.needed, 'rated session')} would decide it.</li>}
      <li>
        {formatAmount(ratings, 'rating')}; {formatAmount(twice, 'session')} rated by two people or more
        {raters.value === null && raters.reason !== undefined && `: ${raters.reason}`}.
      </li>
      <li>
        r to ±{formatScore(precision.width)} takes {formatAmount(precision.sessions, 'rated session')}.
      </li>
      {unjoined > 0 && <li>{formatAmount(unjoined, 'rating')} of sessions that are not kept here.</li>}
    </ul>
  );
}

function Bias({ validation: { per_type: types, bias } }: { readonly validation: Validation }) {
  const verdictOf = (type: string) => bias.find(({ task_type }) => task_type === type);
  return (
    <Card title="By task type">
      <Table
        caption="Agreement by task type"
        rows={types}
        rowKey={({ task_type }) => task_type}
        columns={[
          { key: 'task_type', header: 'task', names: true, value: ({ task_type }) => task_type },
          { key: 'n', header: 'rated', numeric: true, value: ({ n }) => n, show: ({ n }) => formatCount(n) },
          {
            key: 'r',
            header: 'r',
            numeric: true,
            value: ({ pearson }) => pearson.value,
            show: ({ pearson }) => <Measured of={pearson} unit="score" />,
          },
          {
            key: 'rank_r',
            header: 'rank r',
            numeric: true,
            value: ({ spearman }) => spearman.value,
            show: ({ spearman }) => <Measured of={spearman} unit="score" />,
          },
          {
            key: 'bias',
            header: 'Q is',
            value: ({ task_type }) => verdictOf(task_type)?.verdict,
            show: ({ task_type }) => {
              const found = verdictOf(task_type);
              return found === undefined ? (
                '–'
              ) : (
                <span class="keep" data-hint={found.because}>
                  {found.verdict}
                </span>
              );
            },
          },
        ]}
      />
    </Card>
  );
}

function Points({ points, nameOf }: { readonly points: readonly Point[]; readonly nameOf: NameOf }) {
  return (
    <Card title="Rated sessions, furthest apart first">
      <Table
        caption="Rated sessions"
        rows={points}
        rowKey={({ session_key }) => session_key}
        href={({ session_key }) => `/sessions/${encodeURIComponent(session_key)}`}
        main
        columns={[
          {
            key: 'session',
            header: 'session',
            names: true,
            value: nameOf,
            show: (point) => (
              <div class="what">
                <a class="cut" href={`/sessions/${encodeURIComponent(point.session_key)}`}>
                  {nameOf(point)}
                </a>
              </div>
            ),
          },
          { key: 'session_id', header: 'id', unseen: true, value: ({ session_id }) => session_id },
          { key: 'task_type', header: 'task', value: ({ task_type }) => task_type },
          { key: 'q', header: 'Q', numeric: true, value: ({ q }) => q, show: ({ q }) => formatScore(q) },
          {
            key: 'rating',
            header: 'rating',
            numeric: true,
            value: ({ rating }) => rating,
            show: ({ rating }) => formatCount(rating),
          },
          { key: 'raters', header: 'raters', numeric: true, value: ({ raters }) => raters },
        ]}
      />
    </Card>
  );
}

/** How far Q and the rating lie apart, both on 0 to 1. */
function apart({ q, rating }: Point): number {
  return Math.abs(q - (rating - 1) / 4);
}
