import './sessions.css';
import { agentName } from '../../api/agent-names.ts';
import type { SessionList } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { ListView } from './list-view.tsx';
import { OutcomesView } from './outcomes-view.tsx';
import { SavedViews } from './saved-views-bar.tsx';
import { type Choices, filtersOf, PERIODS, periodOf, SORTS, TASK_TYPES, TIERS } from './session-filters.ts';
import { SessionsLead } from './sessions-lead.tsx';
import { SummaryView } from './summary-view.tsx';
import { WorthView } from './worth-view.tsx';

const VIEWS = [
  { value: 'list', name: 'List' },
  { value: 'time', name: 'Over time' },
  { value: 'groups', name: 'By project, model, agent' },
  { value: 'worth', name: 'Cost and quality' },
  { value: 'outcomes', name: 'Outcomes' },
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
    default:
      return <ListView query={query} />;
  }
}

/** What there is to narrow by, of all kept sessions: a choice does not take away the others. The page is read first. */
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
