/** One ClickHouse, asked over HTTP. Values travel as parameters, never inside the text of a statement. */
import { randomUUID } from 'node:crypto';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ServerPlace } from './address.ts';
import { toAssayError } from './clickhouse-error.ts';

export type Value = string | number | readonly string[] | readonly bigint[];
export type Values = Readonly<Record<string, Value>>;
export type RowValues = readonly unknown[];

const SETTINGS = {
  insert_deduplicate: 1,
  // A view takes a batch whole or not at all, as its table does.
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // Whole numbers beyond 2^53 come as text.
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 0,
} as const;

const TIMEOUT_MS = 60_000;
/** A batch whose answer was lost is sent again under its token. */
const TRIES = 3;

export class Connection {
  readonly place: ServerPlace;
  readonly #client: ClickHouseClient;
  #isOpen = true;

  constructor(place: ServerPlace) {
    this.place = place;
    this.#client = createClient({
      url: place.url,
      username: place.username,
      ...(place.password !== undefined && { password: place.password }),
      database: place.database,
      request_timeout: TIMEOUT_MS,
      compression: { request: false, response: true },
      clickhouse_settings: SETTINGS,
      // Long lists of keys do not fit into an address.
      use_multipart_params_auto: true,
      keep_alive: { enabled: true },
      application: 'assay',
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** All rows at once; for answers that are known to be small. */
  async all(sql: string, values: Values = {}): Promise<readonly RowValues[]> {
    return this.#guard(async () => {
      const answer = await this.#client.query({
        query: sql,
        query_params: values,
        format: 'JSONCompactEachRow',
      });
      return answer.json<RowValues>();
    });
  }

  /** One row after the other; the answer is of the moment of the question. */
  async *iterate(sql: string, values: Values = {}): AsyncGenerator<RowValues> {
    const answer = await this.#guard(() =>
      this.#client.query({ query: sql, query_params: values, format: 'JSONCompactEachRow' }),
    );
    try {
      for await (const rows of answer.stream<RowValues>()) for (const row of rows) yield row.json();
    } catch (error) {
      throw toAssayError(error, this.place);
    } finally {
      answer.close();
    }
  }

  async run(sql: string, values: Values = {}): Promise<void> {
    await this.#guard(() => this.#client.command({ query: sql, query_params: values }));
  }

  /** Resolves when nobody sees them any more. */
  async remove(table: string, condition: string, values: Values = {}): Promise<void> {
    const { cluster } = this.place;
    const where = cluster === undefined ? table : `${table}_part ON CLUSTER \`${cluster}\``;
    await this.run(`DELETE FROM ${where} WHERE ${condition} SETTINGS lightweight_deletes_sync = 2`, values);
  }

  /** Whole or not at all, and once, however often it has to be sent. Of several batches of one token the first is taken. */
  async insert(
    table: string,
    columns: readonly string[],
    rows: readonly RowValues[],
    token: string = randomUUID(),
  ): Promise<void> {
    if (rows.length === 0) return;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#client.insert({
          table,
          columns: columns as [string, ...string[]],
          values: rows,
          format: 'JSONCompactEachRow',
          clickhouse_settings: { insert_deduplication_token: token },
        });
        return;
      } catch (error) {
        const failure = toAssayError(error, this.place);
        if (failure.code !== 'STORE_UNREACHABLE' || tries === TRIES) throw failure;
        await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** tries));
      }
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#client.close();
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toAssayError(error, this.place);
    }
  }
}
