import './sessions.css';
import { useState } from 'preact/hooks';
import { formatAmount, formatCents, formatInterval, formatScore } from '../../../../src/report/number.ts';
import type { SessionList } from '../../api/shapes.ts';
import { agentName, useResource } from '../../api/use-resource.ts';
import { Segments } from '../../parts/choices.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { choose, place } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { ListView } from './list-view.tsx';
import { OutcomesView } from './outcomes-view.tsx';
import { RisksView } from './risks-view.tsx';
import { forgetView, savedViews, saveView } from './saved-views.ts';
import {
  type Choices,
  filtersOf,
  narrowingOf,
  PERIODS,
  periodOf,
  SORTS,
  TASK_TYPES,
  TIERS,
} from './session-filters.ts';
import { SummaryView } from './summary-view.tsx';
import { WorthView } from './worth-view.tsx';

const VIEWS = [
  { value: 'list', name: 'List' },
  { value: 'time', name: 'Over time' },
  { value: 'groups', name: 'By project, model, agent' },
  { value: 'worth', name: 'Cost and quality' },
  { value: 'outcomes', name: 'Outcomes' },
  { value: 'risks', name: 'Risky actions' },
];

export function SessionsPage({ query }: PageProps) {
  const view = query.get('view') ?? 'list';
  const choices = useChoices();
  const named = (values: readonly string[]) => values.map((value) => ({ value, name: value }));
  const ofList = [
    { key: 'tier', label: 'Tier', any: 'all tiers', choices: named(TIERS) },
    { key: 'sort', label: 'Order', any: 'newest first', choices: SORTS },
  ];
  return (
    <Page
      title="Sessions"
      live
      lead={<SessionsLead query={query} />}
      actions={
        <>
          <Segments
            label="Period"
            choices={PERIODS}
            chosen={periodOf(query).value}
            onChoose={(period) => choose({ period: period === 'all' ? undefined : period })}
          />
          <SavedViews />
          <a class="chip" href="/calibration">
            Calibration
          </a>
        </>
      }
    >
      <Tabs label="Views of sessions" name="view" views={VIEWS} />
      <FilterBar
        {...(view === 'list' && { search: 'Search project, model, agent, id' })}
        filters={[...filtersOf(choices, agentName), ...(view === 'list' ? ofList : [])]}
      />
      <View name={view} query={query} />
    </Page>
  );
}

function View({ name, query }: { readonly name: string; readonly query: URLSearchParams }) {
  switch (name) {
    case 'time':
      return <SummaryView query={query} kind="step" />;
    case 'groups':
      return <SummaryView query={query} kind="by" />;
    case 'worth':
      return <WorthView query={query} />;
    case 'outcomes':
      return <OutcomesView query={query} />;
    case 'risks':
      return <RisksView query={query} />;
    default:
      return <ListView query={query} />;
  }
}

/** The filter values of all stored sessions: a choice does not remove the others. Loaded after the list. */
function useChoices(): Choices {
  return {
    project: useKeys('project'),
    model: useKeys('model'),
    agent: useKeys('agent'),
    task_type: TASK_TYPES,
  };
}

function useKeys(by: string): readonly string[] {
  const { data } = useResource<SessionList>('sessions/summary', { by }, [], { later: true });
  return (data?.groups ?? []).flatMap(({ key }) => key ?? []);
}

/** The answer of the page: how many, how good, for how much. */
export function SessionsLead({ query }: { readonly query: URLSearchParams }) {
  const { data, problem } = useResource<SessionList>(
    'sessions/summary',
    { ...narrowingOf(query), by: 'task_type' },
    ['session.scored'],
  );
  // The list below shows the error.
  if (data === undefined) return problem === undefined ? <span class="faint">…</span> : null;
  const { sessions, q, cost_usd: cost, cost_usd_is_lower_bound: atLeast, cost_unknown: unknown } = data.total;
  if (sessions === 0) return <>No session in this view.</>;
  const { days } = periodOf(query);
  return (
    <>
      {formatAmount(sessions, 'session')}
      {days !== undefined && ` in ${days === 1 ? '24 hours' : `${days} days`}`}: mean{' '}
      <b>{q.value === null ? 'Q unmeasured' : `Q ${formatScore(q.value)}`}</b>
      {q.value !== null && (
        <span class="faint"> {formatInterval(q.low ?? undefined, q.high ?? undefined, 'score')}</span>
      )}
      , cost <b>{cost === null ? 'unknown' : `${atLeast ? 'at least ' : ''}${formatCents(cost)}`}</b>
      {cost !== null && unknown > 0 && (
        <span class="faint"> ({formatAmount(unknown, 'session')} without a price)</span>
      )}
      .
    </>
  );
}

/** Named filters, stored by this browser; the address can be shared. */
export function SavedViews() {
  const [naming, setNaming] = useState(false);
  return (
    <details class="menu">
      <summary>Views</summary>
      <div class="menu-box">
        {savedViews.value.length === 0 && <p class="sub">No view is saved yet.</p>}
        {savedViews.value.map(({ name, query }) => (
          <div key={name} class="menu-row">
            <a class="cut" href={`/sessions?${query}`}>
              {name}
            </a>
            <button type="button" class="link" onClick={() => forgetView(name)} aria-label={`Forget ${name}`}>
              forget
            </button>
          </div>
        ))}
        {naming ? (
          <form
            class="menu-row"
            onSubmit={(event) => {
              event.preventDefault();
              const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
              if (name !== '') saveView({ name, query: place.value.query.toString() });
              setNaming(false);
            }}
          >
            <input class="search" name="name" aria-label="Name of this view" placeholder="Name" required />
            <button type="submit" class="chip">
              Save
            </button>
          </form>
        ) : (
          <button type="button" class="link" onClick={() => setNaming(true)}>
            Save this view
          </button>
        )}
        <button
          type="button"
          class="link"
          onClick={() => void navigator.clipboard.writeText(location.href).catch(() => undefined)}
        >
          Copy its address
        </button>
      </div>
    </details>
  );
}
