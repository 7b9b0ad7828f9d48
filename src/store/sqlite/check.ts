/** Looks at everything in the file: pages, records, what belongs together, and sums against what they are sums of. */
import { AssayError } from '../../errors.ts';
import type { Checking, StoredKind } from '../upkeep.ts';
import { STORED_KINDS } from '../upkeep.ts';
import { checkProductionSums, checkSessionSums } from './check-sums.ts';
import type { Connection, SqlRow } from './connection.ts';
import { readSession } from './sessions.ts';
import {
  damagedSession,
  eachStored,
  FACTS_COLUMNS,
  hasNames,
  isWholeFacts,
  type StoredSession,
  summaryOf,
} from './stored-session.ts';
import { unpackJson } from './unpack-json.ts';
import { itemsOf, lastPrunesOf, recordsOf } from './upkeep.ts';

const FROM_BACKUP = 'Take the store from a backup, or copy what can be read with `assay store copy`.';
const SCORE_AGAIN = 'Score its transcript again, which writes it anew, or take the store from a backup.';

export async function checkSqlite(connection: Connection, checking: Checking): Promise<void> {
  checkPages(connection, checking);
  for (const kind of STORED_KINDS)
    guarded(checking, kind, () => {
      if (kind === 'sessions') checkSessions(connection, checking);
      else checkRecords(connection, kind, checking);
    });
  guarded(checking, 'store_note', () => checkOrphans(connection, checking));
  await guardedLater(checking, 'session_cell', () => checkSessionSums(connection, checking));
  guarded(checking, 'production_cell', () => checkProductionSums(connection, checking));
}

/** What SQLite cannot read is damage of the table that it was reading. */
function guarded(checking: Checking, table: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    checking.found({ table, what: wordsOf(error), remedy: FROM_BACKUP });
  }
}

