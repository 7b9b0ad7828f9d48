/** One ClickHouse, asked over HTTP. Values travel as parameters, never inside the text of a statement. */
import { randomUUID } from 'node:crypto';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ServerPlace } from './address.ts';
import { toAssayError } from './clickhouse-error.ts';

type Value = string | number | readonly string[] | readonly bigint[];
export type Values = Readonly<Record<string, Value>>;
export type RowValues = readonly unknown[];

const SETTINGS = {
  insert_deduplicate: 1,
  // Answers when the rows and their rollups are on disk. Batching would delay a single writer.
  async_insert: 0,
  // A view takes a batch whole or not at all, as its table does.
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // Whole numbers beyond 2^53 come as text.
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 0,
} as const;

const OF_A_CLUSTER = {
  // Acknowledged when every shard has its rows on the disk.
  distributed_foreground_insert: 1,
  // The rows that filter a query may be on another shard.
  distributed_product_mode: 'global',
  // What is added up over shards is filed in one place.
  parallel_distributed_insert_select: '0',
  // An answer without one of the shards would be wrong.
  skip_unavailable_shards: 0,
  // All clients read the same replica of a shard while it is up, so that they read what they wrote.
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
} as const;

const TIMEOUT_MS = 60_000;
/** A batch whose answer was lost is sent again under its token. */
const TRIES = 3;

export class Connection {
  readonly place: ServerPlace;
  readonly #clients: readonly ClickHouseClient[];
  #first = 0;
  #isOpen = true;

  constructor(place: ServerPlace) {
    this.place = place;
    this.#clients = place.urls.map((url) => clientOf(place, url));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** All rows at once; for answers known to be small. */
  async all(sql: string, values: Values = {}): Promise<readonly RowValues[]> {
    return this.#ask(async (client) => {
      const answer = await client.query({ query: sql, query_params: values, format: 'JSONCompactEachRow' });
      return answer.json<RowValues>();
    });
  }

  /** One row after the other; the answer is of the moment of the question. */
  async *iterate(sql: string, values: Values = {}): AsyncGenerator<RowValues> {
    const answer = await this.#ask((client) =>
      client.query({ query: sql, query_params: values, format: 'JSONCompactEachRow' }),
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
    await this.#ask((client) => client.command({ query: sql, query_params: values }));
  }

  /** Resolves when no query returns them any more. */
  async remove(table: string, condition: string, values: Values = {}): Promise<void> {
    const part = this.place.cluster === undefined ? table : `${table}_part`;
    const query = `DELETE FROM ${part} WHERE ${condition}
      SETTINGS lightweight_deletes_sync = 2, allow_nondeterministic_mutations = 1`;
    for (const client of this.#clients)
      await this.#guard(() => client.command({ query, query_params: values }));
  }

  /** Whole or not at all on each server, and once, however often it has to be sent. Of several batches of one token the first is taken. */
  async insert(
    table: string,
    columns: readonly string[],
    rows: readonly RowValues[],
    token: string = randomUUID(),
  ): Promise<void> {
    if (rows.length === 0) return;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#ask((client) =>
          client.insert({
            table,
            columns: columns as [string, ...string[]],
            values: rows,
            format: 'JSONCompactEachRow',
            clickhouse_settings: { insert_deduplication_token: token },
          }),
        );
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
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  /** The first server that answers, and from then on that one. */
  async #ask<T>(work: (client: ClickHouseClient) => Promise<T>): Promise<T> {
    const { length } = this.#clients;
    for (let tried = 1; ; tried += 1) {
      const client = this.#clients[this.#first] as ClickHouseClient;
      try {
        return await work(client);
      } catch (error) {
        if (error instanceof ClickHouseError || tried >= length) throw toAssayError(error, this.place);
        if (this.#clients[this.#first] === client) this.#first = (this.#first + 1) % length;
      }
    }
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toAssayError(error, this.place);
    }
  }
}

function clientOf(place: ServerPlace, url: string): ClickHouseClient {
  return createClient({
    url,
    username: place.username,
    password: place.password,
    database: place.database,
    request_timeout: TIMEOUT_MS,
    compression: { request: false, response: true },
    clickhouse_settings: { ...SETTINGS, ...(place.cluster !== undefined && OF_A_CLUSTER) },
    // Long lists of keys do not fit into an address.
    use_multipart_params_auto: true,
    keep_alive: { enabled: true },
    application: 'assay',
    log: { level: ClickHouseLogLevel.OFF },
  });
}
