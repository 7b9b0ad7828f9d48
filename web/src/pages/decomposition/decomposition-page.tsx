import '../quality.css';
import './decomposition.css';
import { formatAmount } from '../../../../src/report/number.ts';
import type { Row } from '../../../../src/report/view.ts';
import { useResource, useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Section, View, ViewLead } from '../../parts/view.tsx';
import type { PageProps } from '../../routes.ts';
import { compareHref, runHref } from './addresses.ts';
import { caseLink } from './run-page.tsx';
import type { ListedRun, RunList } from './shapes.ts';

const LIVE = ['run.stored'];

/** The latest run of the suite with its trends, and the runs before it. */
export function DecompositionPage({ query }: PageProps) {
  const subject = query.get('subject') ?? undefined;
  const runs = useResource<RunList>('runs', { instrument: 'decomposition', limit: 200 }, LIVE);
  const subjects = [...new Set(runs.data?.items.map((one) => one.run.subject))];
  const shown = runs.data?.items.filter(({ run }) => subject === undefined || run.subject === subject);
  const [latest] = shown ?? [];
  const view = useView(latest && `runs/${encodeURIComponent(latest.run.id)}`);
  return (
    <Page
      title="Decomposition"
      live
      actions={
        <>
          <a class="chip" href="/decomposition/golden">
            Golden cases
          </a>
          <a class="chip" href="/decomposition/production">
            in production
          </a>
          <a class="chip" href="/decomposition/activity">
            latency, cost, errors
          </a>
        </>
      }
      lead={view.data && <ViewLead of={view.data} />}
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
            <>
              <p class="sub facts">
                The latest run of {formatAmount(shown.length, 'run')}:{' '}
                <a href={runHref(latest.run.id)}>open the run</a>
                <SinceBefore one={latest} runs={shown} />
                {' · '}
                <a href="/decomposition/compare">compare two runs</a>
              </p>
              <Show of={view} rows={8}>
                {(data) => <View of={data} main="All cases" href={caseLink(latest.run.id)} />}
              </Show>
              <History subject={subject} />
            </>
          )
        }
      </Show>
      <Prompts />
    </Page>
  );
}

function SinceBefore({ one, runs }: { readonly one: ListedRun; readonly runs: readonly ListedRun[] }) {
  const before = previousOf(one, runs);
  if (before === undefined) return null;
  return (
    <>
      {' · '}
      <a href={compareHref(before.run.id, one.run.id)}>compare with the run before</a>
    </>
  );
}

/** The run of the same golden cases that came before it. */
function previousOf(one: ListedRun, runs: readonly ListedRun[]): ListedRun | undefined {
  return runs.slice(runs.indexOf(one) + 1).find(({ suite }) => suite.truth_hash === one.suite.truth_hash);
}

function History({ subject }: { readonly subject: string | undefined }) {
  const runs = useView('runs', { instrument: 'decomposition', subject, limit: 200 }, LIVE);
  const approvals = useView('decomposition/approvals', { limit: 200 }, LIVE);
  const toRun = ({ id, run_id }: Row) => {
    const run = id ?? run_id;
    return typeof run === 'string' ? runHref(run) : undefined;
  };
  return (
    <>
      <Section title="Runs" of={runs} href={toRun} empty={<Empty>No run is stored.</Empty>} />
      <Section
        title="Approvals"
        of={approvals}
        href={toRun}
        empty={
          <Empty command={'assay decomposition compare --approve "why"'}>
            No regression was approved. This approves one:
          </Empty>
        }
      />
    </>
  );
}

function Prompts() {
  const prompts = useView('decomposition/prompts');
  const decisions = useView('decomposition/prompts/decisions');
  return (
    <>
      <Section
        title="Prompts"
        of={prompts}
        empty={<Empty command="assay decomposition prompt new">No prompt yet. This starts a version:</Empty>}
      />
      <Section
        title="Decisions about prompts"
        of={decisions}
        empty={
          <Empty command="assay decomposition prompt promote --help">
            Nothing was decided yet. This measures a version and decides:
          </Empty>
        }
      />
    </>
  );
}
