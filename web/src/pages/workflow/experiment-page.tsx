import '../quality.css';
import './workflow.css';
import { useView } from '../../api/use-resource.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { rowsOf, View, ViewLead } from '../../parts/view.tsx';
import type { PageProps } from '../../routes.ts';
import { compareHref } from './addresses.ts';

const SIDE_BY_SIDE = 'Experiments';

/** A whole experiment: scores side by side, what each workflow is blind to, which errors were found how often. */
export function ExperimentPage({ query }: PageProps) {
  const path = query.get('path') ?? '';
  const baseline = query.get('baseline') ?? undefined;
  const asked = path === '' ? undefined : path;
  const report = useView(asked && 'workflow/report', { experiment: path, baseline });
  const board = useView(asked && 'workflow/leaderboard', { experiment: path });
  const rows = report.data === undefined ? [] : rowsOf(report.data, SIDE_BY_SIDE);
  const workflows = [...new Set(rows.map(({ workflow }) => String(workflow)))];
  const base = String(rows.find(({ id }) => id === 'base')?.workflow ?? workflows[0]);
  return (
    <Page
      title={report.data?.title ?? 'Experiment'}
      actions={
        <a class="chip" href="/workflow">
          all experiments
        </a>
      }
      lead={report.data && <ViewLead of={report.data} />}
    >
      {path === '' && <Empty>The address names no experiment.</Empty>}
      {workflows.length > 1 && (
        <FilterBar
          filters={[
            {
              key: 'baseline',
              label: 'Baseline',
              any: `against ${base}`,
              choices: workflows.map((value) => ({ value, name: `against ${value}` })),
            },
          ]}
        />
      )}
      {path !== '' && (
        <>
          <Show of={report} rows={10}>
            {(data) => (
              <View
                of={data}
                main={SIDE_BY_SIDE}
                href={({ workflow }, title) =>
                  title !== SIDE_BY_SIDE || workflow === base
                    ? undefined
                    : compareHref(path, base, String(workflow))
                }
              />
            )}
          </Show>
          {/* What is wrong with the experiment is said once. */}
          {report.data !== undefined && (
            <Show of={board} rows={4}>
              {(data) => <View of={data} />}
            </Show>
          )}
        </>
      )}
    </Page>
  );
}
