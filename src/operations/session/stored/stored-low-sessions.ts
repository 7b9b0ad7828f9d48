import type { SessionFacts } from '../../../session/evidence.ts';
import { type LowSession, lowestFirst, lowOf, TOLERANCE } from '../../../session/low-session.ts';
import { loadPrices } from '../../../session/pricing/load-prices.ts';
import { scoreSession } from '../../../session/score-session.ts';
import { whyLow } from '../../../session/why-low.ts';
import { Q_BINS } from '../../../store/rollup.ts';
import type { SessionQuery, SessionSummary, Store } from '../../../store/store.ts';
import { type StoredScores, scoreOf } from './stored-scores.ts';

type Prices = Awaited<ReturnType<typeof loadPrices>>;

export type StoredLowSessions = { readonly lowest: readonly LowSession[]; readonly inAll: number };

/** Of equal Q the dearest comes first, among as many of the lowest as this. */
const LOOKED_AT = 250;

/**
 * Sessions with a Q below a line, the lowest first: all of them, or the first `most`. Only the first `explained` are
 * scored again to say why, the others cost nothing but their row.
 */
export async function storedLowSessions(
  stored: StoredScores,
  below: number,
  { most, explained = most }: { most?: number | undefined; explained?: number | undefined },
): Promise<StoredLowSessions> {
  const low = { qBelow: below - TOLERANCE };
  const { rows, areAll } = await lowestRows(stored, low, most);
  const sorted = rows.toSorted(lowestFirst).slice(0, most);
  const whys = await whysOf(stored, sorted.slice(0, explained));
  const inAll = areAll ? rows.length : ((await countedInBins(stored, below)) ?? (await stored.count(low)));
  const lowest = sorted.map((row, i) => lowOf(row.sessionKey, scoreOf(row), row.q ?? 0, whys[i] ?? ''));
  return { lowest, inAll };
}

type LowestRows = { readonly rows: readonly SessionSummary[]; readonly areAll: boolean };

/** Where the one after the last has another Q, no more need to be looked at to know which the first are. */
async function lowestRows(
  stored: StoredScores,
  low: SessionQuery,
  most: number | undefined,
): Promise<LowestRows> {
  const list = (limit?: number) =>
    stored.list({ ...low, order: 'lowest Q', ...(limit !== undefined && { limit }) });
  if (most === undefined) return { rows: await list(), areAll: true };
  const first = await list(most + 1);
  if (first.length <= most) return { rows: first, areAll: true };
  if (first.at(-1)?.q !== first.at(-2)?.q || most >= LOOKED_AT) return { rows: first, areAll: false };
  const rows = await list(LOOKED_AT);
  return { rows, areAll: rows.length < LOOKED_AT };
}

/** A line between two bins tells how many lie below it without counting them; they miss it by rounding as elsewhere. */
async function countedInBins(stored: StoredScores, below: number): Promise<number | undefined> {
  const bins = below * Q_BINS;
  if (Math.abs(bins - Math.round(bins)) > 1e-9) return undefined;
  const counts = (await stored.total()).histograms?.q;
  return counts?.slice(0, Math.round(bins)).reduce((sum, count) => sum + count, 0);
}

/** A revision never changes, and pages ask for the lowest again and again: what takes reading its facts is remembered. */
const TOLD = new WeakMap<Store, Map<string, string>>();
const MOST_TOLD = 5_000;

async function whysOf({ store }: StoredScores, low: readonly SessionSummary[]): Promise<string[]> {
  if (low.length === 0) return [];
  const prices = await loadPrices();
  const told = TOLD.get(store) ?? new Map<string, string>();
  TOLD.set(store, told);
  const whys: string[] = [];
  for (const { sessionKey, revision } of low) {
    const name = `${sessionKey} ${revision}`;
    const why = told.get(name) ?? (await whyOf(store, sessionKey, prices));
    if (told.size >= MOST_TOLD) told.clear();
    told.set(name, why);
    whys.push(why);
  }
  return whys;
}

async function whyOf(store: Store, sessionKey: string, prices: Prices): Promise<string> {
  const row = await store.readSession(sessionKey);
  const { facts } = (row?.facts ?? {}) as unknown as { readonly facts?: SessionFacts };
  return facts === undefined ? '' : whyLow(scoreSession(facts, { prices }, sessionKey));
}
