/** Stored sessions as lines of a list. */
import type { Environment } from '../../session/ingest/formats/format.ts';
import type { ListedSession } from '../../session/results.ts';
import type { SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import type { Opinions } from './model-opinions.ts';
import { scoreOf } from './stored-scores.ts';

/** Each file is read once, however many of its sessions are listed. */
export async function withTitles(
  shown: readonly ListedSession[],
  environment: Environment,
  ports: Ports,
): Promise<ListedSession[]> {
  const { readTitles } = await import('../../session/ingest/replay/read-titles.ts');
  const told: ListedSession[] = [];
  for (const [path, own] of Map.groupBy(shown, (one) => one.path)) {
    ports.signal.throwIfAborted();
    const titles = await readTitles(
      path,
      own.map(({ sessionId }) => sessionId),
      environment,
    );
    ports.progress({ what: 'Titles', done: told.length, total: shown.length, unit: 'sessions' });
    for (const one of own) {
      const title = titles.get(one.sessionId);
      told.push(title === undefined ? one : { ...one, title });
    }
  }
  return told;
}

/** Below this what took the score away is worth a word, also where nothing worried. */
const SAID_BELOW = 0.75;

export function listedRow(row: SessionSummary, opinions?: Opinions): ListedSession {
  const { categories: _, weights: _w, baselineSet: _b, ...score } = scoreOf(row);
  const { inputTokens: input, outputTokens: output, q, concernWhy, lowWhy, path = '' } = row;
  const usage =
    input === undefined || output === undefined
      ? undefined
      : { input, output, cacheRead: row.cacheReadTokens ?? 0, cacheWrite: row.cacheWriteTokens ?? 0 };
  const why = concernWhy ?? (q !== undefined && q < SAID_BELOW ? (lowWhy ?? '') : '');
  const rating = opinions?.of(row)?.rating;
  return {
    ...score,
    ...(rating !== undefined && { modelRating: rating }),
    key: row.sessionKey,
    path,
    turns: row.turns,
    usage,
    why,
  };
}
