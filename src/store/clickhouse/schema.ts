/**
 * The schema, one text for a single server and a cluster. A released step never changes; new ones are added at the end.
 * In a cluster each table exists per shard (`<name>_part`) with a distributed one over them (`<name>`); rows are
 * sharded by their key, so that those of one key meet. Every statement runs on every server.
 */

import { SESSION_FIELDS } from '../schema/session.ts';
import { columnName, KEYED, RUN, type Table } from '../sql/tables.ts';

/** What a statement is made for. */
export type Form = {
  /** The table that holds rows. */
  readonly part: (table: string) => string;
  /** Its engine, replicated or not. */
  readonly engine: (table: string, family: string, parameters: string) => string;
  /** Statements that make the table over all shards; none on one server. */
  readonly whole: (table: string, shardedBy: string) => readonly string[];
};

export const ONE_SERVER: Form = {
  part: (table) => table,
  engine: (_, family, parameters) => `${family}MergeTree(${parameters})`,
  whole: () => [],
};

/** The shards of a cluster. With Keeper, each may have copies. */
export function clusterForm(cluster: string, database: string, isReplicated: boolean): Form {
  const copy = (table: string) => `'/clickhouse/tables/{shard}/${database}/${table}', '{replica}'`;
  return {
    part: (table) => `${table}_part`,
    engine: (table, family, parameters) =>
      isReplicated
        ? `Replicated${family}MergeTree(${[copy(table), parameters].filter(Boolean).join(', ')})`
        : ONE_SERVER.engine(table, family, parameters),
    whole: (table, shardedBy) => [
      `CREATE TABLE IF NOT EXISTS ${table} AS ${table}_part
       ENGINE = Distributed(\`${cluster}\`, \`${database}\`, ${table}_part, ${shardedBy})`,
    ],
  };
}

type SchemaStep = (form: Form) => readonly string[];

/** Written to the disk before it is acknowledged; a batch that is sent twice is taken once. */
const DURABLE = `SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 1000`;

/** Names of which there are few. */
const FEW = new Set([
  'source',
  'agent',
  'taskType',
  'model',
  'otherModels',
  'tier',
  'verified',
  'specialCase',
  'scorerVersion',
  'weights',
  'baselineSet',
  'prices',
  'taskTypeReason',
  'work',
]);

const LONG = new Set(['path', 'headline', 'receipts']);

const SESSION_COLUMNS = SESSION_FIELDS.map(({ name, kind, optional }) => {
  const plain = kind === 'number' ? 'Float64' : 'String';
  const type = optional ? `Nullable(${plain})` : plain;
  if (LONG.has(name)) return `${columnName(name)} ${type} CODEC(ZSTD(3))`;
  return `${columnName(name)} ${FEW.has(name) ? `LowCardinality(${type})` : type}`;
});

/**
 * Of two contents under one key, which only two writers at once can bring about, the one with the smaller hash is the
 * record, for every reader.
 */
function keyedTable(form: Form, table: Table, more = ''): string[] {
  const { name, key, fields } = table;
  const columns = fields.map((field, i) => `${columnName(field)} ${i < 2 ? 'String' : 'Nullable(String)'}`);
  return [
    `CREATE TABLE IF NOT EXISTS ${form.part(name)} (
       ${columns.join(', ')}, body String CODEC(ZSTD(3)), ${more}
       content_hash String,
       precedence UInt64 MATERIALIZED bitNot(reinterpretAsUInt64(reverse(unhex(substring(content_hash, 1, 16)))))
     ) ENGINE = ${form.engine(name, 'Replacing', 'precedence')} ORDER BY ${key} ${DURABLE}`,
    ...form.whole(name, `cityHash64(${key})`),
  ];
}

/**
 * `version` is the time of scoring followed by the start of the revision: the row with the greatest is current. Sums
 * are computed on query. A materialized view sees inserts only: it would count a session again on each update.
 */
function sessionTable({ part, engine, whole }: Form): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${part('session')} (
       ${SESSION_COLUMNS.join(', ')}, facts String CODEC(ZSTD(3)),
       start String MATERIALIZED ifNull(started_at, ''),
       version UInt256
     ) ENGINE = ${engine('session', 'Replacing', 'version')} ORDER BY session_key ${DURABLE}`,
    ...whole('session', 'cityHash64(session_key)'),
  ];
}

/** How sums of requests are filed. */
export const SUMS_OF_REQUESTS = `SELECT concat(substring(at, 1, 16), ':00.000Z') AS at,
  ifNull(prompt_version, '') AS prompt_version, ifNull(model, '') AS model, ifNull(project, '') AS project, id, sums`;

/**
 * Requests of a decomposition service. With a batch come its sums by the minute, each on the first request that it is made
 * of, so that they are written together; a view files them by themselves.
 */
function productionTables(form: Form): string[] {
  const { part, engine, whole } = form;
  return [
    ...keyedTable(form, KEYED.decompositions, 'sums String CODEC(ZSTD(3)),'),
    `CREATE TABLE IF NOT EXISTS ${part('production_sum')} (
       at String, prompt_version LowCardinality(String), model LowCardinality(String), project LowCardinality(String),
       id String, sums String CODEC(ZSTD(3))
     ) ENGINE = ${engine('production_sum', 'Replacing', '')}
     ORDER BY (at, prompt_version, model, id) ${DURABLE}`,
    ...whole('production_sum', 'cityHash64(id)'),
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${part('production_summed')} TO ${part('production_sum')} AS
     ${SUMS_OF_REQUESTS} FROM ${part('decomposition')} WHERE sums != ''`,
    // Up to when requests were deleted: there are no sums by the minute before.
    `CREATE TABLE IF NOT EXISTS ${part('production_pruned')} (
       before String
     ) ENGINE = ${engine('production_pruned', 'Replacing', '')} ORDER BY before`,
    ...whole('production_pruned', 'cityHash64(before)'),
  ];
}

/** Of rows with one key the one that came first counts. The time is the server's own. */
function intakeTable({ part, engine, whole }: Form): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${part('intake')} (
       project LowCardinality(String), stream String, key String, position Int64, length UInt32,
       content String CODEC(ZSTD(3)),
       received_at Int64 DEFAULT toUnixTimestamp64Milli(now64(3)),
       precedence UInt64 MATERIALIZED bitNot(toUInt64(received_at)),
       INDEX by_time received_at TYPE minmax GRANULARITY 1
     ) ENGINE = ${engine('intake', 'Replacing', 'precedence')} ORDER BY (project, stream, key) ${DURABLE}`,
    ...whole('intake', 'cityHash64(stream)'),
  ];
}

/** The time of the latest deletion of each kind. */
function noteTable({ part, engine, whole }: Form): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${part('store_note')} (
       name String, at String, value String
     ) ENGINE = ${engine('store_note', 'Replacing', '')} ORDER BY name`,
    ...whole('store_note', 'cityHash64(name)'),
  ];
}

/** The first makes everything. */
export const STEPS: readonly SchemaStep[] = [
  (form) => [
    ...Object.values(KEYED)
      .filter((table) => table !== KEYED.decompositions)
      .flatMap((table) => keyedTable(form, table)),
    ...keyedTable(form, RUN, 'cases String CODEC(ZSTD(3)),'),
    ...sessionTable(form),
    ...productionTables(form),
    ...intakeTable(form),
    ...noteTable(form),
  ],
];

/**
 * The oldest version that works over all steps: later steps only add. A step that breaks older versions raises it, and
 * the release before must read both forms.
 */
export const OLDEST_READER = 1;
