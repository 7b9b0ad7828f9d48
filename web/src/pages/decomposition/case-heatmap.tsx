import { type MetricNames, metricName } from '../../api/use-resource.ts';
import { HeatCell, Pill } from '../../parts/measured.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { caseHref } from './addresses.ts';
import type { SuiteCase } from './shapes.ts';

/** What is shown of a case; everything is in the export. */
const SHOWN = [
  'overall',
  'concept_recall',
  'concept_precision',
  'relationship_accuracy',
  'relationship_recall',
  'provenance_coverage',
  'verified_provenance',
  'hallucination_rate',
];

const SHORT: Readonly<Record<string, string>> = {
  overall: 'overall',
  concept_recall: 'recall',
  concept_precision: 'precision',
  relationship_accuracy: 'relations',
  relationship_recall: 'rel. recall',
  provenance_coverage: 'quoted',
  verified_provenance: 'verified',
  hallucination_rate: 'hallucin.',
};

/** Cases × metrics: each cell in the colour of its zone, the worst cases first. */
export function CaseHeatmap({
  run,
  cases,
  names,
  main = true,
}: {
  readonly run: string;
  readonly cases: readonly SuiteCase[];
  readonly names: MetricNames;
  readonly main?: boolean;
}) {
  const known = new Set(cases.flatMap(({ metrics }) => Object.keys(metrics)));
  const shown = SHOWN.filter((key) => known.has(key));
  const rest = [...known].filter((key) => !shown.includes(key));
  const worst = cases.toSorted((a, b) => overallOf(a) - overallOf(b));
  return (
    <Table
      caption="Cases and metrics"
      rows={worst}
      rowKey={({ id }) => id}
      href={({ id }) => caseHref(run, id)}
      main={main}
      limit={20}
      columns={[
        caseColumn(run),
        ...shown.map((key) => metricColumn(key, names)),
        ...rest.map((key) => ({ ...metricColumn(key, names), unseen: true })),
        { key: 'zone', title: 'zone', unseen: true, value: ({ zone }) => zone },
        { key: 'error', title: 'error', unseen: true, value: ({ error }) => error },
      ]}
    />
  );
}

function overallOf({ metrics }: SuiteCase): number {
  return metrics.overall?.value ?? Number.NEGATIVE_INFINITY;
}

function caseColumn(run: string): Column<SuiteCase> {
  return {
    key: 'case',
    title: 'case',
    names: true,
    value: ({ id }) => id,
    show: ({ id, failed, error }) => (
      <>
        <a href={caseHref(run, id)}>{id}</a>
        {failed && <span class="unseen"> failed</span>}
        {error !== undefined && (
          <div>
            <Pill tone="bad">✗ error</Pill> <span class="sub">{error}</span>
          </div>
        )}
      </>
    ),
  };
}

function metricColumn(key: string, names: MetricNames): Column<SuiteCase> {
  const { title, unit } = metricName(names, key);
  return {
    key,
    title: SHORT[key] ?? title,
    hint: title,
    numeric: true,
    value: ({ metrics }) => metrics[key]?.value ?? null,
    show: ({ metrics }) => <HeatCell of={metrics[key]} unit={unit} />,
  };
}
