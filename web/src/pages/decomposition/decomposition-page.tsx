import '../quality.css';
import './decomposition.css';
import type { SeriesChart } from '../../../../src/report/chart.ts';
import { formatAmount, formatScore } from '../../../../src/report/number.ts';
import { type MetricNames, metricName, useMetrics, useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Chart } from '../../parts/chart.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Value, VerdictPill } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import type { PageProps } from '../../routes.ts';
import { compareHref, runHref, shortId } from './addresses.ts';
import { CaseHeatmap } from './case-heatmap.tsx';
import { DecisionCard, PromptCard } from './prompt-tables.tsx';
import { RunMetrics } from './run-metrics.tsx';
import type { Approvals, ListedRun, RunList, SuiteRun, Trend } from './shapes.ts';

/** How the suite stands: the latest run, what it did since the one before, and everything that led to it. */
export function DecompositionPage({ query }: PageProps) {
  const subject = query.get('subject') ?? undefined;
  const runs = useResource<RunList>('runs', { instrument: 'decomposition', limit: 200 }, ['run.stored']);
  const shown = runs.data?.items.filter(({ run }) => subject === undefined || run.subject === subject);
  const [latest] = shown ?? [];
  const run = useResource<SuiteRun>(latest && `runs/${encodeURIComponent(latest.run.id)}`);
  const subjects = [...new Set(runs.data?.items.map((one) => one.run.subject))];
  return (
    <Page
      title="Decomposition"
      live
      actions={
        <>
          <a class="chip" href="/decomposition/production">
            in production
          </a>
          <a class="chip" href="/decomposition/activity">
            latency, cost, errors
          </a>
        </>
      }
      {...(run.data && { lead: <RunAnswer run={run.data} /> })}
    >
      {subjects.length > 1 && (
        <FilterBar
          filters={[
            {
              key: 'subject',
              label: 'What was measured',
              any: 'everything that was measured',
              choices: subjects.map((value) => ({ value, name: value })),
            },
          ]}
        />
      )}
      <Show of={runs} rows={8}>
        {() =>
          latest === undefined || shown === undefined ? (
            <Card title="No run yet">
              <Empty command="assay decomposition run">
                A run measures what an extractor finds in the golden cases. This makes the first one:
              </Empty>
            </Card>
          ) : (
            <Latest latest={latest} runs={shown} run={run} />
          )
        }
      </Show>
      <div class="grid g2even">
        <PromptCard />
        <DecisionCard />
      </div>
    </Page>
  );
}

function Latest({
  latest,
  runs,
  run,
}: {
  readonly latest: ListedRun;
  readonly runs: readonly ListedRun[];
  readonly run: ReturnType<typeof useResource<SuiteRun>>;
}) {
  const names = useMetrics('decomposition');
  const before = previousOf(latest, runs);
  const compared = useResource<SuiteRun>(
    before && 'decomposition/compare',
    before && { a: before.run.id, b: latest.run.id },
  );
  const trend = useResource<Trend>('decomposition/trend', {}, ['run.stored']);
  const series = trend.data?.series.find(({ subject }) => subject === latest.run.subject);
  return (
    <>
      <div class="grid g2">
        <Card
          title="The suite, latest run"
          aside={
            before === undefined ? (
              <a href={runHref(latest.run.id)}>open the run</a>
            ) : (
              <a href={compareHref(before.run.id, latest.run.id)}>beside the run before</a>
            )
          }
        >
          <Show of={run} rows={8}>
            {({ suite }) => (
              <RunMetrics
                metrics={suite.metrics}
                changes={compared.data?.comparison?.metrics}
                names={names}
                limit={9}
              />
            )}
          </Show>
        </Card>
        <Card title="Trend" aside={series && formatAmount(series.n_runs, 'run')}>
          <Show of={trend}>{() => <TrendChart series={series} names={names} />}</Show>
        </Card>
      </div>
      <Card title="Cases" aside="each cell in the colour of its zone; the worst case first">
        <Show of={run} rows={6}>
          {({ cases }) => <CaseHeatmap run={latest.run.id} cases={cases} names={names} />}
        </Show>
      </Card>
      <Card title={formatAmount(runs.length, 'run')} aside={<a href="/decomposition/compare">choose two</a>}>
        <RunTable runs={runs} />
      </Card>
      <ApprovalCard names={names} />
    </>
  );
}

