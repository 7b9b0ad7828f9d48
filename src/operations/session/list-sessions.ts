/** Lists sessions, single or by group, and their totals. */
import { meanOfMoments } from '../../measure/over-cases.ts';
import type { Environment } from '../../session/ingest/formats/format.ts';
import type { WantedQuote } from '../../session/ingest/replay/read-words.ts';
import { openStreams } from '../../session/live/sent-streams.ts';
import { withInterval } from '../../session/measured-session.ts';
import { quoted, type Statement } from '../../session/receipts.ts';
import {
  groupKeyOf,
  groupSessions,
  isTimeGroup,
  type ListedGroup,
  type ListedSession,
  type ListGroup,
  SESSION_GROUPS,
  type SessionGroup,
  type SessionTotals,
  sortGroups,
  totalsOf,
} from '../../session/session-groups.ts';
import { hasWholeHours, UTC } from '../../session/time-zone.ts';
import type { RollupQuery, SessionRollup } from '../../store/rollup.ts';
import type { SessionOrder, SessionSummary } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { type AskRequest, askSessions, type QueriedSessions, type ReadReport } from './ask-sessions.ts';
import type { Opinions } from './model-opinions.ts';
import { addRollups, type SelectedSessions } from './selected-sessions.ts';

export type SessionList = ReadReport & {
  readonly sort: ListSort;
  readonly by?: ListGroup;
  /** The time zone of days; UTC without it. */
  readonly timezone?: string;
  readonly total: SessionTotals;
  readonly groups: readonly ListedGroup[];
  /** The requested sessions, in order; empty when they are listed by group. */
  readonly listed: readonly ListedSession[];
  /** Scored sessions that the filter removed. */
  readonly filteredOut: number;
};

export type ListSort = 'date' | 'q' | 'cost' | 'turns';

export const LIST_GROUPS: readonly ListGroup[] = [...SESSION_GROUPS, 'block'];

export type ListRequest = AskRequest & {
  readonly sort: ListSort;
  readonly by?: ListGroup | undefined;
  /** The maximum number listed, per group if grouped; all of them without it. */
  readonly limit?: number | undefined;
  /** Include the request of listed sessions: transcripts are read again, and keys of this environment masked. */
  readonly titles?: Wording | undefined;
};

export function listSessions(request: ListRequest, ports: Ports): Promise<SessionList> {
  return askSessions(request, ports, (asked) => listQueried(asked, request, ports));
}

export async function listQueried(
  asked: QueriedSessions,
  { sort, by, limit, titles, timezone }: Omit<ListRequest, 'from'>,
  ports: Ports,
): Promise<Omit<SessionList, 'unreadable'>> {
  const { sessions: inAll } = await asked.total();
  const filteredOut = (await asked.store.countSessions()) - inAll;
  const about = { sort, by, timezone, filteredOut };
  const few = await asked.isFew();
  const sumsFit = by !== undefined && (!isTimeGroup(by) || hasWholeHours(timezone ?? UTC));
  if (sumsFit && by !== 'block' && limit === 0 && !few) {
    const groups = await groupsFromSums(asked, by, timezone);
    return { ...about, total: totalsOfSums(await asked.total()), groups, listed: [] };
  }
  // Sessions without a value to sort by come last, so the first page of the store lacks them.
  const first =
    by !== undefined || limit === undefined || few
      ? undefined
      : await asked.list({ order: STORED_ORDERS[sort], limit });
  const isFirst = first !== undefined && first.length === limit;
  const sessions = (isFirst ? first : await asked.list({})).map((row) => listedRow(row, asked.opinions));
  const pick = (some: readonly ListedSession[]) => some.toSorted(ORDERS[sort]).slice(0, limit);
  const groups = by === undefined ? [] : groupSessions(sessions, by, pick, timezone);
  const chosen = by === undefined ? pick(sessions) : groups.flatMap((group) => group.listed);
  const shown = titles === undefined ? chosen : await withWords(chosen, titles, ports);
  const titled = new Map(shown.map((one) => [one.sessionKey, one]));
  const titledOf = (some: readonly ListedSession[]) => some.map((one) => titled.get(one.sessionKey) ?? one);
  return {
    ...about,
    total: isFirst ? totalsOfSums(await asked.total()) : totalsOf(sessions),
    groups: groups.map((group) => ({ ...group, listed: titledOf(group.listed) })),
    listed: by === undefined ? titledOf(chosen) : [],
  };
}

const STORED_ORDERS: Readonly<Record<ListSort, SessionOrder>> = {
  date: 'newest',
  q: 'lowest Q',
  cost: 'costliest',
  turns: 'longest',
};

type Order = (a: ListedSession, b: ListedSession) => number;

function descending(value: (one: ListedSession) => string | number | undefined): Order {
  return (a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === other) return 0;
    if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
    return one < other ? 1 : -1;
  };
}

const NEWEST: Order = (a, b) =>
  descending(({ startedAt }) => startedAt)(a, b) || (a.sessionKey < b.sessionKey ? -1 : 1);

function thenNewest(order: Order): Order {
  return (a, b) => order(a, b) || NEWEST(a, b);
}

/** Newest, lowest, most expensive, longest first; unknown values come last. */
const ORDERS: Readonly<Record<ListSort, Order>> = {
  date: NEWEST,
  q: thenNewest(descending(({ q }) => q && -q)),
  cost: thenNewest(descending(({ costUsd }) => costUsd)),
  turns: thenNewest(descending(({ turns }) => turns)),
};

