/** The list of sessions: the first page is live, further ones are asked for and stay as they came. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { addressOf, get, type Query } from '../../api/client.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import type { ListedSession, PageOf } from '../../api/shapes.ts';
import { type Resource, useResource } from '../../api/use-resource.ts';
import { holdRows } from './held-rows.ts';

type SessionPage = PageOf<ListedSession>;

export type SessionPages = {
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

export function useSessionPages(query: Query): SessionPages {
  const address = addressOf('sessions', query);
  const first = useResource<SessionPage>('sessions', query, LIVE);
  const [later, setLater] = useState<Later>({ address, rows: [], next: null });
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const extra = later.address === address ? later : { address, rows: [], next: first.data?.next ?? null };
  const held = useHeld(address, first.data?.items, busy);
  const next = extra.rows.length > 0 ? extra.next : (first.data?.next ?? null);
  const more = async () => {
    try {
      const page = await get<SessionPage>(addressOf('sessions', { ...query, cursor: next ?? undefined }));
      setLater({ address, rows: [...extra.rows, ...page.items], next: page.next });
    } catch (fault) {
      setProblem(asProblem(fault));
    }
  };
  const known = new Set(held.shown.map(keyOf));
  return {
    first,
    rows: [...held.shown, ...extra.rows.filter((row) => !known.has(keyOf(row)))],
    waiting: held.waiting,
    fresh: held.fresh,
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

function useHeld(address: string, items: readonly ListedSession[] | undefined, busy: boolean) {
  const before = useRef<{ address: string; rows: readonly ListedSession[] }>({ address, rows: [] });
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const old = before.current.address === address ? before.current.rows : [];
  const { shown, waiting } = holdRows(old, items ?? old, keyOf, busy);
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
