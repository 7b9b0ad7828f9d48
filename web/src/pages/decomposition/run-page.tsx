import '../quality.css';
import './decomposition.css';
import { useResource, useView } from '../../api/use-resource.ts';
import { Page } from '../../parts/page.tsx';
import { Command, Show } from '../../parts/states.tsx';
import { View, ViewLead } from '../../parts/view.tsx';
import type { PageProps } from '../../routes.ts';
import { caseHref, compareHref, shortId } from './addresses.ts';
import type { SuiteRun } from './shapes.ts';

export function RunPage({ params: { id = '' } }: PageProps) {
  const path = `runs/${encodeURIComponent(id)}`;
  const run = useResource<SuiteRun>(path);
  const view = useView(path);
  const baseline = run.data?.comparison?.baseline.id;
  return (
    <Page
      title={run.data?.run.subject ?? `Run ${shortId(id)}`}
      actions={
        <>
          {baseline !== undefined && (
            <a class="chip" href={compareHref(baseline, id)}>
              compare with its baseline
            </a>
          )}
          <a class="chip" href="/decomposition">
            all runs
          </a>
        </>
      }
      lead={view.data && <ViewLead of={view.data} />}
    >
      <Show of={view} rows={10}>
        {(data) => <View of={data} main="All cases" href={caseLink(id)} />}
      </Show>
      <p class="foot">
        In a terminal: <Command text={`assay runs ${shortId(id)}`} />
      </p>
    </Page>
  );
}

/** A row that is about a case leads to it. */
export function caseLink(run: string) {
  return ({ case: id }: { readonly case?: unknown }) =>
    typeof id === 'string' ? caseHref(run, id) : undefined;
}
