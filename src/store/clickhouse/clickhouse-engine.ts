/** How ClickHouse answers the questions of `sql/`. */
import type { Dialect, Engine, Row, Values } from '../sql/engine.ts';
import type { Connection } from './connection.ts';

export const CLICKHOUSE: Dialect = {
  parameter: (name, value) =>
    `{${name}:${Array.isArray(value) ? 'Array(String)' : typeof value === 'number' ? 'Float64' : 'String'}}`,
  current: (table) => `${table} FINAL`,
  contains: (text, part) => `position(${text}, ${part}) > 0`,
  endsWith: (text, end) => `endsWith(${text}, ${end})`,
  lower: (text) => `lowerUTF8(${text})`,
  unpack: (value) => (typeof value === 'string' ? value : undefined),
  countBins: (bins) => {
    const numbers = `arrayMap(bin -> toUInt16(bin), splitByChar(',', substring(${bins}, 2)))`;
    return `toJSONString(sumMap(mapFromArrays(${numbers}, arrayMap(_ -> toUInt64(1), ${numbers}))))`;
  },
  sessions: {
    key: 'session_key',
    keys: () => 'session FINAL',
    summaries: 'session FINAL',
    whole: 'session FINAL',
    named: (condition) => `(${condition})`,
  },
};

export class ClickHouseEngine implements Engine {
  readonly dialect = CLICKHOUSE;
  readonly #connection: () => Connection;
  readonly address: string;

  /** The connection, unless it is closed. */
  constructor(address: string, connection: () => Connection) {
    this.address = address;
    this.#connection = connection;
  }

  async all(sql: string, values: Values = {}): Promise<readonly Row[]> {
    return this.#connection().all(sql, values);
  }

  async *iterate(sql: string, values: Values = {}): AsyncGenerator<Row> {
    yield* this.#connection().iterate(sql, values);
  }
}
