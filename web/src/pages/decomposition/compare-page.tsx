import '../quality.css';
import './decomposition.css';
import { useResource, useView } from '../../api/use-resource.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { View, ViewLead } from '../../parts/view.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { compareHref, shortId } from './addresses.ts';
import { caseLink } from './run-page.tsx';
import type { ListedRun, RunList } from './shapes.ts';

/** Two runs side by side: what changed, metric by metric and case by case. */
export function ComparePage({ query }: PageProps) {
  const [a, b] = [query.get('a') ?? '', query.get('b') ?? ''];
  const runs = useResource<RunList>('runs', { instrument: 'decomposition', limit: 200 });
  const chosen = a !== '' && b !== '';
  const compared = useView(chosen ? 'decomposition/compare' : undefined, {
    a,
    b,
    insist: query.get('insist') ?? undefined,
  });
  return (
    <Page
      title="Two runs side by side"
      actions={
        <a class="chip" href="/decomposition">
          all runs
        </a>
      }
      lead={compared.data && <ViewLead of={compared.data} />}
    >
      <Show of={runs} rows={1}>
        {({ items }) => (
          <div class="row choose-runs">
            <Choice label="Before" name="a" value={a} runs={items} />
            <span aria-hidden="true">→</span>
            <Choice label="After" name="b" value={b} runs={items} />
            {chosen && (
              <a class="chip" href={compareHref(b, a)}>
                swap
              </a>
            )}
          </div>
        )}
      </Show>
      {chosen ? (
        <Show of={compared} rows={10}>
          {(data) => (
            <>
              {data.verdict === 'could not run' && (
                <button type="button" class="chip" onClick={() => choose({ insist: 'true' })}>
                  compare all the same
                </button>
              )}
              <View of={data} href={caseLink(b)} />
            </>
          )}
        </Show>
      ) : (
        <Empty>Choose two runs.</Empty>
      )}
    </Page>
  );
}

function Choice({
  label,
  name,
  value,
  runs,
}: {
  readonly label: string;
  readonly name: 'a' | 'b';
  readonly value: string;
  readonly runs: readonly ListedRun[];
}) {
  return (
    <label class="field">
      {label}
      <select
        class="chip"
        value={value}
        onChange={({ currentTarget }) => choose({ [name]: currentTarget.value })}
      >
        <option value="">choose a run</option>
        {runs.map(({ run }) => (
          <option key={run.id} value={run.id}>
            {`${run.at.slice(0, 16).replace('T', ' ')} · ${run.subject} · ${shortId(run.id)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
