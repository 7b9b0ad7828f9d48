/** Questions about single sessions: which fit, in which order, from where on. */
import { AssayError } from '../../errors.ts';
import { finite } from '../canonical.ts';
import { checkLimit, checkPeriod, checkSessionPosition } from '../query.ts';
import { SESSION_FIELDS, type SessionRow } from '../schema/session.ts';
import type { SessionNarrowing } from '../session-narrowing.ts';
import type { Period, SessionOrder, SessionPosition, SessionQuery, SessionSummary } from '../store.ts';
import { type Engine, type Row, Where } from './engine.ts';
import { damaged, isDamage, parseJson, sessionColumns, sessionOfRow } from './tables.ts';

/** What rows are put in order by, and its value of a session. `start` is the start of a session, or '' without one. */
type Term = {
  readonly sql: string;
  readonly isDown?: true;
  readonly valueOf: (position: SessionPosition) => string | number;
};

type Order = {
  readonly terms: readonly Term[];
  /** Sessions without the value of their order are not listed. */
  readonly only?: string;
  readonly index?: string;
};

const KEY: Term = { sql: 'session_key', valueOf: ({ sessionKey }) => sessionKey };
const START: Term = { sql: 'start', valueOf: ({ startedAt = '' }) => startedAt };
const LATEST: Term = { ...START, isDown: true };
const down = (sql: string, of: Term['valueOf']): Term => ({ sql, isDown: true, valueOf: of });

/** No page goes on after a file: all of them are read at once. */
const inFile = (sql: string): Term => ({ sql, valueOf: () => '' });

const ORDERS: Readonly<Record<SessionOrder, Order>> = {
  file: { terms: [inFile("coalesce(path, '')"), inFile('coalesce(place, 0)'), KEY] },
  oldest: { terms: [START, KEY], index: 'session_by_start' },
  newest: { terms: [LATEST, { ...KEY, isDown: true }], index: 'session_by_start' },
  'lowest Q': {
    terms: [{ sql: 'q', valueOf: ({ q }) => q ?? -Number.MAX_VALUE }, LATEST, KEY],
    only: 'q IS NOT NULL',
    index: 'session_by_q',
  },
  costliest: {
    terms: [down('cost_usd', ({ costUsd = 0 }) => costUsd), LATEST, KEY],
    only: 'cost_usd IS NOT NULL',
    index: 'session_by_cost',
  },
  longest: {
    terms: [down('turns', ({ turns = 0 }) => turns), LATEST, KEY],
    only: 'turns IS NOT NULL',
    index: 'session_by_turns',
  },
  'needs attention': {
    terms: [
      down('attention', ({ attention = 0 }) => attention),
      down('coalesce(cost_usd, 0)', ({ costUsd = 0 }) => costUsd),
      LATEST,
      KEY,
    ],
    only: 'attention > 0',
    index: 'session_by_attention',
  },
};

function orderBy(order: SessionOrder): string {
  return ORDERS[order].terms.map(({ sql, isDown }) => `${sql}${isDown ? ' DESC' : ''}`).join(', ');
}

const SUMMARY_COLUMNS = sessionColumns(SESSION_FIELDS);

export async function listSessions(engine: Engine, query: SessionQuery): Promise<SessionSummary[]> {
  const { sql, values } = selectSessions(engine, SUMMARY_COLUMNS, engine.dialect.sessions.summaries, query);
  return (await engine.all(sql, values)).map((row) => sessionOfRow<SessionSummary>(engine.address, row));
}

export async function* iterateSessions(engine: Engine, query: SessionQuery): AsyncGenerator<SessionRow> {
  const { summaries, whole } = engine.dialect.sessions;
  const { sql, values } = query.withoutFacts
    ? selectSessions(engine, SUMMARY_COLUMNS, summaries, query)
    : selectSessions(engine, `${SUMMARY_COLUMNS}, facts`, whole, query);
  for await (const row of engine.iterate(sql, values)) {
    let session: SessionRow;
    try {
      session = query.withoutFacts
        ? { ...sessionOfRow<SessionSummary>(engine.address, row), facts: null }
        : sessionOf(engine, row);
    } catch (error) {
      if (query.onDamage === undefined || !isDamage(error)) throw error;
      query.onDamage(error);
      continue;
    }
    yield session;
  }
}

/** Those that are there, in no order. */
export async function readSessionsOf(engine: Engine, keys: readonly string[]): Promise<SessionRow[]> {
  const where = new Where(engine.dialect).and('session_key IN ?', keys);
  const sql = `SELECT ${SUMMARY_COLUMNS}, facts FROM ${engine.dialect.sessions.whole}${where.sql}`;
  return (await engine.all(sql, where.values)).map((row) => sessionOf(engine, row));
}

export async function countSessions(engine: Engine, { limit: _, ...query }: SessionQuery): Promise<number> {
  const where = whereSession(engine, query);
  const sql = `SELECT count(*) FROM ${engine.dialect.sessions.keys()}${where.sql}`;
  const [row] = await engine.all(sql, where.values);
  return Number(row?.[0]);
}

