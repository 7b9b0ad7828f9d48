import type { IntervalsChart } from '../../../../src/report/chart.ts';
import { formatCents, formatCount, formatScore, formatTokens } from '../../../../src/report/number.ts';
import { agentName } from '../../api/agent-names.ts';
import type { ListedGroup, SessionList } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Chart, useChartsSoon } from '../../parts/chart.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Measured, Unmeasured } from '../../parts/measured.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { choose, withQuery } from '../../router/location.ts';
import { NoSessions } from './list-view.tsx';
import { namesAmong, narrowingOf, shortModel } from './session-filters.ts';

const BY = [
  { value: 'project', name: 'project' },
  { value: 'model', name: 'model' },
  { value: 'agent', name: 'agent' },
  { value: 'task_type', name: 'task type' },
];
const DRAWN = 12;
/** More models than this are counted, and named on demand. */
const NAMED_MODELS = 3;

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
                  columns={columnsOf(by, nameIn(by.value, groups))}
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

type NameOf = (group: ListedGroup) => string;

function columnsOf(
  by: { readonly value: string; readonly name: string },
  nameOf: NameOf,
): readonly Column<ListedGroup>[] {
  return [
    {
      key: by.value,
      header: by.name,
      names: true,
      value: ({ key }) => key,
      show: (group) => {
        const to = hrefOf(by.value, group);
        return (
          <div class="what">
            {to === undefined ? (
              <span class="faint">{nameOf(group)}</span>
            ) : (
              <a class="cut" href={to}>
                {nameOf(group)}
              </a>
            )}
          </div>
        );
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
      show: ({ models }) => (
        <div class="some-models">
          <Models names={models.map(shortModel)} />
        </div>
      ),
    },
  ];
}

function eachOf({ cost_usd: cost, sessions, cost_unknown: unknown }: ListedGroup): number | null {
  return cost === null || sessions === unknown ? null : cost / (sessions - unknown);
}

function Models({ names }: { readonly names: readonly string[] }) {
  const rest = names.length - NAMED_MODELS;
  if (rest <= 1) return <span class="sub">{names.join(', ')}</span>;
  return (
    <span class="sub">
      {names.slice(0, NAMED_MODELS).join(', ')}{' '}
      <Hint text={names.join(', ')}>and {formatCount(rest)} more</Hint>
    </span>
  );
}

/** A folder by its last part, an agent as people call it. */
function nameIn(by: string, groups: readonly ListedGroup[]): NameOf {
  const nameOf = by === 'agent' ? agentName : namesAmong(groups.flatMap(({ key }) => key ?? []));
  return ({ key }) => (key === null ? 'not known' : nameOf(key));
}

function chartOf(
  groups: readonly ListedGroup[],
  { value: key, name: by }: { readonly value: string; readonly name: string },
): IntervalsChart {
  const nameOf = nameIn(key, groups);
  const measured = groups.filter(({ q }) => q.value !== null).toSorted((a, b) => b.q.n - a.q.n);
  const rows = measured
    .slice(0, DRAWN)
    .map((group) => {
      const { value, low, high, n } = group.q;
      return {
        label: `${nameOf(group)} · n ${n}`,
        value: value ?? 0,
        ...(low !== null && high !== null && { low, high }),
      };
    })
    .toSorted((a, b) => b.value - a.value);
  const what = measured.length > DRAWN ? `Mean Q of the ${by}s with the most sessions` : `Mean Q by ${by}`;
  const [best, worst] = [rows[0], rows.at(-1)];
  const title =
    best === undefined || worst === undefined || best === worst
      ? what
      : `${what}: ${formatScore(worst.value)} to ${formatScore(best.value)}${overlap(best, worst) ? ', their intervals overlap' : ''}`;
  return { kind: 'intervals', title, unit: 'score', rows };
}

type Ranged = { readonly low?: number; readonly high?: number };

/** Without an interval nothing says that they differ. */
function overlap(best: Ranged, worst: Ranged): boolean {
  return best.low === undefined || worst.high === undefined || best.low <= worst.high;
}
