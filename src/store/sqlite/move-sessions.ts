/**
 * Moves the sessions of a store from before rows were small (`session_before`) to where they belong now, a part per
 * transaction: who interrupts it loses nothing, the next one to open the store goes on, and two may do it together.
 */
import { crc32 } from 'node:zlib';
import { camelCase } from '../../session/columns.ts';
import { normalise } from '../canonical.ts';
import { isTime } from '../fields.ts';
import type { SessionRow } from '../session-row.ts';
import type { Json } from '../store.ts';
import { defineChecksum } from './checksum.ts';
import type { Connection, SqlRow } from './connection.ts';
import { inflateFacts } from './deflated-facts.ts';
import { CellChanges, deriveSessions } from './session-cells.ts';
import { NameNumbers } from './session-names.ts';
import { insertSession } from './stored-session.ts';

export type MovePlan = {
  /** Rows have checksums; without them they are taken as they are. */
  readonly hadChecksums: boolean;
  /** Which revisions are current is to be worked out. */
  readonly derive: boolean;
};

/** Inside the transaction of the migration. */
export function planMove(connection: Connection, { hadChecksums, derive }: MovePlan): void {
  connection.exec(
    'CREATE TABLE session_move (had_checksums INTEGER NOT NULL, derive INTEGER NOT NULL) STRICT',
  );
  connection.run('INSERT INTO session_move VALUES (?, ?)', [Number(hadChecksums), Number(derive)]);
}

export function isMoving(connection: Connection): boolean {
  return connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'session_before'`) !== undefined;
}

/** Does what is left of it. */
export function moveSessions(connection: Connection): void {
  while (isMoving(connection)) connection.transaction(() => moveSome(connection));
}

const MOVED_AT_ONCE = 2000;

/** Inside a transaction. */
export function moveSome(connection: Connection, most = MOVED_AT_ONCE): void {
  // Another process may have finished it.
  if (!isMoving(connection)) return;
  const [hadChecksums, derive] = (connection.get('SELECT had_checksums, derive FROM session_move') ?? []).map(
    (flag) => flag === 1,
  );
  const columns = connection
    .all(`SELECT name FROM pragma_table_info('session_before')`)
    .map(([name]) => String(name));
  const sql = `SELECT rowid, ${columns.join(', ')} FROM session_before ORDER BY rowid LIMIT ${most}`;
  const rows = connection.all(sql);
  const mover = new Mover(connection, columns, hadChecksums === true, derive === true);
  for (const row of rows) mover.move(row.slice(1));
  mover.finish();
  connection.run('DELETE FROM session_before WHERE rowid <= ?', [Number(rows.at(-1)?.[0] ?? -1)]);
  if (rows.length === most) return;
  if (derive) deriveSessions(connection);
  connection.exec('DROP TABLE session_before; DROP TABLE session_move');
}

const NOT_SUMMED = new Set(['facts', 'facts_checksum', 'checksum']);
const TIMES = ['scoredAt', 'startedAt', 'endedAt'] as const;
const NEVER = new Date(0).toISOString();

class Mover {
  readonly #connection: Connection;
  readonly #columns: readonly string[];
  readonly #hadChecksums: boolean;
  readonly #derive: boolean;
  readonly #checksum: ReturnType<typeof defineChecksum>;
  readonly #numbers: NameNumbers;
  readonly #changes = new CellChanges();

  constructor(connection: Connection, columns: readonly string[], hadChecksums: boolean, derive: boolean) {
    this.#connection = connection;
    this.#columns = columns;
    this.#hadChecksums = hadChecksums;
    this.#derive = derive;
    this.#numbers = new NameNumbers(connection);
    this.#checksum = defineChecksum(columns.map((name) => (NOT_SUMMED.has(name) ? '' : name)));
  }

  move(values: SqlRow): void {
    const value = (name: string) => values[this.#columns.indexOf(name)];
    const summed = values.map((one, i) => (NOT_SUMMED.has(this.#columns[i] ?? '') ? null : one));
    const known = this.#columns.flatMap((name, i) =>
      values[i] === null || NOT_SUMMED.has(name) || name === 'current' ? [] : [[camelCase(name), values[i]]],
    );
    const summary = Object.fromEntries(known) as Record<string, unknown>;
    const hasTimes = TIMES.every((name) => summary[name] === undefined || isTime(summary[name]));
    if (!hasTimes) Object.assign(summary, { scoredAt: NEVER, startedAt: undefined, endedAt: undefined });
    const isDamaged = !hasTimes || (this.#hadChecksums && this.#checksum(summed) !== value('checksum'));
    const facts = this.#factsIn(value('facts'), value('facts_checksum'));
    const row = { ...summary, facts: facts ?? null } as unknown as SessionRow;
    const current = this.#derive ? 0 : Number(value('current'));
    insertSession(this.#connection, this.#numbers, row, {
      current,
      isDamaged,
      hasDamagedFacts: facts === undefined,
    });
    if (current === 1 && !isDamaged) this.#changes.add(row, 1);
  }

  finish(): void {
    this.#changes.write(this.#connection);
  }

  #factsIn(packed: unknown, checksum: unknown): Json | undefined {
    const text = inflateFacts(packed);
    if (text === undefined || (this.#hadChecksums && crc32(text) !== checksum)) return undefined;
    try {
      return normalise(JSON.parse(text), 'facts');
    } catch {
      return undefined;
    }
  }
}
