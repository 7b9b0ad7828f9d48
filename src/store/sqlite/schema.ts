/**
 * The schema of a store file, in numbered steps. The first makes everything; a step that was released is never changed,
 * the next one is added. Numbers of sessions are REAL, counts too: a whole REAL takes no more room than an INTEGER.
 */
import { AssayError } from '../../errors.ts';
import { SUMS } from '../rollup.ts';
import type { SessionField } from '../schema/session.ts';
import { columnName, GROUP_FIELDS, KEYED, OWN_FIELDS, RUN, type Table } from '../sql/tables.ts';
import type { Connection } from './connection.ts';
import { INTAKE } from './intake.ts';
import { TRANSCRIPTS } from './transcripts.ts';

export type Migration = { readonly name: string; readonly sql: string };

function columns(fields: readonly SessionField[]): string {
  return fields
    .map(
      ({ name, kind, optional }) =>
        `${columnName(name)} ${kind === 'number' ? 'REAL' : 'TEXT'}${optional ? '' : ' NOT NULL'}`,
    )
    .join(',\n  ');
}

/** Columns with an index. */
const INDEXED: { readonly [table: string]: readonly string[] } = {
  run: ['instrument', 'subject', 'truth_hash'],
  rating: ['subject_id'],
  approval: ['run_id'],
  alert: ['instrument'],
  alert_event: ['alert_id'],
  feedback: ['output_id'],
  delivery_attempt: ['delivery_id'],
};

function keyedTable(table: Table, more = ''): string {
  const { name, key, fields } = table;
  const byColumn = (INDEXED[name] ?? []).map(
    (column) => `CREATE INDEX ${name}_by_${column} ON ${name} (${column}, at, ${key});\n`,
  );
  return `CREATE TABLE ${name} (
  ${fields.map((field, i) => `${columnName(field)} TEXT${i < 2 ? ' NOT NULL' : ''}`).join(',\n  ')},
  body TEXT NOT NULL,
  content_hash TEXT NOT NULL${more},
  PRIMARY KEY (${key})
) STRICT;
CREATE INDEX ${name}_by_time ON ${name} (at, ${key});
${byColumn.join('')}`;
}

/** What lists are narrowed by is in the indexes, so that rows which do not fit are never touched. */
const SESSIONS = `
CREATE TABLE session_group (
  group_id INTEGER PRIMARY KEY,
  ${columns(GROUP_FIELDS)}
) STRICT;
CREATE INDEX session_group_by_name ON session_group (project, task_type, model);

CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL,
  ${columns(OWN_FIELDS)},
  start TEXT NOT NULL GENERATED ALWAYS AS (coalesce(started_at, '')) VIRTUAL,
  UNIQUE (session_key)
) STRICT;
CREATE INDEX session_by_start ON session (start, session_key, group_id);
CREATE INDEX session_by_group ON session (group_id, start);
CREATE INDEX session_by_q ON session (q, start DESC, group_id) WHERE q IS NOT NULL;
CREATE INDEX session_by_cost ON session (cost_usd, start, group_id) WHERE cost_usd IS NOT NULL;
CREATE INDEX session_by_turns ON session (turns, start, group_id) WHERE turns IS NOT NULL;
CREATE INDEX session_by_attention ON session (attention, coalesce(cost_usd, 0), start, group_id)
  WHERE attention > 0;
CREATE INDEX session_by_session_id ON session (session_id);
CREATE INDEX session_by_parent ON session (parent_session_id) WHERE parent_session_id IS NOT NULL;
CREATE INDEX session_with_skips ON session (start) WHERE skipped_lines > 0;

CREATE TABLE session_facts (
  session INTEGER PRIMARY KEY,
  facts BLOB NOT NULL
) STRICT;

CREATE TABLE session_day (
  group_id INTEGER NOT NULL,
  day TEXT NOT NULL,
  ${SUMS.map((name) => `${name} INTEGER NOT NULL`).join(',\n  ')},
  bins TEXT NOT NULL,
  PRIMARY KEY (group_id, day)
) STRICT, WITHOUT ROWID;
`;

