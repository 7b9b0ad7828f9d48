/** Which model should take the next task of each kind of work: what `assay route` says. */
import { formatAmount, formatCount, formatRatio, formatScore } from '../../../../src/report/number.ts';
import type { RoutePlan } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Measured, Unmeasured, Value } from '../../parts/measured.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { namesAmong, narrowingOf, shortModel } from './session-filters.ts';

type TypeRoute = RoutePlan['task_types'][number];
type Row = TypeRoute['models'][number] & { readonly route: TypeRoute };

type NameOf = (model: string) => string;

export function RouteCard({ query }: { readonly query: URLSearchParams }) {
  const plan = useResource<RoutePlan>('route', narrowingOf(query), [], { later: true });
  return (
    <Card title="Which model for which work">
      {plan.data === undefined && plan.problem === undefined && (
        <p class="sub" role="status">
          Being made: every day, project and model is added up, which takes seconds over many sessions.
        </p>
      )}
      <Show of={plan} rows={5}>
        {({ task_types: found, wishes }) => {
          const types = answeredFirst(found);
          const nameOf = namesAmong(
            types.flatMap(({ models }) => models.map(({ model }) => model)),
            shortModel,
          );
          return types.length === 0 ? (
            <Empty>No session has a Q, a known cost, a model and a day.</Empty>
          ) : (
            <>
              <ul class="notes">
                {types.map((route) => (
                  <li key={route.task_type}>
                    {route.task_type}: <Answer route={route} least={wishes.least} nameOf={nameOf} />
                  </li>
                ))}
              </ul>
              <p class="sub route-terms">
                The cheapest model whose mean Q is at most {formatScore(wishes.margin)} below that of now. Q
                and cost are as if every project were equally hard. A share is how often a model is the one to
                take, over what is believed of all.
              </p>
              <Table
                caption="Which model for which work"
                rows={types.flatMap((route) => route.models.map((model): Row => ({ ...model, route })))}
                rowKey={({ route, model }) => `${route.task_type} ${model}`}
                columns={columnsOf(nameOf, wishes.least)}
              />
            </>
          );
        }}
      </Show>
    </Card>
  );
}

function answeredFirst(types: readonly TypeRoute[]): readonly TypeRoute[] {
  const rank = ({ answer }: TypeRoute) => (answer === 'route' ? 0 : 1);
  return types
    .map((route) => ({ ...route, models: route.models.toSorted((a, b) => b.share - a.share) }))
    .toSorted((a, b) => rank(a) - rank(b));
}

function Answer({
  route,
  least,
  nameOf,
}: {
  readonly route: TypeRoute;
  readonly least: number;
  readonly nameOf: NameOf;
}) {
  if (route.answer === 'route')
    return (
      <>
        take <b>{nameOf(route.model ?? '')}</b>, floor {formatScore(route.floor)}
      </>
    );
  if (route.answer === 'none keeps to it')
    return <>no model surely reaches the floor of {formatScore(route.floor)}</>;
  const known = route.models.filter(({ q }) => q.n >= least).length;
  return (
    <>
      <Pill tone="quiet">– not enough data</Pill>{' '}
      <span class="faint">
        {formatAmount(known, 'model')} with {formatAmount(least, 'session')} or more; two are needed
      </span>
    </>
  );
}

function columnsOf(nameOf: NameOf, least: number): readonly Column<Row>[] {
  const few = `fewer than ${formatAmount(least, 'session')}`;
  return [
    { key: 'task_type', header: 'task', value: ({ route }) => route.task_type },
    {
      key: 'model',
      header: 'model',
      names: true,
      value: ({ model }) => model,
      show: ({ model }) => <span class="keep">{nameOf(model)}</span>,
    },
    { key: 'n', header: 'sessions', numeric: true, value: ({ q }) => q.n, show: ({ q }) => formatCount(q.n) },
    {
      key: 'q',
      header: 'mean Q',
      numeric: true,
      value: ({ q }) => q.value,
      show: ({ q }) => <Measured of={q} unit="score" />,
    },
    {
      key: 'cost_usd',
      header: 'mean cost',
      numeric: true,
      value: ({ cost_usd }) => cost_usd.value,
      show: ({ cost_usd }) => <Value of={cost_usd.value} unit="usd" reason={cost_usd.reason} />,
    },
    {
      key: 'reaches_floor',
      header: 'reaches floor',
      hint: 'How surely its mean Q is high enough',
      numeric: true,
      value: ({ reaches_floor }) => reaches_floor,
      show: ({ reaches_floor }) => <Value of={reaches_floor} unit="ratio" reason={few} />,
    },
    {
      key: 'share',
      header: 'share',
      hint: 'Of the tasks, so many should go to it',
      numeric: true,
      value: (row) => (row.route.answer === 'route' ? row.share : null),
      show: ({ route, share, reaches_floor }) =>
        route.answer === 'route' ? (
          <b>{formatRatio(share)}</b>
        ) : (
          <Unmeasured reason={reaches_floor === null ? few : route.answer} />
        ),
    },
    {
      key: 'apart',
      header: 'used',
      value: ({ apart }) => apart,
      show: ({ apart }) =>
        apart ? (
          <span
            class="sub"
            data-hint="Never used in a project where another model was: nothing tells it from its projects"
          >
            alone
          </span>
        ) : (
          ''
        ),
    },
  ];
}
