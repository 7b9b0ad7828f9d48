import './sessions.css';
import { formatAmount } from '../../../../src/report/number.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Empty, ProblemNote, Show } from '../../parts/states.tsx';
import { choose } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { filtersOf, narrowingOf, PERIODS, periodOf, SORTS, TASK_TYPES, TIERS } from './session-filters.ts';
import { SessionTable } from './session-table.tsx';
import { useSessionPages } from './use-session-pages.ts';

const PAGE_ROWS = 50;

export function SessionsPage({ query }: PageProps) {
  const choices = { project: [], model: [], agent: [], task_type: TASK_TYPES };
  const named = (values: readonly string[]) => values.map((value) => ({ value, name: value }));
  return (
    <Page
      title="Sessions"
      live
      actions={
        <Segments
          label="Period"
          choices={PERIODS}
          chosen={periodOf(query).value}
          onChoose={(period) => choose({ period: period === 'all' ? undefined : period })}
        />
      }
    >
      <FilterBar
        filters={[
          ...filtersOf(choices),
          { key: 'tier', label: 'Tier', any: 'all tiers', choices: named(TIERS) },
          { key: 'sort', label: 'Order', any: 'newest first', choices: SORTS },
        ]}
      />
      <SessionList query={query} />
    </Page>
  );
}

function SessionList({ query }: { readonly query: URLSearchParams }) {
  const pages = useSessionPages({
    ...narrowingOf(query),
    tier: query.get('tier') ?? undefined,
    sort: query.get('sort') ?? undefined,
    titles: 'true',
    limit: PAGE_ROWS,
  });
  const isNarrowed = [...query.keys()].some((key) => key !== 'sort' && key !== 'view');
  return (
    <section class="card" aria-label="Sessions">
      <Show of={pages.first} rows={10}>
        {({ total }) => (
          <>
            <div class="head">
              <h2>{total === null ? 'Sessions' : formatAmount(total, 'session')}</h2>
              {pages.waiting > 0 && (
                <button type="button" class="chip on" onClick={pages.showWaiting}>
                  {pages.waiting} new: show
                </button>
              )}
            </div>
            <SessionTable
              caption="Sessions"
              rows={pages.rows}
              limit={pages.rows.length}
              main
              fresh={pages.fresh}
              onBusy={pages.setBusy}
              empty={
                isNarrowed ? (
                  <Empty>No session fits these filters.</Empty>
                ) : (
                  <Empty command="assay sessions score --store">
                    No session is kept yet. This scores the sessions of the agents on this machine and keeps
                    them:
                  </Empty>
                )
              }
            />
            {pages.problem !== undefined && (
              <ProblemNote problem={pages.problem} retry={() => pages.more?.()} />
            )}
            {pages.more !== undefined && (
              <button type="button" class="chip" onClick={pages.more}>
                Show {PAGE_ROWS} more
              </button>
            )}
          </>
        )}
      </Show>
    </section>
  );
}
