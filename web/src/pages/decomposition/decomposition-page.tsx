import '../quality.css';
import './decomposition.css';
import { formatAmount } from '../../../../src/report/number.ts';
import { useMetrics } from '../../api/use-metrics.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import type { PageProps } from '../../routes.ts';
import { compareHref, runHref } from './addresses.ts';
import { ApprovalCard } from './approval-card.tsx';
import { CaseHeatmap } from './case-heatmap.tsx';
import { DecisionCard, PromptCard } from './prompt-tables.tsx';
import { RunAnswer } from './run-answer.tsx';
import { RunMetrics } from './run-metrics.tsx';
import { previousOf, RunTable } from './run-table.tsx';
import type { ListedRun, RunList, SuiteRun, Trend } from './shapes.ts';
import { TrendChart } from './trend-chart.tsx';

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