export function ApprovalCard({ names }: { readonly names: MetricNames }) {
  const approvals = useResource<Approvals>('decomposition/approvals', { limit: 200 }, ['run.stored']);
  return (
    <Card title="Approvals" aside="falls that somebody let through, or gave a reason for">
      <Show of={approvals}>
        {({ items }) => (
          <Table
            caption="Approvals"
            rows={items}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'metric',
                title: 'metric',
                names: true,
                value: ({ metric }) => metric,
                show: ({ metric }) => metricName(names, metric).title,
              },
              {
                key: 'reason',
                title: 'why',
                value: ({ reason }) => reason,
                show: ({ reason }) => <div class="words">{reason}</div>,
              },
              { key: 'who', title: 'who', value: ({ who }) => who },
              {
                key: 'run_id',
                title: 'run',
                value: ({ run_id }) => run_id,
                show: ({ run_id, baseline_run_id }) => (
                  <div class="links">
                    <a href={runHref(run_id)}>{shortId(run_id)}</a>
                    <a class="sub" href={compareHref(baseline_run_id, run_id)}>
                      against {shortId(baseline_run_id)}
                    </a>
                  </div>
                ),
              },
              {
                key: 'baseline_run_id',
                title: 'baseline',
                unseen: true,
                value: (one) => one.baseline_run_id,
              },
              { key: 'at', title: 'when', value: ({ at }) => at, show: ({ at }) => <When at={at} /> },
            ]}
            empty={
              <Empty command={'assay decomposition compare --approve "why"'}>
                Nothing was let through. A regression that somebody accepts is written down by:
              </Empty>
            }
          />
        )}
      </Show>
    </Card>
  );
}

type Series = Trend['series'][number];

/** Short enough to stand at the end of a line. */
const DRAWN: Readonly<Record<string, string>> = {
  concept_recall: 'recall',
  concept_precision: 'precision',
  relationship_accuracy: 'relations',
  overall: 'overall',
};

export function TrendChart({
  series,
  names,
}: {
  readonly series: Series | undefined;
  readonly names: MetricNames;
}) {
  const drawn = Object.keys(DRAWN).filter((key) => (series?.metrics[key]?.points.length ?? 0) > 1);
  if (series === undefined || drawn.length === 0) {
    return (
      <Empty command="assay decomposition run">
        A trend needs two runs of the same suite. This adds one:
      </Empty>
    );
  }
  const chart: SeriesChart = {
    kind: 'series',
    title: findingOf(series, names),
    unit: 'ratio',
    series: drawn.map((key) => ({
      label: DRAWN[key] ?? key,
      points: (series.metrics[key]?.points ?? []).map(({ at, value }) => ({ at, value })),
    })),
  };
  return <Chart chart={chart} />;
}

/** What to see: what keeps falling, else what moved most. */
function findingOf({ metrics, n_runs }: Series, names: MetricNames): string {
  const falling = Object.entries(metrics).filter(([, { alert }]) => alert);
  const [worst] = falling.toSorted(([, a], [, b]) => b.declines - a.declines);
  if (worst !== undefined) {
    const others = falling.length - 1;
    const more = others > 0 ? `, ${formatAmount(others, 'other metric')} too` : '';
    return `${metricName(names, worst[0]).title} fell ${worst[1].declines} runs in a row${more}`;
  }
  const moved = Object.entries(metrics)
    .map(([key, { points }]) => ({ key, by: (points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0) }))
    .toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))[0];
  if (moved === undefined || Math.abs(moved.by) < 0.01) return `Steady over ${n_runs} runs`;
  const points = Math.abs(moved.by * 100).toFixed(0);
  return `${metricName(names, moved.key).title} ${moved.by > 0 ? 'rose' : 'fell'} ${points} points over ${n_runs} runs`;
}

