import '../quality.css';
import { formatAmount } from '../../../../src/report/number.ts';
import type { Alert, PageOf } from '../../api/shapes.ts';
import { useResource, useView } from '../../api/use-resource.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { Section } from '../../parts/view.tsx';
import type { PageProps } from '../../routes.ts';

const LIVE = ['alert.changed', 'run.stored'];
const named = (values: readonly string[]) => values.map((value) => ({ value, name: value }));
const FILTERS = [
  {
    key: 'state',
    label: 'State',
    any: 'all states',
    choices: named(['open', 'acknowledged', 'silenced', 'resolved']),
  },
  {
    key: 'instrument',
    label: 'Instrument',
    any: 'all instruments',
    choices: named(['decomposition', 'workflow']),
  },
];

export function AlertsPage({ query }: PageProps) {
  const [state, instrument] = [query.get('state') ?? undefined, query.get('instrument') ?? undefined];
  const alerts = useView('alerts', { state, instrument, limit: 200 }, LIVE);
  const open = useResource<PageOf<Alert>>('alerts', { state: 'open', limit: 200 }, LIVE);
  return (
    <Page
      title="Alerts"
      live
      actions={
        <a class="chip" href="/audit">
          who did what
        </a>
      }
      lead={open.data && leadOf(open.data.items)}
    >
      <FilterBar filters={FILTERS} />
      <Section
        title="Alerts"
        of={alerts}
        main="Alerts"
        href={({ id }) => `/alerts/${encodeURIComponent(String(id))}`}
        empty={
          state !== undefined || instrument !== undefined ? (
            <Empty>No alert fits these filters.</Empty>
          ) : (
            <Empty command="assay decomposition run">
              No alert was raised. A rule of production, a session with a low Q and a metric of the gate that
              falls three runs in a row raise one. This adds a run:
            </Empty>
          )
        }
      />
    </Page>
  );
}

function leadOf(open: readonly Alert[]) {
  if (open.length === 0) return 'Nothing is open.';
  const critical = open.filter(({ severity }) => severity === 'critical').length;
  return (
    <>
      <b>{formatAmount(open.length, 'alert')}</b> {open.length === 1 ? 'is' : 'are'} open
      {critical > 0 && `, ${critical} critical`}.
    </>
  );
}
