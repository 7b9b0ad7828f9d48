/** Groups of sessions, and their totals. */
import type { Measurement } from '../measure/metric.ts';
import type { SessionRecord } from './columns.ts';
import type { Usage } from './event.ts';
import { meanQ } from './measured-session.ts';
import type { Statement } from './receipts.ts';
import { dayIn, UTC, weekIn } from './time-zone.ts';
import { addUsage, NO_USAGE } from './usage.ts';

/** Without a key: sessions whose group is unknown. */
export type ListedGroup = SessionTotals & {
  readonly key: string | undefined;
  readonly models: readonly string[];
  readonly listed: readonly ListedSession[];
};

/** Totals of several sessions. */
export type SessionTotals = {
  readonly sessions: number;
  /** Mean over those with a Q. */
  readonly q: Measurement;
  /** Absent when only sums were read. */
  readonly turns?: number;
  /** Over sessions with token counts. */
  readonly usage: Usage;
  /** Absent: no cost is known. */
  readonly costUsd?: number;
  readonly costUnknown: number;
  readonly costIsLowerBound: boolean;
};

/** A session as an item of a list. */
export type ListedSession = SessionRecord & {
  /** The most important fact, in one sentence. */
  readonly headline: string;
  /** The headline and other evidence against it, most serious first, with the words of its line if they were read. */
  readonly statements: readonly (Statement & { readonly said?: string })[];
  /** The request, from the current transcript; absent when it is gone, empty, or was not requested. */
  readonly title?: string;
  /** A model's rating, 1–5. */
  readonly modelRating?: number;
};

/** `block`: five hours from the full hour of the first session, as subscriptions count them. */
export type ListGroup = SessionGroup | 'block';

type Grouped = { readonly taskType?: string } & Partial<
  Pick<SessionRecord, 'model' | 'agent' | 'source' | 'project' | 'startedAt'>
>;
type KeyOf = (session: Grouped, zone: string) => string | undefined;

const GROUPS = {
  model: ({ model }) => model,
  agent: ({ agent, source }) => agent ?? source,
  'task-type': ({ taskType }) => taskType,
  project: ({ project }) => project,
  day: ({ startedAt }, zone) => dayIn(timeOf(startedAt), zone),
  week: ({ startedAt }, zone) => weekIn(timeOf(startedAt), zone),
  month: ({ startedAt }, zone) => dayIn(timeOf(startedAt), zone)?.slice(0, 7),
} as const satisfies Record<string, KeyOf>;

export type SessionGroup = keyof typeof GROUPS;

export const SESSION_GROUPS = Object.keys(GROUPS) as readonly SessionGroup[];

/** The group of a session; days, weeks and months are those of the time zone. */
export function groupKeyOf(by: SessionGroup, zone: string = UTC): (session: Grouped) => string | undefined {
  const keyOf: KeyOf = GROUPS[by];
  return (session) => keyOf(session, zone);
}

/** Time groups are sorted by time, others by cost. */
export function isTimeGroup(by: string): boolean {
  return by === 'day' || by === 'week' || by === 'month' || by === 'block';
}

/** Milliseconds since 1970. */
export function timeOf(startedAt: string | undefined): number | undefined {
  return startedAt === undefined ? undefined : Date.parse(startedAt);
}

export function totalsOf(sessions: readonly SessionRecord[]): SessionTotals {
  const costs = sessions.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    sessions: sessions.length,
    q: meanQ(sessions),
    turns: sessions.reduce((sum, { turns = 0 }) => sum + turns, 0),
    usage: sessions.reduce((sum, one) => addUsage(sum, usageOf(one)), NO_USAGE),
    ...(costs.length > 0 && { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
    costUnknown: sessions.length - costs.length,
    costIsLowerBound: sessions.some(({ costAtLeast }) => costAtLeast === 1),
  };
}

function usageOf(one: SessionRecord): Usage {
  const { inputTokens: input = 0, outputTokens: output = 0 } = one;
  const { cacheReadTokens: cacheRead = 0, cacheWriteTokens: cacheWrite = 0 } = one;
  return { input, output, cacheRead, cacheWrite };
}

export function groupSessions(
  sessions: readonly ListedSession[],
  by: ListGroup,
  pick: (group: readonly ListedSession[]) => readonly ListedSession[],
  zone?: string,
): ListedGroup[] {
  const keyOf = by === 'block' ? blocksOf(sessions) : groupKeyOf(by, zone);
  const groups = [...Map.groupBy(sessions, keyOf)].map(([key, own]) => ({
    key,
    ...totalsOf(own),
    models: [...new Set(own.flatMap(({ model }) => model ?? []))].sort(),
    listed: pick(own),
  }));
  return sortGroups(groups, by);
}

/** Time groups in order, others by descending cost; the group without a key comes last. */
export function sortGroups(groups: readonly ListedGroup[], by: ListGroup): ListedGroup[] {
  const compare = isTimeGroup(by) ? byKey : mostExpensiveFirst;
  return groups.toSorted(
    (a, b) => Number(a.key === undefined) - Number(b.key === undefined) || compare(a, b),
  );
}

function byKey(a: ListedGroup, b: ListedGroup): number {
  return (a.key ?? '') < (b.key ?? '') ? -1 : 1;
}

function mostExpensiveFirst(a: ListedGroup, b: ListedGroup): number {
  return (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.sessions - a.sessions || byKey(a, b);
}

const HOUR_MS = 3_600_000;
const BLOCK_MS = 5 * HOUR_MS;

/**
 * A block begins at the full hour of the first session outside any block, and contains all sessions of the next five
 * hours.
 */
function blocksOf(sessions: readonly Grouped[]): (session: Grouped) => string | undefined {
  const starts = sessions.flatMap(({ startedAt }) => timeOf(startedAt) ?? []).sort((a, b) => a - b);
  const blocks: number[] = [];
  for (const start of starts)
    if (start >= (blocks.at(-1) ?? -Infinity) + BLOCK_MS) blocks.push(Math.floor(start / HOUR_MS) * HOUR_MS);
  return ({ startedAt }) => {
    const at = timeOf(startedAt);
    const block = at === undefined ? undefined : blocks.findLast((begin) => begin <= at);
    return block === undefined ? undefined : new Date(block).toISOString();
  };
}
