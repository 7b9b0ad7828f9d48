import '../quality.css';
import './decomposition.css';
import { useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Segments } from '../../parts/choices.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { View, ViewLead } from '../../parts/view.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';

/** How far back is looked, and in which steps. */
const VIEWS = {
  now: { name: 'last hour', by: 'minute', minutes: 60 },
  day: { name: 'last day', by: 'hour', minutes: 24 * 60 },
  month: { name: 'last 30 days', by: 'day', minutes: 30 * 24 * 60 },
} as const;
type Period = keyof typeof VIEWS;
const RATE = '/decomposition/production/rate';

/** A service in production: now, by hour and by day, compared with the golden cases and the week before. */
export function ProductionPage({ query }: PageProps) {
  const asked = query.get('view');
  const view: Period = asked === 'day' || asked === 'month' ? asked : 'now';
  const { by, minutes } = VIEWS[view];
  const live = ['production.recorded', 'rating.saved'];
  const data = useView('production', { by, last_minutes: minutes }, live);
  const drift = useView('production/drift', {}, ['production.recorded']);
  const experiments = useView('experiments', {}, live);
  return (
    <Page
      title="In production"
      live
      actions={
        <>
          <Segments
            label="Time"
            choices={Object.entries(VIEWS).map(([value, { name }]) => ({ value, name }))}
            chosen={view}
            onChoose={(value) => choose({ view: value === 'now' ? undefined : value })}
          />
          <a class="chip" href="/decomposition">
            golden cases
          </a>
          <a class="chip" href={RATE}>
            rate outputs
          </a>
        </>
      }
      lead={data.data && <ViewLead of={data.data} />}
    >
      <Show of={data} rows={8}>
        {(shown) => (shown.blocks.length === 0 ? <Nothing view={view} /> : <View of={shown} />)}
      </Show>
      <Show of={drift} rows={5}>
        {(shown) => <View of={shown} />}
      </Show>
      {experiments.data !== undefined && <View of={experiments.data} />}
    </Page>
  );
}

function Nothing({ view }: { readonly view: Period }) {
  return (
    <Card title="No request yet">
      <Empty command="assay example production">
        Nothing was recorded in the {VIEWS[view].name}. A service sends its requests to
        /api/v1/decompositions, or wraps its function with monitor(). This runs a small service and watches
        it:
      </Empty>
    </Card>
  );
}
