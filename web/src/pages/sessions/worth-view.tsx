/** Is the more expensive model worth it? Cost against quality, with the line that nothing beats. */
import { useView } from '../../api/use-resource.ts';
import { useChartsSoon } from '../../parts/chart.tsx';
import { Segments } from '../../parts/choices.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { View, ViewLead } from '../../parts/view.tsx';
import { choose } from '../../router/location.ts';
import { narrowingOf } from './session-filters.ts';

const BY = [
  { value: 'model', name: 'model' },
  { value: 'agent', name: 'agent' },
];

export function WorthView({ query }: { readonly query: URLSearchParams }) {
  useChartsSoon();
  const by = query.get('by') === 'agent' ? 'agent' : 'model';
  const asked = { ...narrowingOf(query), by };
  const frontier = useView('sessions/frontier', asked);
  const roi = useView('sessions/roi', asked);
  const route = useView(by === 'model' ? 'route' : undefined, narrowingOf(query), [], { later: true });
  return (
    <>
      <div class="row spread">
        <Segments label="By" choices={BY} chosen={by} onChoose={(value) => choose({ by: value })} />
      </div>
      <Show of={frontier} rows={8}>
        {(data) =>
          data.blocks.length === 0 ? (
            <Empty>No task type has sessions with a score and a price of two {by}s yet.</Empty>
          ) : (
            <View of={data} />
          )
        }
      </Show>
      {by === 'model' && (
        <>
          <h2>Which model for which work</h2>
          {route.data === undefined && route.problem === undefined && (
            <p class="sub" role="status">
              Adding up every day, project and model takes seconds over many sessions.
            </p>
          )}
          <Show of={route} rows={5}>
            {(data) => (
              <>
                <p>
                  <ViewLead of={data} />
                </p>
                <View of={data} />
              </>
            )}
          </Show>
        </>
      )}
      <h2>Q per dollar</h2>
      <Show of={roi} rows={5}>
        {(data) => (data.blocks.length === 0 ? <Empty>{data.answer}</Empty> : <View of={data} />)}
      </Show>
    </>
  );
}
