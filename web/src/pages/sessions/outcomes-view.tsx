/** Outcomes: how many of the lines that sessions wrote were committed, merged, and still exist. */
import { useView } from '../../api/use-resource.ts';
import { Empty, Show } from '../../parts/states.tsx';
import { rowsOf, View, ViewLead } from '../../parts/view.tsx';
import { narrowingOf } from './session-filters.ts';
import { namedSession, useSessionNames } from './use-session-names.tsx';

/** Repositories are asked about each: so many, and no more. */
const NEWEST = 100;
const TABLE = 'What became of the work';

export function OutcomesView({ query }: { readonly query: URLSearchParams }) {
  const outcomes = useView('sessions/outcomes', { ...narrowingOf(query), limit: NEWEST });
  const rows = outcomes.data && rowsOf(outcomes.data, TABLE);
  const names = useSessionNames(rows?.map(({ session_key }) => String(session_key)));
  return (
    <Show of={outcomes} rows={8}>
      {(data) =>
        data.blocks.length === 0 ? (
          <Empty command="assay sessions score --repo .">
            No repository was asked about the sessions of this view. Score sessions where their repositories
            are:
          </Empty>
        ) : (
          <>
            <p>
              <ViewLead of={data} />
            </p>
            {rows?.length === NEWEST && (
              <p class="sub">
                Only the newest {NEWEST} sessions of this view are looked at: a period or a project narrows
                it.
              </p>
            )}
            <View of={data} main={TABLE} {...namedSession(names, 'session')} />
          </>
        )
      }
    </Show>
  );
}
