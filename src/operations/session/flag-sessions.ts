import type { LowSession } from '../../session/session-groups.ts';
import { truncations } from '../../session/skipped-lines.ts';
import { TOLERANCE } from '../../session/summary.ts';
import { Q_BINS } from '../../store/rollup.ts';
import type { SessionQuery, SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type LeftOut } from './ask-sessions.ts';
import type { SelectedSessions } from './selected-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type Flags = LeftOut & {
  readonly below: number;
  readonly flagged: readonly LowSession[];
  /** How many they are in all: only the first may have been asked for. */
  readonly flaggedInAll: number;
  /** How many sessions were looked at, and how many of them have a Q. */
  readonly sessions: number;
  readonly scored: number;
  /** What was not read, or not to its end, and why: low sessions may be in it. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
};

export type FlagRequest = SessionRequest & {
  readonly below: number;
  /** How many of the lowest are shown; all of them without it. */
  readonly most?: number | undefined;
  /** False: nobody asks what was not read. */
  readonly withUnread?: boolean;
};

/** The sessions that scored too low to ignore. */
export async function flagSessions(request: FlagRequest, ports: Ports): Promise<Flags> {
  const { below, most, withUnread = true } = request;
  const flags = await askSessions(request, ports, async (asked) => {
    const { lowest: flagged, inAll: flaggedInAll } = await lowestSessions(asked, below, most);
    const { sessions, q } = await asked.total();
    const unread = withUnread ? (await asked.files()).flatMap(truncations) : [];
    return { below, flagged, flaggedInAll, sessions, scored: q.n, unread };
  });
  return { ...flags, unread: [...flags.unreadable, ...flags.unread] };
}

/** Of equal Q the most expensive comes first, among as many of the lowest as this. */
const LOOKED_AT = 250;

/** Sessions with a Q below a line, the lowest first: all of them, or the first `most`. */
export async function lowestSessions(
  selected: SelectedSessions,
  below: number,
  most?: number | undefined,
): Promise<{ readonly lowest: readonly LowSession[]; readonly inAll: number }> {
  const low = { qBelow: below - TOLERANCE };
  const { rows, areAll } = await lowestRows(selected, low, most);
  const inAll = areAll
    ? rows.length
    : ((await countedInBins(selected, below)) ?? (await selected.count(low)));
  const lowest = rows
    .toSorted((a, b) => (a.q ?? 0) - (b.q ?? 0) || (b.costUsd ?? 0) - (a.costUsd ?? 0))
    .slice(0, most)
    .map((row) => ({ ...row, q: row.q ?? 0, why: row.lowWhy ?? '' }));
  return { lowest, inAll };
}

type LowestRows = { readonly rows: readonly SessionSummary[]; readonly areAll: boolean };

/** Where the one after the last has another Q, no more need to be looked at to know which the first are. */
async function lowestRows(
  selected: SelectedSessions,
  low: SessionQuery,
  most: number | undefined,
): Promise<LowestRows> {
  const list = (limit?: number) =>
    selected.list({ ...low, order: 'lowest Q', ...(limit !== undefined && { limit }) });
  if (most === undefined) return { rows: await list(), areAll: true };
  const first = await list(most + 1);
  if (first.length <= most) return { rows: first, areAll: true };
  if (first.at(-1)?.q !== first.at(-2)?.q || most >= LOOKED_AT) return { rows: first, areAll: false };
  const rows = await list(LOOKED_AT);
  return { rows, areAll: rows.length < LOOKED_AT };
}

/** A line between two bins tells how many lie below it without counting them. */
async function countedInBins(selected: SelectedSessions, below: number): Promise<number | undefined> {
  const bins = below * Q_BINS;
  if (Math.abs(bins - Math.round(bins)) > 1e-9) return undefined;
  const counts = (await selected.total()).histograms?.q;
  return counts?.slice(0, Math.round(bins)).reduce((sum, count) => sum + count, 0);
}
