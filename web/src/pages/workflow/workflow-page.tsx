import '../quality.css';
import './workflow.css';
import { formatAmount } from '../../../../src/report/number.ts';
import type { View as ViewOf } from '../../../../src/report/view.ts';
import { useResource, useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Pill } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { rowsOf, View } from '../../parts/view.tsx';
import { blindHref, experimentHref, storedCompareHref } from './addresses.ts';
import type { Evaluations, FoundBlind, FoundExperiment } from './shapes.ts';

/** Which reviews were measured, and how they stand. */
export function WorkflowPage() {
  const found = useResource<Evaluations>('workflow/experiments');
  const history = useView('workflow/history', {}, ['run.stored']);
  return (
    <Page
      title="Workflow"
      actions={
        <a class="chip" href="/workflow/blind/new">
          start a blind evaluation
        </a>
      }
      {...(found.data && { lead: leadOf(found.data) })}
    >
      <Show of={found} rows={6}>
        {({ experiments, blind, partial }) => (
          <>
            <Card
              title="Experiments"
              aside={
                partial
                  ? 'the folder is large: not all of it was looked at'
                  : 'below the folder that is served'
              }
            >
              <Experiments rows={experiments} />
            </Card>
            <Card title="Blind evaluations">
              <Blind rows={blind} />
            </Card>
          </>
        )}
      </Show>
      <h2>Stored scores over time</h2>
      <Show of={history}>{(data) => <Scores of={data} />}</Show>
    </Page>
  );
}

function leadOf({ experiments, blind }: Evaluations) {
  const open = blind.filter(({ status }) => status !== null && status.opened_in === undefined).length;
  return (
    <>
      <b>{formatAmount(experiments.length, 'experiment')}</b> here
      {open > 0 && (
        <>
          , and <b>{formatAmount(open, 'blind evaluation')}</b> that {open === 1 ? 'waits' : 'wait'} for
          answers
        </>
      )}
      .
    </>
  );
}

function Experiments({ rows }: { readonly rows: readonly FoundExperiment[] }) {
  const of = (one: FoundExperiment, key: 'workflow' | 'task') => [
    ...new Set(one.arms.map((arm) => arm[key])),
  ];
  return (
    <Table
      caption="Experiments"
      rows={rows}
      rowKey={({ path }) => path}
      href={({ path, sealed_by: by }) => (by === null ? experimentHref(path) : blindHref(by))}
      main
      columns={[
        {
          key: 'name',
          title: 'experiment',
          names: true,
          value: ({ name }) => name,
          show: (one) => <ExperimentName of={one} />,
        },
        { key: 'path', title: 'path', unseen: true, value: ({ path }) => path },
        {
          key: 'workflows',
          title: 'workflows',
          value: (one) => of(one, 'workflow').join(', '),
          show: (one) => <div class="words">{of(one, 'workflow').join(', ')}</div>,
        },
        { key: 'tasks', title: 'tasks', numeric: true, value: (one) => of(one, 'task').length },
        {
          key: 'runs',
          title: 'runs',
          numeric: true,
          value: ({ arms }) => arms.reduce((sum, { runs }) => sum + runs.length, 0),
        },
        { key: 'sealed_by', title: 'sealed by', unseen: true, value: (one) => one.sealed_by },
        { key: 'fault', title: 'fault', unseen: true, value: ({ fault }) => fault },
      ]}
      empty={
        <Empty command="assay workflow new --help">
          No experiment is below this folder: one is a folder with truth/ and runs/, or a file
          experiment.yaml. This drafts a ground truth to begin with:
        </Empty>
      }
    />
  );
}

/** One whose known errors nobody may see yet leads to the evaluation that has to come first. */
function ExperimentName({ of: { name, path, fault, sealed_by: by } }: { readonly of: FoundExperiment }) {
  if (fault !== null)
    return (
      <>
        <span>{path}</span>
        <div class="sub tone-bad">✗ {fault}</div>
      </>
    );
  if (by !== null)
    return (
      <>
        <span>{name}</span>
        <div class="sub">
          <Pill tone="caution">▲ sealed</Pill> until <a href={blindHref(by)}>{by}</a> is opened
        </div>
      </>
    );
  return (
    <>
      <a href={experimentHref(path)}>{name}</a>
      <div class="sub">{path}</div>
    </>
  );
}

function Blind({ rows }: { readonly rows: readonly FoundBlind[] }) {
  return (
    <Table
      caption="Blind evaluations"
      rows={rows}
      rowKey={({ path }) => path}
      href={({ path }) => blindHref(path)}
      columns={[
        {
          key: 'folder',
          title: 'evaluation',
          names: true,
          value: ({ path }) => path,
          show: ({ path, fault }) => (
            <>
              <a href={blindHref(path)}>{path}</a>
              {fault !== null && <div class="sub tone-bad">✗ {fault}</div>}
            </>
          ),
        },
        {
          key: 'state',
          title: 'state',
          value: ({ status }) =>
            status === null ? null : status.opened_in === undefined ? 'sealed' : 'opened',
          show: ({ status }) =>
            status === null ? (
              <Pill tone="bad">✗ cannot be trusted</Pill>
            ) : status.opened_in === undefined ? (
              <Pill tone="caution">▲ results closed</Pill>
            ) : (
              <Pill tone="good">✓ results open</Pill>
            ),
        },
        { key: 'findings', title: 'findings', numeric: true, value: ({ status }) => status?.findings },
        { key: 'errors', title: 'known errors', numeric: true, value: ({ status }) => status?.errors },
        {
          key: 'evaluators',
          title: 'evaluators',
          value: ({ status }) => status?.evaluators.map(({ name }) => name).join(', '),
          show: ({ status }) => (
            <div class="words">
              {status?.evaluators.map(({ name, next }) => `${name}: ${next ?? 'done'}`).join(', ') || '–'}
            </div>
          ),
        },
      ]}
      empty={
        <Empty command="assay workflow blind start --help">
          None has begun. This page or a command starts one:
        </Empty>
      }
    />
  );
}

const SERIES = 'Series';

function Scores({ of }: { readonly of: ViewOf }) {
  if (of.blocks.length === 0)
    return (
      <Empty command="assay workflow score --help">
        No score is stored. This scores the runs of a workflow and keeps the result:
      </Empty>
    );
  const rows = rowsOf(of, SERIES);
  return (
    <>
      <p class="lead">{of.answer}</p>
      <View
        of={of}
        href={({ workflow, task }, title) => {
          const other = rows.find((one) => one.task === task && one.workflow !== workflow)?.workflow;
          return title !== SERIES || other === undefined
            ? undefined
            : storedCompareHref(String(other), String(workflow));
        }}
      />
    </>
  );
}
