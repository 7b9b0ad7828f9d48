import { formatPoints, formatRatio, formatValue } from '../../../../src/report/number.ts';
import { Hint } from '../../parts/hint.tsx';
import { type Unit, Unmeasured, Value } from '../../parts/measured.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { compareHref } from './addresses.ts';
import type { ExperimentRow } from './shapes.ts';

type Key = 'dr' | 'wds' | 'te' | 'precision' | 'dq' | 'oes';

const COLUMNS: readonly (readonly [Key, string, string, Unit, boolean])[] = [
  ['dr', 'DR', 'Detection rate', 'percent', true],
  ['wds', 'WDS', 'Weighted detection score', 'percent', true],
  ['te', 'TE', 'Token efficiency: points per 1k tokens', 'score', false],
  ['precision', 'P', 'Precision', 'ratio', false],
  ['dq', 'DQ', 'Depth quality, 1 to 5', 'score', false],
  ['oes', 'OES', 'Overall effectiveness', 'percent', true],
];

/** The cross-experiment table: one row per workflow and task. */
export function ExperimentTable({
  rows,
  baseline,
  path,
}: {
  readonly rows: readonly ExperimentRow[];
  readonly baseline: string;
  readonly path: string;
}) {
  return (
    <Table
      caption="Experiments side by side"
      rows={rows}
      rowKey={({ exp }) => exp}
      href={(row) => (row.workflow === baseline ? undefined : compareHref(path, baseline, row.workflow))}
      main
      columns={[
        {
          key: 'exp',
          header: 'experiment',
          names: true,
          value: ({ exp }) => exp,
          show: ({ exp, workflow, task }) => (
            <>
              {workflow === baseline ? (
                workflow
              ) : (
                <a href={compareHref(path, baseline, workflow)}>{workflow}</a>
              )}
              <div class="sub">
                {exp} · {task}
              </div>
            </>
          ),
        },
        { key: 'workflow', header: 'workflow', unseen: true, value: ({ workflow }) => workflow },
        { key: 'task', header: 'task', unseen: true, value: ({ task }) => task },
        { key: 'runs', header: 'runs', numeric: true, value: ({ runs }) => runs },
        ...COLUMNS.flatMap(([key, header, hint, unit, withSd]) => [
          meanColumn(key, header, hint, unit, withSd),
          {
            key: `${key}_sd`,
            header: `${header} SD`,
            unseen: true,
            value: (row: ExperimentRow) => row[key].sd.value,
          },
        ]),
        {
          key: 'id',
          header: 'ID',
          hint: 'Improvement delta against the baseline, in points of OES',
          numeric: true,
          value: ({ id }) => id.value,
          show: ({ id, workflow }) =>
            workflow === baseline ? (
              <span class="faint">base</span>
            ) : id.value === null ? (
              <Unmeasured reason={id.reason} />
            ) : (
              formatPoints(id.value).replace(' points', '')
            ),
        },
        {
          key: 'significant',
          header: 'significant?',
          hint: 'The documented rule: more than twice the pooled standard deviation',
          value: ({ significant }) => significant,
          show: (row) => <Significance row={row} isBaseline={row.workflow === baseline} />,
        },
        { key: 'verdict', header: 'verdict', unseen: true, value: ({ verdict }) => verdict },
      ]}
    />
  );
}

function meanColumn(
  key: Key,
  header: string,
  hint: string,
  unit: Unit,
  withSd: boolean,
): Column<ExperimentRow> {
  return {
    key,
    header: withSd ? `${header} ± σ` : header,
    hint,
    numeric: true,
    value: (row) => row[key].value,
    show: (row) => {
      const { sd, ...mean } = row[key];
      return (
        <span class="keep">
          <Value of={mean.value} unit={unit} reason={mean.reason} />
          {withSd && mean.value !== null && sd.value !== null && (
            <span class="faint"> ± {formatValue(sd.value, unit).replace('%', '')}</span>
          )}
        </span>
      );
    },
  };
}

function Significance({ row, isBaseline }: { readonly row: ExperimentRow; readonly isBaseline: boolean }) {
  if (isBaseline) return <span class="faint">–</span>;
  if (row.significant === null) return <Unmeasured reason={row.reason} />;
  const rate = row.false_alarm_rate;
  const alarm = rate === null ? '' : `false alarms of this rule at so many runs: ${formatRatio(rate)}`;
  return <Hint text={alarm}>{row.significant ? '✓ yes' : '– no'}</Hint>;
}