async function guardedLater(checking: Checking, table: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    checking.found({ table, what: wordsOf(error), remedy: FROM_BACKUP });
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const MOST_FAULTS = 50;

function checkPages(connection: Connection, checking: Checking): void {
  checking.progress('pages', 0);
  guarded(checking, 'the file', () => {
    for (const [fault] of connection.all(`PRAGMA integrity_check(${MOST_FAULTS})`))
      if (fault !== 'ok')
        checking.found({ table: 'the file', what: `SQLite says: ${String(fault)}`, remedy: FROM_BACKUP });
  });
}

const AT_ONCE = 500;

/** Each is decoded and held against its hash; a batch that has a fault is looked at one by one. */
function checkRecords(
  connection: Connection,
  kind: Exclude<StoredKind, 'sessions'>,
  checking: Checking,
): void {
  let done = 0;
  for (let after: string | undefined; ; ) {
    const keys = itemsOf(connection, kind, after, AT_ONCE).map(({ key }) => key);
    if (keys.length === 0) return;
    if (!isReadable(connection, kind, keys))
      for (const key of keys) checkOne(connection, kind, key, checking);
    done += keys.length;
    checking.progress(kind, done);
    after = keys.at(-1);
  }
}

function isReadable(connection: Connection, kind: StoredKind, keys: readonly string[]): boolean {
  try {
    return recordsOf(connection, kind, keys).length === keys.length;
  } catch {
    return false;
  }
}

function checkOne(connection: Connection, kind: StoredKind, key: string, checking: Checking): void {
  try {
    if (recordsOf(connection, kind, [key]).length === 1) return;
    checking.found({ table: kind, key, what: 'an index names it, and it is not there', remedy: FROM_BACKUP });
  } catch (error) {
    checking.found({ table: kind, key, what: wordsOf(error), remedy: FROM_BACKUP });
  }
}

/** Former revisions too: who goes back to other weights sees them again. */
function checkSessions(connection: Connection, checking: Checking): void {
  let done = 0;
  const look = (stored: StoredSession) => {
    const fault = faultOf(connection, stored);
    if (fault !== undefined)
      checking.found({ table: 'sessions', key: String(stored.values[0]), what: fault, remedy: SCORE_AGAIN });
    done += 1;
    if (done % 1000 === 0) checking.progress('sessions', done);
  };
  eachStored(connection, '', look);
  checking.progress('sessions', done);
  const counts = connection.all(`SELECT session_key, sum(current = 1) AS shown FROM session
    GROUP BY session_key HAVING shown <> 1`);
  for (const [key, shown] of counts)
    checking.found({
      table: 'sessions',
      key: String(key),
      what: `${String(shown)} of its revisions are current, and one should be`,
      remedy: SCORE_AGAIN,
    });
  const unlinked = connection.all(
    'SELECT session_key FROM session WHERE id NOT IN (SELECT session FROM session_link WHERE kind = 0)',
  );
  for (const [key] of unlinked)
    checking.found({
      table: 'session_link',
      key: String(key),
      what: 'the session is not found by its id',
      remedy: SCORE_AGAIN,
    });
}

function faultOf(connection: Connection, stored: StoredSession): string | undefined {
  try {
    if (!stored.isWhole || !hasNames(connection, stored)) throw damagedSession(connection, stored.values);
    const summary = summaryOf(connection, stored);
    const facts = connection.get(`SELECT ${FACTS_COLUMNS} FROM session WHERE id = ?`, [stored.rowid]);
    if (facts === undefined || !isWholeFacts(facts)) throw damagedSession(connection, stored.values);
    // The names that facts are packed with are those of the row, so a former revision is unpacked by itself.
    if (stored.current === 1) readSession(connection, summary.sessionKey);
    else unpackJson(facts[0] as Uint8Array);
    return undefined;
  } catch (error) {
    return error instanceof AssayError ? error.message : `it cannot be unpacked: ${wordsOf(error)}`;
  }
}

type Orphan = {
  readonly table: string;
  readonly sql: string;
  readonly what: string;
  readonly remedy: string;
};

const PERHAPS_LATER =
  'It may still be on its way; otherwise it goes with `assay store prune` when its time is over, or take the store from a backup.';

const ORPHANS: readonly Orphan[] = [
  {
    table: 'run_case',
    sql: "SELECT run || ' ' || case_no FROM run_case WHERE run NOT IN (SELECT id FROM run)",
    what: 'the run of this case is not there',
    remedy: FROM_BACKUP,
  },
  {
    table: 'measurement',
    sql: 'SELECT DISTINCT run FROM measurement WHERE run NOT IN (SELECT id FROM run)',
    what: 'the run of these measurements is not there',
    remedy: FROM_BACKUP,
  },
  {
    table: 'alert_event',
    sql: 'SELECT event_id FROM alert_event WHERE alert_id NOT IN (SELECT alert_id FROM alert)',
    what: 'the alert that it is about is not there',
    remedy: PERHAPS_LATER,
  },
  {
    table: 'delivery_attempt',
    sql: 'SELECT attempt_id FROM delivery_attempt WHERE delivery_id NOT IN (SELECT delivery_id FROM delivery)',
    what: 'what was to be told is not there',
    remedy: PERHAPS_LATER,
  },
  {
    table: 'decomposition_text',
    sql: 'SELECT id FROM decomposition_text WHERE at >= ? AND id NOT IN (SELECT id FROM decomposition)',
    what: 'the request of this text is not there',
    remedy: PERHAPS_LATER,
  },
];

function checkOrphans(connection: Connection, checking: Checking): void {
  checking.progress('what belongs together', 0);
  // Requests that were deleted leave their texts behind until these are.
  const pruned = lastPrunesOf(connection).find(({ kind }) => kind === 'decompositions')?.before ?? '';
  for (const { table, sql, what, remedy } of ORPHANS) {
    const rows: readonly SqlRow[] = connection.all(sql, sql.includes('?') ? [pruned] : []);
    for (const [key] of rows) checking.found({ table, key: String(key), what, remedy });
  }
}
