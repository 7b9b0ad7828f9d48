import '../quality.css';
import './workflow.css';
import { useView } from '../../api/use-resource.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { View, ViewLead } from '../../parts/view.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { experimentHref } from './addresses.ts';

/** Is the new version of a review better, or is the difference noise? */
export function WorkflowComparePage({ query }: PageProps) {
  const [experiment, a, b] = ['experiment', 'a', 'b'].map((key) => query.get(key) ?? undefined);
  const named = a !== undefined && b !== undefined;
  const insist = query.get('insist') ?? undefined;
  const compared = useView(named ? 'workflow/compare' : undefined, { experiment, a, b, insist });
  return (
    <Page
      title={named ? `${a} → ${b}` : 'Two workflows'}
      actions={
        <>
          {named && (
            <button type="button" class="chip" onClick={() => choose({ a: b, b: a })}>
              swap
            </button>
          )}
          <a class="chip" href={experiment === undefined ? '/workflow' : experimentHref(experiment)}>
            {experiment === undefined ? 'all workflows' : 'the experiment'}
          </a>
        </>
      }
      lead={compared.data && <ViewLead of={compared.data} />}
    >
      {named ? (
        <Show of={compared} rows={8}>
          {(data) => <View of={data} />}
        </Show>
      ) : (
        <Empty>The address names no two workflows.</Empty>
      )}
    </Page>
  );
}
