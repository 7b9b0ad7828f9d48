/** Finds the rows that a question about single sessions is about, by the index that leads to them soonest. */
import type { SQLInputValue } from 'node:sqlite';
import { finite } from '../canonical.ts';
import { checkLimit, checkPeriod, checkSessionPosition } from '../query.ts';
import { KEY_PART, labelTest, projectTest, searchTest } from '../session-narrowing.ts';
import type { SessionOrder, SessionPosition, SessionQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { LINK_KINDS, type LinkKind, linkHash } from './session-links.ts';
import { namesIn } from './session-names.ts';
import { Where } from './table.ts';

/** What rows are put in order by: a column of the index, and its value of a session as the file has it. */
type Term = {
  readonly sql: string;
  readonly isDown?: true;
  readonly valueOf: (position: SessionPosition) => string | number | null;
};

type Order = {
  readonly terms: readonly Term[];
  readonly index: string;
  /** Sessions without what they are put in order by are left out. */
  readonly only?: string;
};

const KEY: Term = { sql: 'session_key', valueOf: ({ sessionKey }) => sessionKey };
const START: Term = {
  sql: 'started_at',
  valueOf: ({ startedAt }) => (startedAt === undefined ? null : Date.parse(startedAt)),
};
const LATEST: Term = { ...START, isDown: true };

const ORDERS: Readonly<Record<SessionOrder, Order>> = {
  oldest: { terms: [START, KEY], index: 'session_by_start' },
  newest: { terms: [LATEST, { ...KEY, isDown: true }], index: 'session_by_start' },
  'lowest Q': {
    terms: [{ sql: 'q', valueOf: ({ q }) => q ?? -Number.MAX_VALUE }, LATEST, KEY],
    index: 'session_by_q',
    only: 'q IS NOT NULL',
  },
  costliest: {
    terms: [{ sql: 'cost_usd', isDown: true, valueOf: ({ costUsd = 0 }) => costUsd }, LATEST, KEY],
    index: 'session_by_cost',
    only: 'cost_usd IS NOT NULL',
  },
  longest: {
    terms: [{ sql: 'turns', isDown: true, valueOf: ({ turns = 0 }) => turns }, LATEST, KEY],
    index: 'session_by_turns',
    only: 'turns IS NOT NULL',
  },
  'most worrying': {
    terms: [
      { sql: 'concern', isDown: true, valueOf: ({ concern = 0 }) => concern },
      { sql: 'coalesce(cost_usd, 0)', isDown: true, valueOf: ({ costUsd = 0 }) => costUsd },
      LATEST,
      KEY,
    ],
    index: 'session_by_concern',
    only: `concern > 0 AND q IS NOT NULL`,
  },
};

function orderBy(order: SessionOrder = 'oldest'): string {
  return ORDERS[order].terms.map(({ sql, isDown }) => `${sql}${isDown ? ' DESC' : ''}`).join(', ');
}

export type Selection = { readonly sql: string; readonly values: readonly SQLInputValue[] };

/** Rows in order, as many as are asked for. */
export function selectSessions(connection: Connection, columns: string, query: SessionQuery): Selection {
  const { from, values } = fromSessions(connection, query);
  const order = orderBy(query.order);
  const limit = checkLimit(query.limit);
  if (limit === undefined) return { sql: `SELECT ${columns} FROM ${from} ORDER BY ${order}`, values };
  // Whole rows are only read of those that are on the page.
  const page = `SELECT id FROM ${from} ORDER BY ${order} LIMIT ?`;
  const sql = `SELECT ${columns} FROM session WHERE id IN (${page}) ORDER BY ${order}`;
  return { sql, values: [...values, limit] };
}

/** The same rows, in whichever order. */
export function selectUnordered(connection: Connection, columns: string, query: SessionQuery): Selection {
  const { from, values } = fromSessions(connection, query);
  return { sql: `SELECT ${columns} FROM ${from}`, values };
}

/** By Q, where that narrows them: its index leads to no others. */
export function countSelected(connection: Connection, { limit: _, ...query }: SessionQuery): Selection {
  const isByQ = query.order === undefined && (query.qFrom ?? query.qBelow) !== undefined;
  const { from, values } = fromSessions(connection, isByQ ? { ...query, order: 'lowest Q' } : query);
  return { sql: `SELECT count(*) FROM ${from}`, values };
}

function fromSessions(connection: Connection, query: SessionQuery) {
  const { order = 'oldest', qFrom, qBelow, coverageFrom } = query;
  const { only } = ORDERS[order];
  const narrowing = narrowingOf(connection, query);
  const where = new Where()
    .when(true, 'current = 1')
    .when(only !== undefined, only ?? '')
    .when(query.withSkippedLines === true, 'skipped_lines > 0')
    .and('q >= ?', qFrom === undefined ? undefined : finite(qFrom, 'qFrom'))
    .and('q < ?', qBelow === undefined ? undefined : finite(qBelow, 'qBelow'))
    .and('coverage >= ?', coverageFrom === undefined ? undefined : finite(coverageFrom, 'coverageFrom'));
  for (const { condition, values } of Object.values(narrowing)) where.andAll(condition, values);
  const linked = linksOf(connection, query);
  for (const { condition, values } of linked) where.andAll(condition, values);
  if (query.after !== undefined) goOnAfter(where, order, checkSessionPosition(query.after));
  const isFound = linked.some(({ isFew }) => isFew);
  // The few that were found are looked at one by one.
  const by = isFound
    ? ' NOT INDEXED'
    : query.withSkippedLines === true
      ? ''
      : indexFor(connection, narrowing, query);
  return { from: `session${by}${where.sql}`, values: where.values };
}

type Condition = { readonly condition: string; readonly values: readonly SQLInputValue[] };
/** What leads to few rows of many, each by an index that begins with it. */
type Narrowing = { readonly [Kind in 'label' | 'project' | 'start']?: Condition };

function narrowingOf(connection: Connection, query: SessionQuery): Narrowing {
  const [fits, fitsProject] = [labelTest(query), projectTest(query)];
  const names = namesIn(connection);
  const projects = fitsProject && names.projectsThat(fitsProject).map(([number]) => number);
  const labels = fits === undefined ? undefined : names.labelsThat(fits, labelNarrowing(query));
  const { since, until } = checkPeriod(query);
  const period = new Where()
    .and('started_at >= ?', since === undefined ? undefined : Date.parse(since))
    .and('started_at < ?', until === undefined ? undefined : Date.parse(until));
  return {
    ...(labels !== undefined && {
      label: { condition: 'label IN (SELECT value FROM json_each(?))', values: [JSON.stringify(labels)] },
    }),
    ...(projects !== undefined && {
      project:
        projects.length === 1
          ? { condition: 'project = ?', values: projects }
          : {
              condition: 'project IN (SELECT value FROM json_each(?))',
              values: [JSON.stringify(projects)],
            },
    }),
    ...(period.values.length > 0 && {
      start: { condition: period.sql.replace(' WHERE ', ''), values: period.values },
    }),
  };
}

/** The same for all queries with which the same labels fit. */
function labelNarrowing({ source, agent, model, taskType, tier, agentOrSource, modelPart }: SessionQuery) {
  return JSON.stringify([source, agent, model, taskType, tier, agentOrSource, modelPart]);
}

/** `isFew`: it leads to few sessions by itself. */
type Linked = Condition & { readonly isFew: boolean };

function linksOf(connection: Connection, query: SessionQuery): readonly Linked[] {
  const kinds = Object.entries(LINK_KINDS) as [LinkKind, number][];
  const named = kinds.flatMap(([name, kind]) => {
    const id = query[name];
    const condition = 'id IN (SELECT session FROM session_link WHERE kind = ? AND hash = ?)';
    return id === undefined ? [] : [{ condition, values: [kind, linkHash(id)], isFew: true }];
  });
  return query.search === undefined ? named : [...named, searched(connection, query.search)];
}

/** By the numbers of the names that have it; the rows of names that few have are looked up, others passed on the way. */
function searched(connection: Connection, text: string): Linked {
  const test = searchTest(text);
  const names = namesIn(connection);
  const labels = names.labelsThat(test.label);
  if (labels === undefined) return { condition: '1', values: [], isFew: false };
  const projects = names.projectsThat(test.project).map(([number]) => number);
  const [inLabel, inProject] = ['label', 'project'].map(
    (column) => `${column} IN (SELECT value FROM json_each(?))`,
  ) as [string, string];
  const numbers = [JSON.stringify(labels), JSON.stringify(projects)] as const;
  const ids = JSON.stringify(idsNamed(connection, text));
  const isFew =
    isRare(connection, 'label', { condition: inLabel, values: [numbers[0]] }) &&
    isRare(connection, 'project', { condition: inProject, values: [numbers[1]] });
  const values = [...numbers, ids];
  if (!isFew)
    return {
      condition: `(${inLabel} OR ${inProject} OR id IN (SELECT value FROM json_each(?)))`,
      values,
      isFew,
    };
  const condition = `id IN (
    SELECT id FROM session INDEXED BY session_by_label WHERE current = 1 AND ${inLabel}
    UNION SELECT id FROM session INDEXED BY session_by_project WHERE current = 1 AND ${inProject}
    UNION SELECT value FROM json_each(?)
  )`;
  return { condition, values, isFew };
}

/** Rows with an id, or with a key that begins so. */
function idsNamed(connection: Connection, text: string): readonly number[] {
  const named = connection.all('SELECT session FROM session_link WHERE kind = ? AND hash = ?', [
    LINK_KINDS.sessionId,
    linkHash(text),
  ]);
  const keyed =
    text.length < KEY_PART
      ? []
      : connection.all('SELECT id FROM session WHERE session_key >= ? AND session_key < ? LIMIT ?', [
          text,
          `${text}\u{10ffff}`,
          RARE,
        ]);
  return [...named, ...keyed].map(([id]) => Number(id));
}

const INDICES = {
  label: 'session_by_label',
  project: 'session_by_project',
  start: 'session_by_start',
} as const;

/** Up to so many rows are rather fetched and sorted than looked for along the order. */
const RARE = 2000;

/**
 * Along the order, where a page is soon full; by what narrows them, where few are left by it. Without a limit all of
 * them are read, in order.
 */
function indexFor(
  connection: Connection,
  narrowing: Narrowing,
  { order = 'oldest', limit }: SessionQuery,
): string {
  const inOrder = ORDERS[order].index;
  const isByStart = order === 'oldest' || order === 'newest';
  if (isByStart && narrowing.project !== undefined) return ` INDEXED BY ${INDICES.project}`;
  const kinds = limit === undefined && isByStart ? [] : (Object.keys(narrowing) as (keyof Narrowing)[]);
  const rare = kinds.find((kind) => INDICES[kind] !== inOrder && isRare(connection, kind, narrowing[kind]));
  return ` INDEXED BY ${rare === undefined ? inOrder : INDICES[rare]}`;
}

/** Names that many sessions have: they are not counted again. Where they have become few meanwhile, it takes longer. */
const COMMON = new WeakMap<Connection, Set<string>>();
const MOST_COMMON = 1000;

function isRare(connection: Connection, kind: keyof Narrowing, condition: Condition | undefined): boolean {
  if (condition === undefined) return false;
  const common = COMMON.get(connection) ?? new Set();
  COMMON.set(connection, common);
  const name = JSON.stringify([kind, condition.values]);
  if (common.has(name)) return false;
  const isFew = countsFew(connection, kind, condition);
  if (common.size >= MOST_COMMON) common.clear();
  if (!isFew) common.add(name);
  return isFew;
}

function countsFew(connection: Connection, kind: keyof Narrowing, condition: Condition): boolean {
  const sql = `SELECT count(*) FROM (
    SELECT 1 FROM session INDEXED BY ${INDICES[kind]} WHERE current = 1 AND ${condition.condition} LIMIT ${RARE}
  )`;
  return Number(connection.get(sql, condition.values)?.[0]) < RARE;
}

/** Beyond the first term; or as far as it and beyond the second; and so on. */
function goOnAfter(where: Where, order: SessionOrder, position: SessionPosition): void {
  const values: SQLInputValue[] = [];
  const beyond = ([term, ...others]: readonly Term[]): string => {
    if (term === undefined) return '0';
    const value = term.valueOf(position);
    // NULL is before every value, and compares with none.
    if (value === null)
      return term.isDown
        ? `(${term.sql} IS NULL AND ${beyond(others)})`
        : `(${term.sql} IS NOT NULL OR ${beyond(others)})`;
    values.push(value, value);
    const further = term.isDown ? `${term.sql} < ?` : `${term.sql} > ?`;
    const unknown = term.isDown && term.sql === START.sql ? ` OR ${term.sql} IS NULL` : '';
    return `(${further}${unknown} OR (${term.sql} = ? AND ${beyond(others)}))`;
  };
  const [first] = ORDERS[order].terms;
  const value = first?.valueOf(position) ?? null;
  const condition = beyond(ORDERS[order].terms);
  // An index is entered by what is said of its first column alone.
  if (first !== undefined && value !== null && !(first.isDown && first.sql === START.sql))
    where.andAll(`${first.sql} ${first.isDown ? '<=' : '>='} ?`, [value]);
  where.andAll(condition, values);
}
