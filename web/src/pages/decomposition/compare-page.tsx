import '../quality.css';
import './decomposition.css';
import { formatAmount, formatInterval, formatPoints } from '../../../../src/report/number.ts';
import { type MetricNames, metricName, useMetrics } from '../../api/use-metrics.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { HeatCell } from '../../parts/judged.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { caseHref, compareHref, runHref, shortId } from './addresses.ts';
import { Moved } from './run-metrics.tsx';
import type { Change, Compared, Judged, ListedRun, RunList, SuiteRun } from './shapes.ts';
import { VerdictPill } from './verdict-pill.tsx';

/** Two runs side by side: what changed, metric by metric and case by case. */
export function ComparePage({ query }: PageProps) {
  const [a, b] = [query.get('a') ?? '', query.get('b') ?? ''];
  const runs = useResource<RunList>('runs', { instrument: 'decomposition', limit: 200 });
  const chosen = a !== '' && b !== '';
  const compared = useResource<SuiteRun>(chosen ? 'decomposition/compare' : undefined, {
    a,
    b,
    insist: query.get('insist') ?? undefined,
  });
  const before = useResource<SuiteRun>(chosen ? `runs/${encodeURIComponent(a)}` : undefined);
  return (
    <Page
      title="Two runs side by side"
      actions={
        <a class="chip" href="/decomposition">
          all runs
        </a>
      }
      {...(compared.data && { lead: <Answer run={compared.data} /> })}
    >
      <Show of={runs} rows={1}>
        {({ items }) => (
          <div class="row choose-runs">
            <Choice label="Before" name="a" value={a} runs={items} />
            <span aria-hidden="true">→</span>
            <Choice label="After" name="b" value={b} runs={items} />
            {chosen && (
              <a class="chip" href={compareHref(b, a)}>
                swap
              </a>
            )}
          </div>
        )}
      </Show>
      {chosen ? (
        <Show of={compared} rows={10}>
          {(data) => <Both after={data} before={before.data} />}
        </Show>
      ) : (
        <Empty>Choose two runs.</Empty>
      )}
    </Page>
  );
}

