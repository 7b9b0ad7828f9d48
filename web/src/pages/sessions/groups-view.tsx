import type { IntervalsChart } from '../../../../src/report/chart.ts';
import { formatCents, formatCount, formatScore, formatTokens } from '../../../../src/report/number.ts';
import { agentName } from '../../api/agent-names.ts';
import type { ListedGroup, SessionList } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Chart, useChartsSoon } from '../../parts/chart.tsx';
import { Measured, Unmeasured } from '../../parts/measured.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { choose, withQuery } from '../../router/location.ts';
import { NoSessions } from './list-view.tsx';
import { narrowingOf, shortModel, shortName } from './session-filters.ts';

const BY = [
  { value: 'project', name: 'project' },
  { value: 'model', name: 'model' },
  { value: 'agent', name: 'agent' },
  { value: 'task_type', name: 'task type' },
];
const DRAWN = 12;

export function GroupsView({ query }: { readonly query: URLSearchParams }) {
  useChartsSoon();
  const by = BY.find(({ value }) => value === query.get('by')) ?? { value: 'project', name: 'project' };
  const list = useResource<SessionList>('sessions/summary', { ...narrowingOf(query), by: by.value }, [
    'session.scored',
  ]);
  return (
    <>
      <div class="row spread">
        <Segments label="By" choices={BY} chosen={by.value} onChoose={(value) => choose({ by: value })} />
      </div>
      <Show of={list} rows={8}>
        {({ groups }) =>
          groups.length === 0 ? (
            <NoSessions isNarrowed />
          ) : (
            <>
              <section class="card">
                <Chart chart={chartOf(groups, by)} table={false} />
              </section>
              <Card title={`Sessions by ${by.name}`}>
                <Table
                  caption={`Sessions by ${by.name}`}
                  columns={columnsOf(by)}
                  rows={groups}
                  rowKey={({ key }) => key ?? ''}
                  href={(group) => hrefOf(by.value, group)}
                  sort={{ key: 'sessions', direction: 'descending' }}
                  limit={20}
                  main
                />
              </Card>
            </>
          )
        }
      </Show>
    </>
  );
}

function hrefOf(by: string, { key }: ListedGroup): string | undefined {
  return key === null ? undefined : withQuery({ [by]: key, view: undefined, by: undefined });
}

function columnsOf(by: { readonly value: string; readonly name: string }): readonly Column<ListedGroup>[] {
  return [
    {
      key: by.value,
      header: by.name,
      names: true,
      value: ({ key }) => key,
      show: (group) => {
        const to = hrefOf(by.value, group);
        const name = group.key === null ? 'not known' : nameIn(by.value, group.key);
        return to === undefined ? <span class="faint">{name}</span> : <a href={to}>{name}</a>;
      },
    },
    {
      key: 'sessions',
      header: 'sessions',
      numeric: true,
      value: ({ sessions }) => sessions,
      show: ({ sessions }) => formatCount(sessions),
    },
    {
      key: 'q',
      header: 'mean Q',
      numeric: true,
      value: ({ q }) => q.value,
      show: ({ q }) => <Measured of={q} unit="score" />,
    },
    {
      key: 'cost_usd',
      header: 'cost',
      numeric: true,
      value: ({ cost_usd }) => cost_usd,
      show: ({ cost_usd: cost, cost_usd_is_lower_bound: atLeast }) =>
        cost === null ? (
          <Unmeasured reason="no cost is known" />
        ) : (
          `${atLeast ? '≥ ' : ''}${formatCents(cost)}`
        ),
    },
    {
      key: 'cost_per_session_usd',
      header: 'a session',
      numeric: true,
      value: eachOf,
      show: (group) => {
        const each = eachOf(group);
        return each === null ? <Unmeasured reason="no cost is known" /> : formatCents(each);
      },
    },
    {
      key: 'total_tokens',
      header: 'tokens',
      numeric: true,
      value: ({ total_tokens }) => total_tokens,
      show: ({ total_tokens }) => formatTokens(total_tokens).replace(' tokens', ''),
    },
    {
      key: 'models',
      header: 'models',
      // A model is what the row is about.
      unseen: by.value === 'model',
      value: ({ models }) => models.join(' '),
      show: ({ models }) => <span class="sub">{models.map(shortModel).join(', ')}</span>,
    },
  ];
}

function eachOf({ cost_usd: cost, sessions, cost_unknown: unknown }: ListedGroup): number | null {
  return cost === null || sessions === unknown ? null : cost / (sessions - unknown);
}

/** A folder by its last part, an agent as people call it. */
function nameIn(by: string, key: string): string {
  return by === 'agent' ? agentName(key) : shortName(key);
}

function chartOf(
  groups: readonly ListedGroup[],
  { value: key, name: by }: { readonly value: string; readonly name: string },
): IntervalsChart {
  const rows = groups
    .flatMap(({ key: one, q: { value, low, high, n } }) =>
      value === null
        ? []
        : [
            {
              label: `${one === null ? 'not known' : nameIn(key, one)} · n ${n}`,
              value,
              ...(low !== null && high !== null && { low, high }),
            },
          ],
    )
    .toSorted((a, b) => b.value - a.value);
  const [best, worst] = [rows[0], rows.at(-1)];
  const title =
    best === undefined || worst === undefined || best === worst
      ? `Mean Q by ${by}`
      : `Mean Q by ${by}: ${formatScore(worst.value)} to ${formatScore(best.value)}${overlap(best, worst) ? ', their intervals overlap' : ''}`;
  return { kind: 'intervals', title, unit: 'score', rows: rows.slice(0, DRAWN) };
}

type Ranged = { readonly low?: number; readonly high?: number };

/** Without an interval nothing says that they differ. */
function overlap(best: Ranged, worst: Ranged): boolean {
  return best.low === undefined || worst.high === undefined || best.low <= worst.high;
}