/** The run in a sentence: its verdict, the figure that stands for the others, why. */
export function RunAnswer({ run: { gate, suite } }: { readonly run: SuiteRun }) {
  const overall = suite.metrics.overall;
  return (
    <>
      <VerdictPill verdict={gate.verdict} />{' '}
      {overall?.value == null ? (
        <>The overall score was not measured{overall?.reason ? `: ${overall.reason}` : ''}. </>
      ) : (
        <>
          <b>Overall {formatScore(overall.value)}</b> over {formatAmount(suite.n_cases, 'case')}.{' '}
        </>
      )}
      <span class="soft">{gate.reasons.slice(0, 2).join('; ')}</span>
    </>
  );
}

/** Runs, newest first; each can be held against the one it follows. */
export function RunTable({ runs, main }: { readonly runs: readonly ListedRun[]; readonly main?: boolean }) {
  return (
    <Table
      caption="Runs"
      rows={runs}
      rowKey={({ run }) => run.id}
      href={({ run }) => runHref(run.id)}
      {...(main !== undefined && { main })}
      columns={columnsFor(runs)}
    />
  );
}

function columnsFor(runs: readonly ListedRun[]): readonly Column<ListedRun>[] {
  return [
    {
      key: 'run',
      title: 'run',
      names: true,
      value: ({ run }) => run.id,
      show: ({ run }) => (
        <div class="run-name">
          <a class="cut" href={runHref(run.id)}>
            {run.subject}
          </a>
          <div class="sub cut">{placeOf(run)}</div>
        </div>
      ),
    },
    { key: 'at', title: 'when', value: ({ run }) => run.at, show: ({ run }) => <When at={run.at} /> },
    { key: 'cases', title: 'cases', numeric: true, value: ({ suite }) => suite.n_cases },
    metric('overall', 'overall', true),
    metric('concept_recall', 'recall', false),
    metric('concept_precision', 'precision', false),
    {
      key: 'verdict',
      title: 'verdict',
      value: ({ gate }) => gate.verdict,
      show: ({ gate }) => <VerdictPill verdict={gate.verdict} />,
    },
    {
      key: 'compare',
      title: 'beside',
      value: () => undefined,
      show: (one) => <BesideBefore one={one} runs={runs} />,
    },
  ];
}

function placeOf(run: ListedRun['run']): string {
  const text = (key: string) => (typeof run[key] === 'string' ? String(run[key]) : undefined);
  return [text('prompt'), text('model'), text('extractor'), shortId(run.id)]
    .filter((part) => part !== undefined && !run.subject.includes(part))
    .join(' · ');
}

function metric(key: string, title: string, isScore: boolean): Column<ListedRun> {
  return {
    key,
    title,
    numeric: true,
    value: ({ suite }) => suite.metrics[key]?.value ?? null,
    show: ({ suite }) => {
      const of = suite.metrics[key];
      if (isScore && of?.value != null) return formatScore(of.value);
      return <Value of={of?.value} unit="ratio" reason={of?.reason} />;
    },
  };
}

function BesideBefore({ one, runs }: { readonly one: ListedRun; readonly runs: readonly ListedRun[] }) {
  const before = previousOf(one, runs);
  if (before === undefined) return null;
  return (
    <a class="sub" href={compareHref(before.run.id, one.run.id)}>
      compare<span class="unseen"> with the run before it</span>
    </a>
  );
}

/** The run of the same golden cases that came before it. */
export function previousOf(one: ListedRun, runs: readonly ListedRun[]): ListedRun | undefined {
  const at = runs.indexOf(one);
  return runs.slice(at + 1).find(({ suite }) => suite.truth_hash === one.suite.truth_hash);
}