/** Transcripts are read again, and keys of this environment masked. */
export type Wording = {
  readonly environment: Environment;
  /** Only titles, which are at the beginning of a transcript. */
  readonly withoutQuotes?: true;
};

/** What is needed to read the words of a session. */
type Readable = Pick<ListedSession, 'sessionId' | 'path' | 'statements' | 'headline' | 'title'>;

/** Each file is read once, however many of its sessions are listed. */
export async function withWords<Worded extends Readable>(
  shown: readonly Worded[],
  { environment, withoutQuotes }: Wording,
  ports: Ports,
): Promise<Worded[]> {
  const { quoteKey, readWords } = await import('../../session/ingest/replay/read-words.ts');
  const open = openStreams(async () => (await ports.store('looking')).intake);
  const places = shown.flatMap((one) => [
    { one, path: one.path ?? '', quotes: [] },
    ...one.statements.flatMap((said) => {
      const wanted = withoutQuotes ? undefined : wantedOf(said);
      return wanted === undefined ? [] : [{ one, path: said.at?.path ?? one.path ?? '', quotes: [wanted] }];
    }),
  ]);
  const titles = new Map<Worded, string>();
  const quotes = new Map<Worded, Map<string, string>>(shown.map((one) => [one, new Map()]));
  let done = 0;
  for (const [path, here] of Map.groupBy(places, (place) => place.path)) {
    ports.signal.throwIfAborted();
    const bySession = [...Map.groupBy(here, ({ one }) => one)];
    const asked = bySession.map(([{ sessionId }, some]) => ({
      sessionId,
      quotes: some.flatMap((place) => place.quotes),
    }));
    const words = await readWords(path, asked, environment, open);
    for (const [one] of bySession) {
      const found = words.get(one.sessionId);
      if (one.path === path && found?.title !== undefined) titles.set(one, found.title);
      for (const [key, quote] of found?.quotes ?? []) quotes.get(one)?.set(`${path} ${key}`, quote);
    }
    done += bySession.length;
    ports.progress({
      what: 'Titles',
      done: Math.min(done, shown.length),
      total: shown.length,
      unit: 'sessions',
    });
  }
  return shown.map((one) => {
    const title = titles.get(one);
    const statements = one.statements.map((statement) => {
      const wanted = wantedOf(statement);
      const key = wanted && `${statement.at?.path ?? one.path ?? ''} ${quoteKey(wanted)}`;
      const said = key === undefined ? undefined : quotes.get(one)?.get(key);
      return said === undefined ? statement : { ...statement, said };
    });
    const [first] = statements;
    return {
      ...one,
      ...(title !== undefined && { title }),
      statements,
      headline: first === undefined ? one.headline : quoted(first, first.said),
    };
  });
}

function wantedOf({ line, at, quote }: Statement): WantedQuote | undefined {
  return line === undefined || quote === undefined ? undefined : { line: at?.line ?? line, quote };
}

export function listedRow({ receipts = '[]', ...row }: SessionSummary, opinions?: Opinions): ListedSession {
  const rating = opinions?.of(row)?.rating;
  return {
    ...row,
    headline: row.headline ?? '',
    // Written by the scorer.
    statements: JSON.parse(receipts) as Statement[],
    ...(rating !== undefined && { modelRating: rating }),
  };
}

/** Groups are listed with their models. */
const QUERIES: Readonly<Record<SessionGroup, Pick<RollupQuery, 'by' | 'bucket'>>> = {
  model: { by: ['model'] },
  agent: { by: ['agent', 'source', 'model'] },
  'task-type': { by: ['taskType', 'model'] },
  project: { by: ['project', 'model'] },
  day: { by: ['model'], bucket: 'day' },
  week: { by: ['model'], bucket: 'week' },
  month: { by: ['model'], bucket: 'month' },
};

/** Groups without their sessions. */
async function groupsFromSums(
  selected: SelectedSessions,
  by: SessionGroup,
  zone: string = UTC,
): Promise<ListedGroup[]> {
  const keyOf = groupKeyOf(by, zone);
  const rollups = await selected.rollup(inZone(QUERIES[by], zone));
  const groups = [...Map.groupBy(rollups, ({ bucket, group }) => keyOf({ ...group, startedAt: bucket }))];
  return sortGroups(
    groups.map(([key, own]) => ({
      key,
      ...totalsOfSums(addRollups(own)),
      models: [...new Set(own.flatMap(({ group }) => group.model ?? []))].sort(),
      listed: [],
    })),
    by,
  );
}

/** Days of another zone are built from hours of UTC. */
export function inZone<Query extends Pick<RollupQuery, 'bucket'>>(query: Query, zone: string): Query {
  return query.bucket === undefined || zone === UTC ? query : { ...query, bucket: 'hour' };
}

/** Equals `totalsOf` of the sessions. */
function totalsOfSums({ sessions, q, turns, tokens, cost }: SessionRollup): SessionTotals {
  return {
    sessions,
    q: withInterval(meanOfMoments(q, sessions, 'no run of the session could be scored')),
    turns,
    usage: tokens,
    ...(cost.n > 0 && { costUsd: cost.sumUsd }),
    costUnknown: sessions - cost.n,
    costIsLowerBound: cost.atLeast > 0,
  };
}
