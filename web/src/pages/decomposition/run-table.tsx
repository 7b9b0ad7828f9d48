import { formatScore } from '../../../../src/report/number.ts';
import { Value } from '../../parts/measured.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { compareHref, runHref, shortId } from './addresses.ts';
import type { ListedRun } from './shapes.ts';
import { VerdictPill } from './verdict-pill.tsx';

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
      header: 'run',
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
    { key: 'at', header: 'when', value: ({ run }) => run.at, show: ({ run }) => <When at={run.at} /> },
    { key: 'cases', header: 'cases', numeric: true, value: ({ suite }) => suite.n_cases },
    metric('overall', 'overall', true),
    metric('concept_recall', 'recall', false),
    metric('concept_precision', 'precision', false),
    {
      key: 'verdict',
      header: 'verdict',
      value: ({ gate }) => gate.verdict,
      show: ({ gate }) => <VerdictPill verdict={gate.verdict} />,
    },
    {
      key: 'compare',
      header: 'beside',
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

function metric(key: string, header: string, isScore: boolean): Column<ListedRun> {
  return {
    key,
    header,
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
