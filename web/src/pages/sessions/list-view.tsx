import { formatAmount } from '../../../../src/report/number.ts';
import { Empty, ProblemNote, Show } from '../../parts/states.tsx';
import { narrowingOf } from './session-filters.ts';
import { SessionTable } from './session-table.tsx';
import { useSessionPages } from './use-session-pages.ts';

const PAGE_ROWS = 50;

export function ListView({ query }: { readonly query: URLSearchParams }) {
  const asked = {
    ...narrowingOf(query),
    search: query.get('search') ?? undefined,
    tier: query.get('tier') ?? undefined,
    sort: query.get('sort') ?? undefined,
    titles: 'true',
  };
  const pages = useSessionPages({ ...asked, limit: PAGE_ROWS });
  return (
    <div class="card sessions-list">
      <Show of={pages.first} rows={10}>
        {({ total }) => (
          <>
            <div class="head">
              <h2>{total === null ? 'Sessions' : formatAmount(total, 'session')}</h2>
              <div class="aside" role="status">
                {pages.waiting > 0 && `${pages.waiting} new, shown when you leave the list`}
              </div>
            </div>
            <SessionTable
              caption="Sessions"
              rows={pages.rows}
              limit={pages.rows.length}
              main
              whole={{ path: 'sessions/export', query: asked }}
              fresh={pages.fresh}
              onBusy={pages.setBusy}
              empty={
                <NoSessions isNarrowed={[...query.keys()].some((key) => key !== 'sort' && key !== 'view')} />
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
    </div>
  );
}

export function NoSessions({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed) return <Empty>No session fits these filters.</Empty>;
  return (
    <Empty command="assay sessions score">
      No session is kept yet. This scores the sessions of the agents on this machine and keeps them:
    </Empty>
  );
}