function sessionOf({ address, dialect }: Engine, row: Row): SessionRow {
  try {
    const summary = sessionOfRow<SessionSummary>(address, row);
    const text = dialect.unpack(row.at(-1));
    if (text === undefined) throw damaged(address, 'session', 'facts');
    return { ...summary, facts: parseJson(address, 'session', 'facts', text) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const key = row[SESSION_FIELDS.findIndex(({ name }) => name === 'sessionKey')];
    const message = `${error.message}, in the session with the key ${JSON.stringify(String(key))}`;
    throw new AssayError('STORE_CORRUPT', message, {
      cause: error,
      remedy: 'Score its transcript again to rewrite it, or restore the store from a backup.',
    });
  }
}

/** Whole rows are only read of those that are on the page. */
function selectSessions({ dialect, address }: Engine, columns: string, from: string, query: SessionQuery) {
  const { order = 'oldest', limit, sessionId, parentSessionId } = query;
  const where = whereSession({ dialect, address }, query);
  const by = orderBy(order);
  const { values } = where;
  if (checkLimit(limit) === undefined)
    return { sql: `SELECT ${columns} FROM ${from}${where.sql} ORDER BY ${by}`, values };
  const { key, keys } = dialect.sessions;
  const isFew = sessionId !== undefined || parentSessionId !== undefined || query.withSkippedLines === true;
  const page = `SELECT ${key} FROM ${keys(isFew ? undefined : ORDERS[order].index)}${where.sql} ORDER BY ${by} LIMIT ${limit}`;
  return { sql: `SELECT ${columns} FROM ${from} WHERE ${key} IN (${page}) ORDER BY ${by}`, values };
}

/** A shorter beginning of a key is there by chance. */
export const KEY_PART = 8;

function whereSession({ dialect }: Pick<Engine, 'dialect' | 'address'>, query: SessionQuery): Where {
  const { order = 'oldest', search, after } = query;
  const finiteOr = (name: 'qBelow' | 'coverageFrom') =>
    query[name] === undefined ? undefined : finite(query[name], name);
  const where = new Where(dialect)
    .when(ORDERS[order].only !== undefined, ORDERS[order].only ?? '')
    .when(query.withSkippedLines === true, 'skipped_lines > 0')
    .when(query.withRiskyActions === true, 'risky_actions > 0')
    .when(
      query.related === true,
      `(parent_session_id IS NOT NULL OR session_id IN
        (SELECT parent_session_id FROM ${dialect.current('session')} WHERE parent_session_id IS NOT NULL))`,
    )
    .and('tier = ?', query.tier)
    .and('q < ?', finiteOr('qBelow'))
    .and('coverage >= ?', finiteOr('coverageFrom'))
    .and('session_id = ?', query.sessionId)
    .and('parent_session_id = ?', query.parentSessionId);
  narrowByNames(where, dialect, query);
  narrowByStart(where, query);
  if (search !== undefined) where.when(true, `(${searched(where, dialect, search)})`);
  if (after !== undefined) goOnAfter(where, order, checkSessionPosition(after));
  return where;
}

export function narrowByStart(where: Where, query: Period): Where {
  const { since, until } = checkPeriod(query);
  // An unknown start is in no period.
  return where
    .and('start >= ?', since)
    .and('start < ?', until)
    .when(since === undefined && until !== undefined, "start > ''");
}

export function narrowByNames(where: Where, dialect: Engine['dialect'], query: SessionNarrowing): Where {
  const { lower, contains } = dialect;
  const who = query.agentOrSource?.toLowerCase();
  const part = query.modelPart?.toLowerCase();
  const names = where
    .nested()
    .and('source = ?', query.source)
    .and('agent = ?', query.agent)
    .and('model = ?', query.model)
    .and('task_type = ?', query.taskType)
    .and('project = ?', query.project)
    .and(`(${lower("coalesce(agent, '')")} = ? OR ${lower('source')} = ?)`, who, who)
    .inProjects(query)
    .inProjects(query.projectNamed === undefined ? {} : { inProjects: [query.projectNamed] });
  if (part !== undefined) {
    const mark = where.mark(part);
    names.when(true, `(${MODELS.map((model) => contains(lower(model), mark)).join(' OR ')})`);
  }
  return where.when(!names.isEmpty, dialect.sessions.named(names.condition));
}

const MODELS = ["coalesce(model, '')", "coalesce(other_models, '')"];

function searched(where: Where, { lower, contains, sessions, current }: Engine['dialect'], text: string) {
  const part = where.mark(text.toLowerCase());
  const names = ['task_type', 'source', "coalesce(agent, '')", "coalesce(project, '')", ...MODELS];
  const found = where.nested().and('session_id = ?', text);
  const keyed = where.nested().and('(session_key >= ? AND session_key < ?)', text, `${text}\u{10ffff}`);
  const ways = [found.condition, ...(text.length >= KEY_PART ? [keyed.condition] : [])];
  return `${sessions.named(`(${names.map((name) => contains(lower(name), part)).join(' OR ')})`)}
    OR ${sessions.key} IN (SELECT ${sessions.key} FROM ${current('session')} WHERE ${ways.join(' OR ')})`;
}

/** Beyond the first term; or as far as it and beyond the second; and so on. */
function goOnAfter(where: Where, order: SessionOrder, position: SessionPosition): void {
  const { terms } = ORDERS[order];
  const beyond = ([term, ...others]: readonly Term[]): string => {
    if (term === undefined) return '1 = 0';
    const value = where.mark(term.valueOf(position));
    return `(${term.sql} ${term.isDown ? '<' : '>'} ${value} OR (${term.sql} = ${value} AND ${beyond(others)}))`;
  };
  const [first] = terms;
  // A condition on the first column alone lets the database use an index.
  if (first !== undefined) where.and(`${first.sql} ${first.isDown ? '<=' : '>='} ?`, first.valueOf(position));
  where.when(true, beyond(terms));
}
