import '../quality.css';
import './workflow.css';
import { formatAmount, formatPoints } from '../../../../src/report/number.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import type { PageProps } from '../../routes.ts';
import { compareHref } from './addresses.ts';
import { CategoryHeatmap, found } from './category-heatmap.tsx';
import { ClaimsCard } from './claims-card.tsx';
import { ErrorMatrix } from './error-matrix.tsx';
import { ExperimentTable } from './experiment-table.tsx';
import { LeaderboardCard } from './leaderboard-card.tsx';
import type { Report } from './shapes.ts';
import { verdictTone } from './verdict-tone.ts';

/** A whole experiment: scores side by side, what each workflow is blind to, which errors were found how often. */
export function ExperimentPage({ query }: PageProps) {
  const path = query.get('path') ?? '';
  const baseline = query.get('baseline') ?? undefined;
  const report = useResource<Report>(path === '' ? undefined : 'workflow/report', {
    experiment: path,
    baseline,
  });
  const workflows = [...new Set(report.data?.experiments.map(({ workflow }) => workflow))];
  return (
    <Page
      title={report.data?.experiment ?? 'Experiment'}
      actions={
        <a class="chip" href="/workflow">
          all experiments
        </a>
      }
      {...(report.data && { lead: <Answer report={report.data} path={path} /> })}
    >
      {path === '' && <Empty>The address names no experiment.</Empty>}
      {workflows.length > 1 && (
        <FilterBar
          filters={[
            {
              key: 'baseline',
              label: 'Baseline',
              any: `against ${report.data?.baseline}`,
              choices: workflows.map((value) => ({ value, name: `against ${value}` })),
            },
          ]}
        />
      )}
      {path !== '' && (
        <Show of={report} rows={10}>
          {(data) => <Parts report={data} path={path} />}
        </Show>
      )}
    </Page>
  );
}

function Answer({
  report: { comparisons, baseline, experiments },
  path,
}: {
  readonly report: Report;
  readonly path: string;
}) {
  const [first] = comparisons;
  if (first === undefined) {
    const runs = experiments.reduce((sum, one) => sum + one.runs, 0);
    return <>One workflow, {formatAmount(runs, 'run')}: nothing to compare it with.</>;
  }
  const { value, low, high } = first.dr_difference;
  const { text, tone } = verdictTone(first.verdict);
  return (
    <>
      <Pill tone={tone}>{text}</Pill>{' '}
      <a href={compareHref(path, baseline, first.workflow)}>
        {baseline} → {first.workflow}
      </a>
      {value !== null && (
        <>
          : <b>detection {formatPoints(value)}</b>
          {low !== null &&
            high !== null &&
            ` [${formatPoints(low).replace(' points', '')}, ${formatPoints(high).replace(' points', '')}]`}
        </>
      )}
      ; <span class="soft">{first.because}.</span>
    </>
  );
}

function Parts({ report, path }: { readonly report: Report; readonly path: string }) {
  return (
    <>
      <Card title="Experiments side by side" aside="mean ± standard deviation between runs">
        <ExperimentTable rows={report.experiments} baseline={report.baseline} path={path} />
      </Card>
      <LeaderboardCard path={path} />
      <Card title="What each workflow finds, by kind of error" aside="errors found of errors known">
        <div class="tight">
          <CategoryHeatmap heatmap={report.heatmap} />
        </div>
      </Card>
      <Card title="Errors beside runs" aside="● found ◐ in part ○ missed">
        <ErrorMatrix errors={report.errors} />
      </Card>
      <div class="grid g2even">
        <Fixes report={report} />
        <ClaimsCard claims={report.claims} />
      </div>
    </>
  );
}

function Fixes({ report }: { readonly report: Report }) {
  const rows = report.fix_next.map((fix, index) => ({ index, workflow: fix.workflow, what: fixText(fix) }));
  return (
    <Card title="What to fix next">
      <Table
        caption="What to fix next"
        rows={rows}
        rowKey={({ index }) => String(index)}
        columns={[
          {
            key: 'workflow',
            header: 'workflow',
            names: true,
            value: ({ workflow }) => workflow,
            show: ({ workflow }) => <div class="named">{workflow}</div>,
          },
          {
            key: 'what',
            header: 'what',
            value: ({ what }) => what,
            show: ({ what }) => <div class="words">{what}</div>,
          },
        ]}
        empty={<p class="sub">Nothing stands out.</p>}
      />
    </Card>
  );
}

function fixText(fix: Report['fix_next'][number]): string {
  switch (fix.kind) {
    case 'category':
      return `Rarely finds ${fix.cells.map(({ category, detected, errors }) => `${category} (${found(detected)}/${errors})`).join(', ')}`;
    case 'never-found':
      return `Never found ${fix.errors.map(({ id, severity }) => `${id} (${severity.toLowerCase()})`).join(', ')}`;
    case 'concern':
      return `Little comes of ${fix.concerns.map(({ id }) => id).join(', ')}`;
    case 'unresolved':
      return `${formatAmount(fix.findings, 'finding')} await judgement${fix.disputed > 0 ? `, ${fix.disputed} disputed` : ''}`;
    case 'truth':
      return `Finds what the ground truth lacks (discovery ${fix.discovery.toFixed(0)}%): add it there`;
  }
}