/** Sums of requests by minute, hour and day, as JSON: those by hour and day outlive the requests. */
const PRODUCTION = `
CREATE INDEX decomposition_sampled ON decomposition (at, id) WHERE sample_stratum IS NOT NULL;
CREATE INDEX decomposition_of_experiment ON decomposition (experiment_id, at, id) WHERE experiment_id IS NOT NULL;
CREATE INDEX decomposition_failed ON decomposition (at, id) WHERE status = 'error';

CREATE TABLE production_cell (
  grain TEXT NOT NULL,
  at TEXT NOT NULL,
  prompt_version TEXT NOT NULL,
  model TEXT NOT NULL,
  project TEXT NOT NULL,
  sums TEXT NOT NULL,
  PRIMARY KEY (grain, at, prompt_version, model, project)
) STRICT, WITHOUT ROWID;

CREATE TABLE production_pruned (one INTEGER PRIMARY KEY CHECK (one = 1), before TEXT NOT NULL) STRICT;
`;

/** The time of the latest deletion of each kind. */
const NOTES = `
CREATE TABLE store_note (name TEXT PRIMARY KEY, at TEXT NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** A new table is one more text here. */
const TABLES: readonly string[] = [
  ...Object.values(KEYED).map((table) => keyedTable(table)),
  keyedTable(RUN, ',\n  cases BLOB NOT NULL'),
  SESSIONS,
  PRODUCTION,
  NOTES,
  TRANSCRIPTS,
  INTAKE,
];

/** The first is number 1. */
export const MIGRATIONS: readonly Migration[] = [{ name: 'all tables', sql: TABLES.join('\n') }];

/** 'Assa', the application id in the header of the file. */
export const APPLICATION_ID = 0x41737361;

/** How many migrations the file has; 0 is an empty file. Refuses a foreign file and one from a newer version. */
export function inspect(connection: Connection, migrations: readonly Migration[] = MIGRATIONS): number {
  // One transaction, or a store that is being created next door could look foreign.
  return connection.transaction(() => countApplied(connection, migrations), 'BEGIN');
}

/** Applies the missing steps in one transaction and returns their numbers. A second process finds nothing to do. */
export function migrate(
  connection: Connection,
  migrations: readonly Migration[] = MIGRATIONS,
): readonly number[] {
  return connection.transaction(() => {
    const applied = countApplied(connection, migrations);
    if (applied === 0) {
      connection.exec(`
        PRAGMA application_id = ${APPLICATION_ID};
        CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;
      `);
    }
    return migrations.slice(applied).map(({ name, sql }, i) => {
      const number = applied + i + 1;
      connection.exec(sql);
      const at = new Date().toISOString();
      connection.run('INSERT INTO migration (number, name, applied_at) VALUES (?, ?, ?)', [number, name, at]);
      return number;
    });
  });
}

/** A newer version may have migrated the file while this process had it open. */
export function assertNotNewer(connection: Connection): void {
  const latest = connection.get('SELECT max(number) FROM migration')?.[0];
  if (latest !== MIGRATIONS.length) countApplied(connection, MIGRATIONS);
}

function countApplied(connection: Connection, migrations: readonly Migration[]): number {
  const { path } = connection;
  const owner = connection.get('PRAGMA application_id')?.[0];
  if (owner === 0 && connection.get('SELECT count(*) FROM sqlite_schema')?.[0] === 0) return 0;
  if (owner !== APPLICATION_ID) {
    throw new AssayError('STORE_CORRUPT', `${path} is a SQLite database, but not an Assay store`);
  }
  const numbers = connection.all('SELECT number FROM migration ORDER BY number').map((row) => row[0]);
  if (numbers.length === 0 || numbers.some((number, i) => number !== i + 1 && i < migrations.length)) {
    throw new AssayError('STORE_CORRUPT', `${path} is damaged: migrations are missing from its list`);
  }
  if (numbers.length > migrations.length) {
    throw new AssayError(
      'STORE_NEWER',
      `${path} has migration ${numbers.at(-1)}; this version of Assay supports ${migrations.length}`,
    );
  }
  return numbers.length;
}
