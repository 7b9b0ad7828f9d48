/** Writes and deletes sessions, and adds them up by day. Everything here is done inside a transaction. */

import { SUMS } from '../rollup.ts';
import type { SessionRow } from '../schema/session.ts';
import { BINS_OF_ROWS, SUMS_OF_ROWS } from '../sql/rollup.ts';
import { columnName, GROUP_FIELDS, OWN_FIELDS, sessionColumns, sessionValues } from '../sql/tables.ts';
import type { Appended } from '../store.ts';
import type { Connection } from './connection.ts';
import { pack } from './sqlite-engine.ts';

const OWN_COLUMNS = `group_id, ${sessionColumns(OWN_FIELDS)}`;
const marks = (columns: number) => Array.from({ length: columns }, () => '?').join(', ');
const INSERT = `INSERT INTO session (${OWN_COLUMNS}) VALUES (${marks(OWN_FIELDS.length + 1)})`;
const UPDATE = `UPDATE session SET (${OWN_COLUMNS}) = (${marks(OWN_FIELDS.length + 1)}) WHERE id = ?`;
const FACTS = 'INSERT OR REPLACE INTO session_facts (session, facts) VALUES (?, ?)';
const FIND =
  'SELECT id, revision, scored_at, group_id, substr(start, 1, 10) FROM session WHERE session_key = ?';
const FIND_GROUP = `SELECT group_id FROM session_group WHERE ${GROUP_FIELDS.map(({ name }) => `${columnName(name)} IS ?`).join(' AND ')}`;
const ADD_GROUP = `INSERT INTO session_group (${sessionColumns(GROUP_FIELDS)}) VALUES (${marks(GROUP_FIELDS.length)})`;

/** One row for each session: the one that was scored last, of equals the one with the greater revision. */
export function appendSessions(connection: Connection, rows: readonly SessionRow[]): Appended {
  const [days, groups] = [new TouchedDays(), new Groups(connection)];
  let added = 0;
  for (const row of rows) {
    const [id, revision, scoredAt, groupId, day] = connection.get(FIND, [row.sessionKey]) ?? [];
    const isStored = typeof id === 'number';
    if (isStored && !isLater(row, String(scoredAt), String(revision))) continue;
    if (revision !== row.revision) added += 1;
    if (isStored) days.add(Number(groupId), String(day));
    const group = groups.of(row);
    const values = [group, ...sessionValues(OWN_FIELDS, row)];
    const rowid = isStored ? id : connection.run(INSERT, values).id;
    if (isStored) connection.run(UPDATE, [...values, id]);
    connection.run(FACTS, [rowid, pack(JSON.stringify(row.facts))]);
    days.add(group, row.startedAt?.slice(0, 10) ?? '');
  }
  days.addUp(connection);
  return { added, known: rows.length - added };
}

function isLater(row: SessionRow, scoredAt: string, revision: string): boolean {
  if (scoredAt !== row.scoredAt) return scoredAt < row.scoredAt;
  return Buffer.compare(Buffer.from(revision), Buffer.from(row.revision)) < 0;
}

/** The numbers of what sessions have in common, each looked up once in a batch. */
class Groups {
  readonly #connection: Connection;
  readonly #ids = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  of(row: SessionRow): number {
    const names = sessionValues(GROUP_FIELDS, row);
    const key = JSON.stringify(names);
    let id = this.#ids.get(key);
    if (id === undefined) {
      const found = this.#connection.get(FIND_GROUP, names)?.[0];
      id = typeof found === 'number' ? found : this.#connection.run(ADD_GROUP, names).id;
      this.#ids.set(key, id);
    }
    return id;
  }
}

const REMOVE_DAY = 'DELETE FROM session_day WHERE group_id = ? AND day = ?';
const WRITE_DAY = `INSERT INTO session_day (group_id, day, ${SUMS.join(', ')}, bins)
  SELECT group_id, substr(start, 1, 10) AS day, ${SUMS_OF_ROWS}, ${BINS_OF_ROWS}
  FROM session WHERE group_id = ? AND start >= ? AND start < ? GROUP BY group_id, day`;

/** Days and groups of which rows changed: each is added up anew from its rows, which leaves nothing to drift. */
class TouchedDays {
  readonly #days = new Map<number, Set<string>>();

  add(group: number, day: string): void {
    const days = this.#days.get(group);
    if (days === undefined) this.#days.set(group, new Set([day]));
    else days.add(day);
  }

  addUp(connection: Connection): void {
    for (const [group, days] of this.#days)
      for (const day of days) {
        connection.run(REMOVE_DAY, [group, day]);
        // `U` follows the `T` of a time; of an unknown start there is only the empty text.
        connection.run(WRITE_DAY, [group, day, day === '' ? '0' : `${day}U`]);
      }
  }
}

/** By their keys; of one that is not there nothing is said. */
export function removeSessions(connection: Connection, keys: readonly string[]): void {
  const days = new TouchedDays();
  for (const key of keys) {
    const [id, , , group, day] = connection.get(FIND, [key]) ?? [];
    if (typeof id !== 'number') continue;
    connection.run('DELETE FROM session WHERE id = ?', [id]);
    connection.run('DELETE FROM session_facts WHERE session = ?', [id]);
    days.add(Number(group), String(day));
  }
  days.addUp(connection);
}

/** Sessions deleted in one transaction: other processes get their turn in between. */
const PRUNED_AT_ONCE = 2000;

/** One step of a pruning: how many sessions went. */
export function pruneSessions(connection: Connection, before: string): number {
  const old = connection.all(
    `SELECT id, group_id, substr(start, 1, 10) FROM session
     WHERE start < :before AND (start > '' OR scored_at < :before) LIMIT ${PRUNED_AT_ONCE}`,
    { before },
  );
  const days = new TouchedDays();
  for (const [id = null, group, day] of old) {
    connection.run('DELETE FROM session WHERE id = ?', [id]);
    connection.run('DELETE FROM session_facts WHERE session = ?', [id]);
    days.add(Number(group), String(day));
  }
  days.addUp(connection);
  if (old.length < PRUNED_AT_ONCE)
    connection.exec('DELETE FROM session_group WHERE group_id NOT IN (SELECT group_id FROM session)');
  return old.length;
}
