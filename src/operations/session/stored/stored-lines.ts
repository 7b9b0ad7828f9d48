/** Stored sessions as lines of a list. */
import type { FileReading, SessionFacts } from '../../../session/evidence.ts';
import { loadPrices } from '../../../session/pricing/load-prices.ts';
import type { ListedSession } from '../../../session/results.ts';
import { scoreSession } from '../../../session/score-session.ts';
import type { SessionSummary } from '../../../store/store.ts';
import { whyOf } from '../listed-sessions.ts';
import { type StoredScores, scoreOf } from './stored-scores.ts';

/** Without its path, and why it scored as it did: `detailsIn` says these. */
export function listedRow(row: SessionSummary): ListedSession {
  const { categories: _, weights: _w, baselineSet: _b, ...score } = scoreOf(row);
  const { inputTokens: input, outputTokens: output } = row;
  const usage =
    input === undefined || output === undefined
      ? undefined
      : { input, output, cacheRead: row.cacheReadTokens ?? 0, cacheWrite: row.cacheWriteTokens ?? 0 };
  return { ...score, key: row.sessionKey, path: '', turns: row.turns, usage, why: '' };
}

/** What takes reading the facts of a session: for the few that are shown. */
export async function detailsIn({
  store,
}: Pick<StoredScores, 'store'>): Promise<(one: ListedSession) => Promise<ListedSession>> {
  const prices = await loadPrices();
  return async (one) => {
    const row = await store.readSession(one.key);
    const { facts, file } = (row?.facts ?? {}) as unknown as { facts?: SessionFacts; file?: FileReading };
    if (facts === undefined || file === undefined) return one;
    const why = whyOf(scoreSession(facts, { prices }, one.key), facts);
    return { ...one, path: file.path, why };
  };
}
