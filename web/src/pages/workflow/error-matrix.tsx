import { Pill } from '../../parts/pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { ErrorRow } from './shapes.ts';

const OFTEN = {
  always: ['● always', 'good'],
  sometimes: ['◐ sometimes', 'caution'],
  never: ['○ never', 'bad'],
} as const;

const SEVERITY = { CRITICAL: 1, IMPORTANT: 2, MINOR: 3 } as const;

/** Known errors × runs: which of them was found always, sometimes, never. */
export function ErrorMatrix({ errors }: { readonly errors: readonly ErrorRow[] }) {
  const workflows = [...new Set(errors.flatMap(({ arms }) => arms.map(({ workflow }) => workflow)))];
  return (
    <Table
      caption="Errors beside runs"
      rows={errors}
      rowKey={({ task, id }) => `${task} ${id}`}
      limit={15}
      columns={[
        {
          key: 'error',
          header: 'error',
          names: true,
          value: ({ id }) => id,
          show: ({ id, task, description }) => (
            <div class="error-name">
              <span>
                {id} <span class="sub">{task}</span>
              </span>
              <div class="sub clamp">{description}</div>
            </div>
          ),
        },
        { key: 'task', header: 'task', unseen: true, value: ({ task }) => task },
        { key: 'description', header: 'description', unseen: true, value: ({ description }) => description },
        {
          key: 'severity',
          header: 'severity',
          value: ({ severity }) => SEVERITY[severity],
          show: ({ severity, category }) => (
            <>
              {severity.toLowerCase()}
              <div class="sub">{category}</div>
            </>
          ),
        },
        { key: 'category', header: 'category', unseen: true, value: ({ category }) => category },
        ...workflows.map(runsColumn),
        {
          key: 'often',
          header: 'found',
          value: ({ often }) => often,
          show: ({ often }) => <Pill tone={OFTEN[often][1]}>{OFTEN[often][0]}</Pill>,
        },
      ]}
    />
  );
}

function runsColumn(workflow: string): Column<ErrorRow> {
  const at = ({ arms }: ErrorRow) => arms.find((arm) => arm.workflow === workflow);
  return {
    key: `found by ${workflow}`,
    header: workflow,
    value: (row) => {
      const arm = at(row);
      return arm && `${arm.found}/${arm.runs.length}`;
    },
    show: (row) => {
      const arm = at(row);
      if (arm === undefined) return <span class="faint">–</span>;
      return (
        <span class="run-marks keep">
          {arm.runs.map(({ run, credit, finding }) => (
            <i
              key={run}
              class={credit === 1 ? 'tone-good' : credit > 0 ? 'tone-caution' : 'tone-quiet'}
              aria-hidden="true"
              data-hint={`run ${run}: ${credit === 1 ? 'found' : credit > 0 ? 'found in part' : 'missed'}${finding === undefined ? '' : ` (${finding})`}`}
            >
              {credit === 1 ? '●' : credit > 0 ? '◐' : '○'}
            </i>
          ))}{' '}
          <span class="sub">
            {arm.found}/{arm.runs.length}
          </span>
        </span>
      );
    },
  };
}
