import type { SessionFacts } from '../../../session/evidence.ts';
import { type LowSession, lowestFirst, lowOf, TOLERANCE } from '../../../session/low-session.ts';
import { loadPrices } from '../../../session/pricing/load-prices.ts';
import { scoreSession } from '../../../session/score-session.ts';
import { whyLow } from '../../../session/why-low.ts';
import type { SessionSummary } from '../../../store/store.ts';
import { type StoredScores, scoreOf } from './stored-scores.ts';

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
  const limit = most === undefined ? {} : { limit: Math.max(most, LOOKED_AT) };
  const rows = await stored.list({ ...low, order: 'lowest Q', ...limit });
  const sorted = rows.toSorted(lowestFirst).slice(0, most);
  const whys = await whysOf(stored, sorted.slice(0, explained));
  const inAll = rows.length < (limit.limit ?? Infinity) ? rows.length : await stored.count(low);
  const lowest = sorted.map((row, i) => lowOf(row.sessionKey, scoreOf(row), row.q ?? 0, whys[i] ?? ''));
  return { lowest, inAll };
}

async function whysOf(stored: StoredScores, low: readonly SessionSummary[]): Promise<string[]> {
  if (low.length === 0) return [];
  const prices = await loadPrices();
  const whys: string[] = [];
  for (const { sessionKey } of low) {
    const row = await stored.store.readSession(sessionKey);
    const { facts } = (row?.facts ?? {}) as unknown as { readonly facts?: SessionFacts };
    whys.push(facts === undefined ? '' : whyLow(scoreSession(facts, { prices }, sessionKey)));
  }
  return whys;
}
