import { useEffect, useRef, useState } from 'preact/hooks';
import { formatAmount } from '../../../../src/report/number.ts';
import { addressOf, asProblem, get, type Problem, type Query } from '../../api/client.ts';
import type { LiveEvent } from '../../api/events.ts';
import type { ListedSession, PageOf } from '../../api/shapes.ts';
import { type Resource, useResource } from '../../api/use-resource.ts';
import { Empty, ProblemNote, Show } from '../../parts/states.tsx';
import { narrowingOf } from './session-filters.ts';
import { SessionTable } from './session-table.tsx';
import { stableRows } from './stable-rows.ts';

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
      No session is stored yet. This scores the sessions of the agents on this machine:
    </Empty>
  );
}

/** The list of sessions: the first page is live, further ones are loaded on demand and stay as they are. */
type SessionPage = PageOf<ListedSession>;

type SessionPages = {
  readonly first: Resource<SessionPage>;
  readonly rows: readonly ListedSession[];
  /** So many came while the reader was busy with the table. */
  readonly waiting: number;
  readonly fresh: ReadonlySet<string>;
  readonly setBusy: (busy: boolean) => void;
  /** `undefined` where there are no more. */
  readonly more: (() => void) | undefined;
  readonly problem: Problem | undefined;
};

const keyOf = ({ session_key }: ListedSession): string => session_key;
const LIVE = ['session.started', 'session.updated', 'session.scored'];

/** Events contain the rows of their sessions; a session that is not listed yet has to be loaded. */
function withEvents(page: SessionPage, events: readonly LiveEvent[]): SessionPage | undefined {
  const rows = new Map(
    events.map(({ data }) => {
      const { row } = (data ?? {}) as { readonly row?: ListedSession };
      return [row?.session_key, row] as const;
    }),
  );
  const listed = new Set(page.items.map(keyOf));
  if ([...rows.keys()].some((key) => key === undefined || !listed.has(key))) return undefined;
  const items = page.items.map((one) => ({ ...one, ...rows.get(keyOf(one)), title: one.title }));
  return { ...page, items };
}

function useSessionPages(query: Query): SessionPages {
  const address = addressOf('sessions', query);
  // Elsewhere a change may move the session, or take it out of the list.
  const staysInPlace = query.sort === undefined && query.tier === undefined && query.search === undefined;
  const patch = staysInPlace ? withEvents : undefined;
  const first = useResource<SessionPage>('sessions', query, LIVE, { patch });
  const [later, setLater] = useState<Later>({ address, rows: [], next: null });
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const extra = later.address === address ? later : { address, rows: [], next: first.data?.next ?? null };
  const stable = useStableRows(address, first.data?.items, busy);
  const next = extra.rows.length > 0 ? extra.next : (first.data?.next ?? null);
  const more = async () => {
    try {
      const page = await get<SessionPage>(addressOf('sessions', { ...query, cursor: next ?? undefined }));
      setLater({ address, rows: [...extra.rows, ...page.items], next: page.next });
    } catch (fault) {
      setProblem(asProblem(fault));
    }
  };
  const known = new Set(stable.shown.map(keyOf));
  return {
    first,
    rows: [...stable.shown, ...extra.rows.filter((row) => !known.has(keyOf(row)))],
    waiting: stable.waiting,
    fresh: stable.fresh,
    setBusy,
    more: next === null ? undefined : more,
    problem,
  };
}

type Later = {
  readonly address: string;
  readonly rows: readonly ListedSession[];
  readonly next: string | null;
};

function useStableRows(address: string, items: readonly ListedSession[] | undefined, busy: boolean) {
  const before = useRef<{ address: string; rows: readonly ListedSession[] }>({ address, rows: [] });
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const old = before.current.address === address ? before.current.rows : [];
  const { shown, waiting } = stableRows(old, items ?? old, keyOf, busy);
  // Looked at when rows came or the reader left.
  useEffect(() => {
    if (items === undefined) return;
    const known = new Set(old.map(keyOf));
    const came = old.length === 0 ? [] : shown.map(keyOf).filter((key) => !known.has(key));
    if (came.length > 0) setFresh(new Set(came));
    before.current = { address, rows: shown };
  }, [address, items, busy]);
  return { shown, waiting, fresh };
}
