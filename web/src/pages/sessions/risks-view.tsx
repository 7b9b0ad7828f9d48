/** Actions that could destroy work or hide a fault, and that nobody had asked for. */
import { useView } from '../../api/use-resource.ts';
import { Empty, Show } from '../../parts/states.tsx';
import { View, ViewLead } from '../../parts/view.tsx';
import { narrowingOf } from './session-filters.ts';

export function RisksView({ query }: { readonly query: URLSearchParams }) {
  const risks = useView('sessions/risks', { ...narrowingOf(query), titles: 'true' }, ['session.scored']);
  return (
    <Show of={risks} rows={8}>
      {(data) =>
        data.blocks.length === 0 ? (
          <Empty>No risky action was seen in the sessions of this view.</Empty>
        ) : (
          <>
            <p>
              <ViewLead of={data} />
            </p>
            <View
              of={data}
              main="Risky actions"
              href={({ session_key: key }) =>
                typeof key === 'string' ? `/sessions/${encodeURIComponent(key)}` : undefined
              }
            />
          </>
        )
      }
    </Show>
  );
}
