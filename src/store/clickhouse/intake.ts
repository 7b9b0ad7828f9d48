import { type IntakePart, PLACED } from '../intake.ts';
import { INTAKE_COLUMNS, SqlIntake } from '../sql/intake.ts';
import type { ClickHouseEngine } from './clickhouse-engine.ts';
import type { Connection, RowValues } from './connection.ts';
import { checkKey } from './records.ts';

const ROWS_AT_ONCE = 5000;

export class ClickHouseIntake extends SqlIntake {
  readonly isShared = true;
  readonly #connection: Connection;

  constructor(engine: ClickHouseEngine, connection: Connection) {
    super(engine);
    this.#connection = connection;
  }

  /** Parts with a place first: when what follows fails, the same lines are taken at the same place again. */
  async append(parts: readonly IntakePart[]): Promise<void> {
    for (const { stream, key } of parts) checkKey('part', stream + key);
    await Promise.all(parts.filter(isPlaced).map((part) => this.#place(part)));
    const rows = parts.filter((part) => !isPlaced(part)).map(rowOf);
    for (let i = 0; i < rows.length; i += ROWS_AT_ONCE)
      await this.#connection.insert('intake', INTAKE_COLUMNS, rows.slice(i, i + ROWS_AT_ONCE));
  }

  /** One insert with its key as the token: of several batches with one token ClickHouse accepts the first. */
  async #place(part: IntakePart): Promise<void> {
    const token = JSON.stringify(['intake', part.project, part.stream, part.key]);
    await this.#connection.insert('intake', INTAKE_COLUMNS, [rowOf(part)], token);
    // The key was there and has been deleted since.
    if (!(await this.has(part, part.key)))
      await this.#connection.insert('intake', INTAKE_COLUMNS, [rowOf(part)]);
  }

  protected async now(): Promise<number> {
    const [row] = await this.engine.all('SELECT toUnixTimestamp64Milli(now64(3))');
    return Number(row?.[0]);
  }

  protected unpack(content: unknown): Uint8Array {
    return Buffer.from(String(content), 'base64');
  }

  protected summary(narrowed: string): string {
    return `(SELECT project, stream, sum(length > 0) AS parts, sum(length) AS bytes, max(position + length) AS reach,
      max(received_at) AS touched_at, max(if(length = 0, received_at, 0)) AS ended_at
      FROM intake FINAL WHERE ${narrowed} GROUP BY project, stream)`;
  }

  /** How many streams went. */
  async prune(before: string): Promise<number> {
    const count = await this.countOlder(before);
    const old =
      'SELECT project, stream FROM intake GROUP BY project, stream HAVING max(received_at) < {before:Int64}';
    const values = { before: Date.parse(before) };
    if (count > 0) await this.#connection.remove('intake', `(project, stream) IN (${old})`, values);
    return count;
  }
}

const isPlaced = ({ key }: IntakePart) => key.startsWith(PLACED);

/** JSON cannot carry every byte: contents travel and are stored as base64. */
function rowOf({ project = '', stream, key, position, content }: IntakePart): RowValues {
  return [project, stream, key, position, content.length, content.toString('base64')];
}
