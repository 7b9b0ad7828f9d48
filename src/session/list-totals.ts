/** What sessions come to, together and by group. */

import type { ListedGroup, ListedSession, ListGroup, SessionTotals } from './results.ts';
import { groupKeyOf, isTimeGroup } from './session-groups.ts';
import { meanQ } from './session-score.ts';
import { addUsage, NO_USAGE } from './usage.ts';

export function totalsOf(sessions: readonly ListedSession[]): SessionTotals {
  const costs = sessions.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    sessions: sessions.length,
    q: meanQ(sessions),
    turns: sessions.reduce((sum, { turns = 0 }) => sum + turns, 0),
    usage: sessions.flatMap(({ usage }) => usage ?? []).reduce(addUsage, NO_USAGE),
    ...(costs.length > 0 && { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
    costUnknown: sessions.length - costs.length,
    costIsLowerBound: sessions.some((session) => session.costIsLowerBound),
  };
}

type Keyed = (session: ListedSession) => string | undefined;

export function groupSessions(
  sessions: readonly ListedSession[],
  by: ListGroup,
  pick: (group: readonly ListedSession[]) => readonly ListedSession[],
  zone?: string,
): ListedGroup[] {
  const keyOf: Keyed = by === 'block' ? blocksOf(sessions) : groupKeyOf(by, zone);
  const groups = [...Map.groupBy(sessions, keyOf)].map(([key, own]) => ({
    key,
    ...totalsOf(own),
    models: [...new Set(own.flatMap(({ model }) => model ?? []))].sort(),
    listed: pick(own),
  }));
  return sortGroups(groups, by);
}

/** Groups of time one after the other, others the dearest first; what has no group comes last. */
export function sortGroups(groups: readonly ListedGroup[], by: ListGroup): ListedGroup[] {
  const compare = isTimeGroup(by) ? byKey : dearestFirst;
  return groups.toSorted(
    (a, b) => Number(a.key === undefined) - Number(b.key === undefined) || compare(a, b),
  );
}

function byKey(a: ListedGroup, b: ListedGroup): number {
  return (a.key ?? '') < (b.key ?? '') ? -1 : 1;
}

function dearestFirst(a: ListedGroup, b: ListedGroup): number {
  return (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.sessions - a.sessions || byKey(a, b);
}

const HOUR_MS = 3_600_000;
const BLOCK_MS = 5 * HOUR_MS;

/** A block begins with the full hour of the first session that no block holds, and takes all of the next five hours. */
function blocksOf(sessions: readonly ListedSession[]): Keyed {
  const starts = sessions.flatMap(({ startedAt }) => startedAt ?? []).sort((a, b) => a - b);
  const blocks: number[] = [];
  for (const start of starts)
    if (start >= (blocks.at(-1) ?? -Infinity) + BLOCK_MS) blocks.push(Math.floor(start / HOUR_MS) * HOUR_MS);
  return ({ startedAt }) => {
    const block = startedAt === undefined ? undefined : blocks.findLast((begin) => begin <= startedAt);
    return block === undefined ? undefined : new Date(block).toISOString();
  };
}
