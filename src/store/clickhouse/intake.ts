import type { IntakePart } from '../intake.ts';
import { INTAKE_COLUMNS, SqlIntake, untouchedStreams } from '../sql/intake.ts';
import type { ClickHouseEngine } from './clickhouse-engine.ts';
import type { Connection } from './connection.ts';
import { checkKey } from './records.ts';

const ROWS_AT_ONCE = 5000;

export class ClickHouseIntake extends SqlIntake {
  readonly isShared = true;
  readonly #connection: Connection;

  constructor(engine: ClickHouseEngine, connection: Connection) {
    super(engine);
    this.#connection = connection;
  }

  /** JSON cannot carry every byte: contents travel and are stored as base64. */
  async append(parts: readonly IntakePart[]): Promise<void> {
    for (const { stream, key } of parts) checkKey('part', stream + key);
    const rows = parts.map(({ project = '', stream, key, position, content }) => [
      project,
      stream,
      key,
      position,
      content.length,
      content.toString('base64'),
    ]);
    for (let i = 0; i < rows.length; i += ROWS_AT_ONCE)
      await this.#connection.insert('intake', INTAKE_COLUMNS, rows.slice(i, i + ROWS_AT_ONCE));
  }

  protected async now(): Promise<number> {
    const [row] = await this.engine.all('SELECT toUnixTimestamp64Milli(now64(3))');
    return Number(row?.[0]);
  }

  protected unpack(content: unknown): Uint8Array {
    return Buffer.from(String(content), 'base64');
  }
}

/** How many streams went. */
export async function pruneIntake(connection: Connection, before: string): Promise<number> {
  const values = { before: Date.parse(before) };
  const old = untouchedStreams('intake', '{before:Float64}');
  const [row] = await connection.all(`SELECT count() FROM (${old})`, values);
  const count = Number(row?.[0]);
  if (count > 0) await connection.remove('intake', `(project, stream) IN (${old})`, values);
  return count;
}
