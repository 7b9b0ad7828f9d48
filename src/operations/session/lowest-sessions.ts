import { type LowSession, lowestFirst, lowOf, TOLERANCE } from '../../session/low-session.ts';
import { Q_BINS } from '../../store/rollup.ts';
import type { SessionQuery, SessionSummary } from '../../store/store.ts';
import { type StoredScores, scoreOf } from './stored-scores.ts';

/** Of equal Q the most expensive comes first, among as many of the lowest as this. */
const LOOKED_AT = 250;

/** Sessions with a Q below a line, the lowest first: all of them, or the first `most`. */
export async function lowestSessions(
  stored: StoredScores,
  below: number,
  most?: number | undefined,
): Promise<{ readonly lowest: readonly LowSession[]; readonly inAll: number }> {
  const low = { qBelow: below - TOLERANCE };
  const { rows, areAll } = await lowestRows(stored, low, most);
  const inAll = areAll ? rows.length : ((await countedInBins(stored, below)) ?? (await stored.count(low)));
  const lowest = rows
    .toSorted(lowestFirst)
    .slice(0, most)
    .map((row) => lowOf(row.sessionKey, scoreOf(row), row.q ?? 0, row.lowWhy ?? ''));
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