function Choice({
  label,
  name,
  value,
  runs,
}: {
  readonly label: string;
  readonly name: 'a' | 'b';
  readonly value: string;
  readonly runs: readonly ListedRun[];
}) {
  return (
    <label class="field">
      {label}
      <select
        class="chip"
        value={value}
        onChange={({ currentTarget }) => choose({ [name]: currentTarget.value })}
      >
        <option value="">choose a run</option>
        {runs.map(({ run }) => (
          <option key={run.id} value={run.id}>
            {`${run.at.slice(0, 16).replace('T', ' ')} · ${run.subject} · ${shortId(run.id)}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function Answer({ run: { comparison, gate } }: { readonly run: SuiteRun }) {
  if (comparison === undefined) return null;
  const overall = comparison.metrics.overall;
  const sizes = Object.values(comparison.metrics).map(({ size }) => size);
  const fell = sizes.filter(
    (size) => size === 'regression' || size === 'small regression' || size === 'lost',
  ).length;
  const rose = sizes.filter((size) => size === 'improved').length;
  return (
    <>
      <VerdictPill verdict={gate.verdict} />{' '}
      {comparison.differences.length > 0 && !comparison.insisted ? (
        <b>The two cannot be compared: {comparison.differences.join('; ')}.</b>
      ) : (
        <>
          {overall?.points != null && <b>Overall {formatPoints(overall.points)}</b>}
          {overall?.points != null && ', '}
          {formatAmount(fell, 'metric')} fell, {rose} rose.{' '}
        </>
      )}
      {comparison.action !== undefined && <span class="soft">Action: {comparison.action}.</span>}
    </>
  );
}

function Both({ after, before }: { readonly after: SuiteRun; readonly before: SuiteRun | undefined }) {
  const names = useMetrics('decomposition');
  const { comparison } = after;
  if (comparison === undefined) return <Empty>Nothing was compared.</Empty>;
  return (
    <>
      <p class="sub facts">
        <a href={runHref(comparison.baseline.id)}>{shortId(comparison.baseline.id)}</a>
        {before && ` ${before.run.subject}`} → <a href={runHref(after.run.id)}>{shortId(after.run.id)}</a>{' '}
        {after.run.subject}
        {comparison.differences.length > 0 && !comparison.insisted && (
          <>
            {' · '}
            <button type="button" class="link" onClick={() => choose({ insist: 'true' })}>
              compare all the same
            </button>
          </>
        )}
      </p>
      <Card title="Metrics" aside="the interval is that of the change, over the cases both measured">
        <MetricChanges after={after} comparison={comparison} names={names} />
      </Card>
      <Card
        title="Cases"
        aside={
          comparison.missing_cases.length > 0
            ? `missing now: ${comparison.missing_cases.join(', ')}`
            : 'change in points, the worst case first'
        }
      >
        <CaseChanges after={after} comparison={comparison} names={names} />
      </Card>
    </>
  );
}

type MetricRow = { readonly key: string; readonly now: Judged; readonly change: Change };

function MetricChanges({
  after,
  comparison,
  names,
}: {
  readonly after: SuiteRun;
  readonly comparison: Compared;
  readonly names: MetricNames;
}) {
  const rows = Object.entries(after.suite.metrics).flatMap(([key, now]): MetricRow[] => {
    const change = comparison.metrics[key];
    return change === undefined ? [] : [{ key, now, change }];
  });
  return (
    <Table
      caption="Change of the metrics"
      rows={rows}
      rowKey={({ key }) => key}
      limit={20}
      columns={[
        {
          key: 'metric',
          header: 'metric',
          names: true,
          value: ({ key }) => key,
          show: ({ key }) => metricName(names, key).title,
        },
        {
          key: 'before',
          header: 'before',
          numeric: true,
          value: ({ change }) => change.baseline.value,
          show: ({ key, change }) => (
            <HeatCell of={{ ...change.baseline, zone: null }} unit={metricName(names, key).unit} />
          ),
        },
        {
          key: 'after',
          header: 'after',
          numeric: true,
          value: ({ now }) => now.value,
          show: ({ key, now }) => <HeatCell of={now} unit={metricName(names, key).unit} />,
        },
        {
          key: 'points',
          header: 'change',
          numeric: true,
          hint: 'Percentage points, as the value moved',
          value: ({ change }) => change.points,
          show: ({ key, change }) => <Moved change={change} name={metricName(names, key)} />,
        },
        {
          key: 'interval',
          header: '95% interval',
          numeric: true,
          value: ({ change: { paired } }) => paired?.points.low ?? null,
          show: ({ change: { paired } }) =>
            paired?.points.low == null || paired.points.high === null ? (
              <span class="faint">–</span>
            ) : (
              <span class="faint keep">
                {formatInterval(paired.points.low, paired.points.high, 'percent')}
              </span>
            ),
        },
        {
          key: 'interval_high',
          header: 'high',
          unseen: true,
          value: ({ change }) => change.paired?.points.high ?? null,
        },
        {
          key: 'size',
          header: 'what it is',
          value: ({ change }) => change.size,
          show: ({ change }) => (
            <span class="keep">
              {change.size}
              {change.paired && <span class="sub"> · {change.paired.verdict}</span>}
            </span>
          ),
        },
      ]}
    />
  );
}

const CASE_METRICS = [
  'overall',
  'concept_recall',
  'concept_precision',
  'relationship_accuracy',
  'verified_provenance',
];

function CaseChanges({
  after,
  comparison,
  names,
}: {
  readonly after: SuiteRun;
  readonly comparison: Compared;
  readonly names: MetricNames;
}) {
  type Row = Compared['cases'][number];
  const worst = comparison.cases.toSorted(
    (x, y) => (x.metrics.overall?.points ?? 0) - (y.metrics.overall?.points ?? 0),
  );
  return (
    <Table
      caption="Change of the cases"
      rows={worst}
      rowKey={({ id }) => id}
      href={({ id }) => caseHref(after.run.id, id)}
      main
      columns={[
        {
          key: 'case',
          header: 'case',
          names: true,
          value: ({ id }) => id,
          show: ({ id }) => <a href={caseHref(after.run.id, id)}>{id}</a>,
        },
        ...CASE_METRICS.map(
          (key): Column<Row> => ({
            key,
            header: metricName(names, key).title.toLowerCase(),
            numeric: true,
            value: ({ metrics }) => metrics[key]?.points ?? null,
            show: ({ metrics }) => <Moved change={metrics[key]} name={metricName(names, key)} />,
          }),
        ),
      ]}
      empty={<Empty>No case moved.</Empty>}
    />
  );
}
