import '../quality.css';
import './workflow.css';
import type { Row } from '../../../../src/report/view.ts';
import { useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { blocksNamed, rowsOf, Section, View, ViewLead } from '../../parts/view.tsx';
import { blindHref, experimentHref, storedCompareHref } from './addresses.ts';

const SERIES = 'Series';

/** The measured reviews and their results. */
export function WorkflowPage() {
  const found = useView('workflow/experiments');
  const history = useView('workflow/history', {}, ['run.stored']);
  const series = history.data === undefined ? [] : rowsOf(history.data, SERIES);
  return (
    <Page
      title="Workflow"
      actions={
        <a class="chip" href="/workflow/blind/new">
          start a blind evaluation
        </a>
      }
      lead={found.data && <ViewLead of={found.data} />}
    >
      <Show of={found} rows={6}>
        {(data) => (
          <>
            {rowsOf(data, 'Experiments').length === 0 && (
              <Card title="Experiments">
                <Empty command="assay workflow new --help">
                  No experiment is below this folder: one is a folder with truth/ and runs/, or a file
                  experiment.yaml. This drafts a ground truth to begin with:
                </Empty>
              </Card>
            )}
            <View
              of={{ ...blocksNamed(data, 'Experiments', 'Blind evaluations'), notes: data.notes }}
              main="Experiments"
              href={toEvaluation}
            />
          </>
        )}
      </Show>
      <h2>Stored scores over time</h2>
      <Section
        title="Scores"
        of={history}
        href={({ workflow, task }, title) => {
          const other = series.find((one) => one.task === task && one.workflow !== workflow)?.workflow;
          return title !== SERIES || other === undefined
            ? undefined
            : storedCompareHref(String(other), String(workflow));
        }}
        empty={
          <Empty command="assay workflow score --help">
            No score is stored. This scores the runs of a workflow and stores the result:
          </Empty>
        }
      />
    </Page>
  );
}

/** An experiment with sealed errors links to its evaluation. */
function toEvaluation({ evaluation, path, state, sealed_by: by }: Row): string | undefined {
  if (typeof evaluation === 'string') return blindHref(evaluation);
  if (typeof by === 'string') return blindHref(by);
  return String(state).startsWith('✗') ? undefined : experimentHref(String(path));
}
