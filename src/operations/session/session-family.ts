import { familiesOf, totalCosts } from '../../session/families.ts';
import type { ListedSession } from '../../session/session-groups.ts';
import type { SessionQuery, SessionSummary, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { findNamed } from './find-session.ts';
import { listedRow } from './list-sessions.ts';
import { relativeOf } from './score-sessions.ts';

type FamilyMember = {
  readonly session: ListedSession;
  /** The parent's key; absent for the first. */
  readonly parentKey?: string;
  /** The cost of it and all its sub-agents, when all are known. */
  readonly totalCostUsd?: number;
};

export type SessionFamily = {
  /** Parents come before their children. */
  readonly members: readonly FamilyMember[];
  /** False: there are more than were read. */
  readonly isWhole: boolean;
};

/** More are too many to look at. */
const MAX_MEMBERS = 500;

/** A session with its parents and sub-agents, as far as they are stored. */
export async function sessionFamily({ id }: { readonly id: string }, ports: Ports): Promise<SessionFamily> {
  const store = await ports.store('looking');
  const row = await findNamed(store, id);
  const rows = await related(store, row);
  const listed = new Map<string, ListedSession>(
    [...rows.values()].map((one) => [one.sessionKey, listedRow(one)]),
  );
  const { families } = familiesOf([...rows.values()].map(relativeOf));
  const parents = new Map(families.map(({ key, parentKey }) => [key, parentKey]));
  const totals = totalCosts(families);
  const root = rootOf(row.sessionKey, parents);
  const members = [...below(root, parents)].flatMap((key): FamilyMember[] => {
    const session = listed.get(key);
    const parentKey = key === root ? undefined : parents.get(key);
    return session === undefined ? [] : [{ session, parentKey, totalCostUsd: totals.get(key) }];
  });
  return { members, isWhole: rows.size < MAX_MEMBERS };
}

/** Up to the root, and down from there. */
async function related(store: Store, row: SessionSummary): Promise<ReadonlyMap<string, SessionSummary>> {
  const rows = new Map<string, SessionSummary>();
  const waiting = [row];
  const ask = async (query: SessionQuery) => {
    if (rows.size + waiting.length < MAX_MEMBERS)
      waiting.push(...(await store.listSessions({ ...query, limit: MAX_MEMBERS })));
  };
  for (let one = waiting.pop(); one !== undefined && rows.size < MAX_MEMBERS; one = waiting.pop()) {
    if (rows.has(one.sessionKey)) continue;
    rows.set(one.sessionKey, one);
    await ask({ parentSessionId: one.sessionId });
    if (one.parentSessionId !== undefined) await ask({ sessionId: one.parentSessionId });
  }
  return rows;
}

type Parents = ReadonlyMap<string, string | undefined>;

/** In a cycle, the session that was requested. */
function rootOf(key: string, parents: Parents): string {
  const seen = new Set<string>();
  let root = key;
  for (let above = parents.get(root); above !== undefined && !seen.has(above); above = parents.get(root)) {
    seen.add(above);
    root = above;
  }
  return seen.has(key) ? key : root;
}

function below(root: string, parents: Parents): ReadonlySet<string> {
  const children = Map.groupBy(parents.keys(), (key) => parents.get(key));
  const found = new Set([root]);
  for (const key of found) for (const child of children.get(key) ?? []) found.add(child);
  return found;
}
