import '../quality.css';
import { formatAmount } from '../../../../src/report/number.ts';
import { useResource } from '../../api/use-resource.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import type { PageProps } from '../../routes.ts';
import {
  type Alert,
  type AlertList,
  alertHref,
  ruleName,
  SeverityPill,
  StatePill,
  sayState,
} from './alert-marks.tsx';

const STATES = ['open', 'acknowledged', 'silenced', 'resolved'];

export function AlertsPage({ query }: PageProps) {
  const [state, instrument] = [query.get('state') ?? undefined, query.get('instrument') ?? undefined];
  const alerts = useResource<AlertList>('alerts', { state, instrument, limit: 200 }, [
    'alert.changed',
    'run.stored',
  ]);
  const open = useResource<AlertList>('alerts', { state: 'open', limit: 200 }, [
    'alert.changed',
    'run.stored',
  ]);
  const isNarrowed = state !== undefined || instrument !== undefined;
  return (
    <Page
      title="Alerts"
      live
      actions={
        <a class="chip" href="/audit">
          who did what
        </a>
      }
      {...(open.data && { lead: leadOf(open.data.items) })}
    >
      <FilterBar
        filters={[
          {
            key: 'state',
            label: 'State',
            any: 'all states',
            choices: STATES.map((value) => ({ value, name: value })),
          },
          {
            key: 'instrument',
            label: 'Instrument',
            any: 'all instruments',
            choices: ['decomposition', 'workflow'].map((value) => ({ value, name: value })),
          },
        ]}
      />
      <div class="card">
        <Show of={alerts} rows={5}>
          {({ items, next }) => (
            <>
              <AlertTable rows={items} isNarrowed={isNarrowed} />
              {next !== null && <p class="sub">Only the newest 200 are shown.</p>}
            </>
          )}
        </Show>
      </div>
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

function AlertTable({ rows, isNarrowed }: { readonly rows: readonly Alert[]; readonly isNarrowed: boolean }) {
  return (
    <Table
      caption="Alerts"
      rows={rows}
      rowKey={({ id }) => id}
      href={({ id }) => alertHref(id)}
      main
      limit={50}
      columns={[
        {
          key: 'message',
          title: 'what',
          names: true,
          value: ({ message }) => message,
          show: ({ id, message, subject, instrument }) => (
            <>
              <a href={alertHref(id)}>{message}</a>
              <div class="sub">
                {instrument} · {subject}
              </div>
            </>
          ),
        },
        {
          key: 'severity',
          title: 'severity',
          value: ({ severity }) => severity,
          show: ({ severity }) => <SeverityPill severity={severity} />,
        },
        {
          key: 'state',
          title: 'state',
          value: ({ state }) => state,
          show: (one) => (
            <>
              <StatePill state={one.state} />
              <div class="sub">{sayState(one)}</div>
            </>
          ),
        },
        { key: 'rule', title: 'rule', value: ({ rule }) => rule, show: ({ rule }) => ruleName(rule) },
        { key: 'at', title: 'when', value: ({ at }) => at, show: ({ at }) => <When at={at} /> },
        { key: 'id', title: 'id', unseen: true, value: ({ id }) => id },
        { key: 'instrument', title: 'instrument', unseen: true, value: ({ instrument }) => instrument },
        { key: 'subject', title: 'subject', unseen: true, value: ({ subject }) => subject },
      ]}
      empty={
        isNarrowed ? (
          <Empty>No alert fits these filters.</Empty>
        ) : (
          <Empty command="assay decomposition run">
            No alert was raised. One is raised when a metric of the gate falls three runs in a row, by{' '}
            <code>assay decomposition run</code> and <code>assay workflow score</code>. This adds a run:
          </Empty>
        )
      }
    />
  );
}
