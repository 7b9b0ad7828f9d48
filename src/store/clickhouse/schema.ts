/**
 * The schema, one text for one server and for a cluster. A step is never changed once it was released; a new one is added
 * at the end. In a cluster each table is one per shard (`<name>_part`) with another over all of them (`<name>`); records
 * lie on the shard of their key, so that those of one key meet. Every statement is run on every server.
 */

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

type Keyed = {
  readonly name: string;
  readonly key: string;
  readonly columns: string;
};

const KEYED: readonly Keyed[] = [
  {
    name: 'rating',
    key: 'rating_id',
    columns: 'kind String, subject_id String, author String, rating Float64, note Nullable(String)',
  },
  {
    name: 'approval',
    key: 'approval_id',
    columns: `instrument String, run_id String, baseline_run_id String, metric String, reason String, who String`,
  },
  {
    name: 'alert',
    key: 'alert_id',
    columns: 'instrument String, severity String, rule String, subject String, message String',
  },
  {
    name: 'alert_event',
    key: 'event_id',
    columns: 'alert_id String, state String, until Nullable(String), who String, why Nullable(String)',
  },
  {
    name: 'feedback',
    key: 'feedback_id',
    columns: `instrument String, output_id String, item Nullable(String), run_id Nullable(String),
      thumb Nullable(String), score Nullable(Float64), comment Nullable(String), author String`,
  },
  { name: 'delivery', key: 'delivery_id', columns: 'target String, body String' },
  {
    name: 'delivery_attempt',
    key: 'attempt_id',
    columns: 'delivery_id String, outcome String, why Nullable(String)',
  },
  {
    name: 'decomposition_text',
    key: 'id',
    columns: 'text String CODEC(ZSTD(3)), output Nullable(String) CODEC(ZSTD(3))',
  },
  {
    name: 'run',
    key: 'run_id',
    columns: `instrument String, subject String, scorer String, truth_hash Nullable(String), verdict String,
      judgement Nullable(String), facts Nullable(String), metrics Map(String, String),
      cases Array(String) CODEC(ZSTD(3)), case_count UInt32, has_errors UInt8`,
  },
];

/**
 * Of two contents under one key, which only two writers at once can bring about, the one with the smaller hash is the
 * record, for every reader.
 */
function keyedTables(form: Form, tables: readonly Keyed[]): string[] {
  return tables.flatMap(({ name, key, columns }) => [
    `CREATE TABLE IF NOT EXISTS ${form.part(name)} (
       ${key} String, at String, ${columns},
       content_hash String,
       precedence UInt64 MATERIALIZED bitNot(reinterpretAsUInt64(reverse(unhex(substring(content_hash, 1, 16)))))
     ) ENGINE = ${form.engine(name, 'Replacing', 'precedence')} ORDER BY ${key} ${DURABLE}`,
    ...form.whole(name, `cityHash64(${key})`),
  ]);
}

/** The hour and the day of a session without a start. */
export const NO_HOUR = -2147483648;

/**
 * Sessions lie by the hour of their start, so that a period is one stretch of them. `version` is when it was scored, then
 * the beginning of its revision: the greatest is current. A session whose start moved leaves a trace behind, a
 * deleted row.
 */
function sessionTables(form: Form): string[] {
  const { part } = form;
  const view = (name: string, to: string, select: string) =>
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${part(name)} TO ${part(to)} AS ${select}`;
  return [
    `CREATE TABLE IF NOT EXISTS ${part('session')} (
       session_key String, revision String, scored_at Int64 CODEC(Delta, ZSTD), hour Int32 CODEC(Delta, ZSTD),
       session_id String, parent_session_id Nullable(String),
       source LowCardinality(String), agent LowCardinality(Nullable(String)), task_type LowCardinality(String),
       model LowCardinality(Nullable(String)), other_models LowCardinality(Nullable(String)),
       tier LowCardinality(Nullable(String)), project LowCardinality(Nullable(String)),
       started_at Nullable(Int64), ended_at Nullable(Int64),
       q Nullable(Float64), special_case LowCardinality(Nullable(String)),
       completion Nullable(Float64), execution Nullable(Float64), efficiency Nullable(Float64), outcome Nullable(Float64),
       coverage Float64,
       input_tokens Nullable(Float64), output_tokens Nullable(Float64),
       cache_read_tokens Nullable(Float64), cache_write_tokens Nullable(Float64),
       turns Nullable(Float64), tool_calls Nullable(Float64), tool_errors Nullable(Float64), compactions Nullable(Float64),
       cost_usd Nullable(Float64), cost_at_least Nullable(Float64), roi Nullable(Float64), concern Nullable(Float64),
       runs Float64, skipped_lines Float64,
       scorer_version LowCardinality(String), weights LowCardinality(Nullable(String)),
       baseline_set LowCardinality(Nullable(String)), prices LowCardinality(Nullable(String)),
       task_type_reason LowCardinality(Nullable(String)), delegation_quality Nullable(Float64),
       path Nullable(String) CODEC(ZSTD(3)), work LowCardinality(Nullable(String)), judged_on Nullable(String),
       concern_why Nullable(String) CODEC(ZSTD(3)), low_why Nullable(String) CODEC(ZSTD(3)),
       instance Nullable(String), place Nullable(Float64),
       facts String CODEC(ZSTD(6)),
       sums Array(Int64) CODEC(ZSTD(3)), bins Array(UInt8),
       label UInt64 MATERIALIZED cityHash64(source, ifNull(agent, ''), isNull(agent), task_type, ifNull(model, ''),
         isNull(model), ifNull(other_models, ''), isNull(other_models)),
       day Int32 MATERIALIZED if(hour = ${NO_HOUR}, hour, toInt32(floor(hour / 24))),
       version UInt256, is_deleted UInt8, is_trace UInt8,
       INDEX by_id session_id TYPE bloom_filter(0.001) GRANULARITY 1,
       INDEX by_parent parent_session_id TYPE bloom_filter(0.001) GRANULARITY 1
     ) ENGINE = ${form.engine('session', 'Replacing', 'version, is_deleted')}
     ORDER BY (hour, session_key) ${DURABLE}`,
    ...form.whole('session', 'cityHash64(session_key)'),

    // Where a session lies, and which of its revisions are known. Of one that is not done it is not known whether all that
    // follows from it was written.
    `CREATE TABLE IF NOT EXISTS ${part('session_place')} (
       session_key String, revision String, scored_at Int64, hour Int32, is_done UInt8,
       standing Int64 MATERIALIZED scored_at * 2 + is_done
     ) ENGINE = ${form.engine('session_place', 'Replacing', 'standing')}
     ORDER BY (session_key, revision, hour) ${DURABLE}`,
    ...form.whole('session_place', 'cityHash64(session_key)'),
    view(
      'session_placed',
      'session_place',
      `SELECT session_key, revision, scored_at, hour, 0 AS is_done FROM ${part('session')} WHERE is_trace = 0`,
    ),

    // The sessions that are being deleted, by who deletes them: a list that does not change while it is worked off.
    `CREATE TABLE IF NOT EXISTS ${part('session_pruning')} (
       batch String, session_key String
     ) ENGINE = ${form.engine('session_pruning', '', '')} ORDER BY (batch, session_key)`,
    ...form.whole('session_pruning', 'cityHash64(session_key)'),

    // The names that sessions have in common: few, whatever the number of sessions.
    `CREATE TABLE IF NOT EXISTS ${part('session_label')} (
       label UInt64, source String, agent Nullable(String), task_type String, model Nullable(String),
       other_models Nullable(String)
     ) ENGINE = ${form.engine('session_label', 'Replacing', '')} ORDER BY label`,
    ...form.whole('session_label', 'label'),
    view(
      'session_labelled',
      'session_label',
      `SELECT DISTINCT label, source, agent, task_type, model, other_models FROM ${part('session')} WHERE is_trace = 0`,
    ),
    `CREATE TABLE IF NOT EXISTS ${part('session_project')} (
       project String
     ) ENGINE = ${form.engine('session_project', 'Replacing', '')} ORDER BY project`,
    ...form.whole('session_project', 'cityHash64(project)'),
    view(
      'session_projected',
      'session_project',
      `SELECT DISTINCT assumeNotNull(project) AS project FROM ${part('session')} WHERE project IS NOT NULL`,
    ),

    // Sums by day and by what sessions have in common. Each is worked out from the rows when a day has come to rest; a
    // day into which rows were written since, which the number of its rows tells, is added up from the rows.
    `CREATE TABLE IF NOT EXISTS ${part('session_touch')} (
       day Int32, rows UInt64
     ) ENGINE = ${form.engine('session_touch', 'Summing', '')} ORDER BY day ${DURABLE}`,
    ...form.whole('session_touch', 'day'),
    view(
      'session_touched',
      'session_touch',
      `SELECT day, count() AS rows FROM ${part('session')} GROUP BY day`,
    ),
    `CREATE TABLE IF NOT EXISTS ${part('session_cell')} (
       day Int32, rows UInt64, label UInt64,
       source LowCardinality(String), agent LowCardinality(Nullable(String)), task_type LowCardinality(String),
       model LowCardinality(Nullable(String)), other_models LowCardinality(Nullable(String)),
       project LowCardinality(Nullable(String)), project_key String MATERIALIZED ifNull(concat('=', project), ''),
       sums Array(Int64) CODEC(ZSTD(3)), bins Map(UInt8, UInt64) CODEC(ZSTD(3))
     ) ENGINE = ${form.engine('session_cell', 'Replacing', '')} ORDER BY (day, rows, label, project_key) ${DURABLE}`,
    ...form.whole('session_cell', 'day'),
    `CREATE TABLE IF NOT EXISTS ${part('session_rolled')} (
       day Int32, rows UInt64
     ) ENGINE = ${form.engine('session_rolled', 'Replacing', 'rows')} ORDER BY day ${DURABLE}`,
    ...form.whole('session_rolled', 'day'),
  ];
}

/** What is filed of a request that a sum came with. */
const SUMS_OF_REQUESTS = `SELECT concat(substring(at, 1, 16), ':00.000Z') AS at,
  ifNull(prompt_version, '') AS prompt_version, ifNull(model, '') AS model, id, sums`;

/**
 * Requests of a decomposition service. With a batch come its sums by the minute, each on the first request that it is made
 * of, so that they are written together; a view files them by themselves.
 */
function productionTables(form: Form): string[] {
  const { part } = form;
  return [
    `CREATE TABLE IF NOT EXISTS ${part('decomposition')} (
       id String, at String, status LowCardinality(String), error_kind Nullable(String), latency_ms Nullable(Float64),
       cost_usd Nullable(Float64), input_tokens Nullable(Float64), output_tokens Nullable(Float64),
       model LowCardinality(Nullable(String)), prompt_version LowCardinality(Nullable(String)),
       topic Nullable(String), text_hash Nullable(String), text_length Nullable(Float64), concepts Nullable(Float64),
       relationships Nullable(Float64), confidence Nullable(String), predicates Nullable(String),
       sample Nullable(String), quotes Nullable(String), unmentioned Nullable(String), experiment Nullable(String),
       content_hash String, sums String CODEC(ZSTD(3)),
       INDEX by_time at TYPE minmax GRANULARITY 1
     ) ENGINE = ${form.engine('decomposition', 'Replacing', '')} ORDER BY id ${DURABLE}`,
    ...form.whole('decomposition', 'cityHash64(id)'),
    `CREATE TABLE IF NOT EXISTS ${part('production_sum')} (
       at String, prompt_version LowCardinality(String), model LowCardinality(String), id String, sums String CODEC(ZSTD(3))
     ) ENGINE = ${form.engine('production_sum', 'Replacing', '')}
     ORDER BY (at, prompt_version, model, id) ${DURABLE}`,
    ...form.whole('production_sum', 'cityHash64(id)'),
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${part('production_summed')} TO ${part('production_sum')} AS
     ${SUMS_OF_REQUESTS} FROM ${part('decomposition')} WHERE sums != ''`,
    // Up to when requests were deleted: there are no sums by the minute before.
    `CREATE TABLE IF NOT EXISTS ${part('production_pruned')} (
       before String
     ) ENGINE = ${form.engine('production_pruned', 'Replacing', '')} ORDER BY before`,
    ...form.whole('production_pruned', 'cityHash64(before)'),
  ];
}

/**
 * What agents sent, by the file that it is a part of; and what came when, without what it says, for the servers that ask every
 * moment. The time is the server's own.
 */
function sentTables(form: Form): string[] {
  const { part } = form;
  const note = 'file String, key String, content_hash String, length UInt32';
  const received = 'received_at Int64 DEFAULT toUnixTimestamp64Milli(now64(3))';
  return [
    `CREATE TABLE IF NOT EXISTS ${part('sent')} (
       ${note}, byte_offset Nullable(Int64), sealed String CODEC(NONE), ${received}
     ) ENGINE = ${form.engine('sent', 'Replacing', 'received_at')} ORDER BY (file, key, content_hash) ${DURABLE}`,
    ...form.whole('sent', 'cityHash64(file)'),
    `CREATE TABLE IF NOT EXISTS ${part('sent_note')} (
       ${note}, received_at Int64
     ) ENGINE = ${form.engine('sent_note', 'Replacing', '')}
     ORDER BY (received_at, file, key, content_hash) ${DURABLE}`,
    ...form.whole('sent_note', 'cityHash64(file)'),
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${part('sent_noted')} TO ${part('sent_note')} AS
     SELECT file, key, content_hash, length, received_at FROM ${part('sent')}`,
  ];
}

/** How they are filed. */
export const SUMS_OF_PROJECTS = `SELECT concat(substring(at, 1, 16), ':00.000Z') AS at,
  ifNull(prompt_version, '') AS prompt_version, ifNull(model, '') AS model, ifNull(project, '') AS project, id, sums`;

const AUDIT: Keyed = {
  name: 'audit',
  key: 'audit_id',
  columns: `who String, token_id Nullable(String), origin LowCardinality(String), what LowCardinality(String),
    target Nullable(String), outcome LowCardinality(String), status Nullable(Float64), times Float64,
    previous Nullable(String), previous_at Nullable(String), project Nullable(String)`,
};

/** Whose a record is. A sum of requests is one of a project: none, whose name is empty, before there were any. */
function projectColumns({ part }: Form): string[] {
  const owned = [
    'rating',
    'approval',
    'alert',
    'alert_event',
    'feedback',
    'delivery',
    'run',
    'decomposition',
  ];
  const add = (table: string, type: string) =>
    [...new Set([part(table), table])].map(
      (name) => `ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS project ${type}`,
    );
  return [
    ...owned.flatMap((table) => add(table, 'Nullable(String)')),
    ...add('production_sum', 'LowCardinality(String)'),
    `ALTER TABLE ${part('production_summed')} MODIFY QUERY
     ${SUMS_OF_PROJECTS}
     FROM ${part('decomposition')} WHERE sums != ''`,
  ];
}

/**
 * What the sessions of a day were scored with, worked out with the sums of the day, and the days for which both are. Servers of
 * the version before work out sums alone and note that in `session_rolled`, which nobody else reads.
 */
function sumTables(form: Form): string[] {
  const { part } = form;
  const key = (column: string) => `ifNull(concat('=', ${column}), '')`;
  return [
    `CREATE TABLE IF NOT EXISTS ${part('session_scoring')} (
       day Int32, rows UInt64, project LowCardinality(Nullable(String)),
       scorer_version LowCardinality(String), weights LowCardinality(Nullable(String)),
       baseline_set LowCardinality(Nullable(String)), prices LowCardinality(Nullable(String)),
       name_key Array(String) MATERIALIZED [${['project', 'weights', 'baseline_set', 'prices'].map(key).join(', ')}],
       sessions UInt64
     ) ENGINE = ${form.engine('session_scoring', 'Replacing', '')}
     ORDER BY (day, rows, scorer_version, name_key) ${DURABLE}`,
    ...form.whole('session_scoring', 'day'),
    `CREATE TABLE IF NOT EXISTS ${part('session_summed')} (
       day Int32, rows UInt64
     ) ENGINE = ${form.engine('session_summed', 'Replacing', 'rows')} ORDER BY day ${DURABLE}`,
    ...form.whole('session_summed', 'day'),
    // Days that are at rest, added up by month under the first of it, and as of how many rows.
    `CREATE TABLE IF NOT EXISTS ${part('session_month')} (
       day Int32, rows UInt64, label UInt64,
       source LowCardinality(String), agent LowCardinality(Nullable(String)), task_type LowCardinality(String),
       model LowCardinality(Nullable(String)), other_models LowCardinality(Nullable(String)),
       project LowCardinality(Nullable(String)), project_key String MATERIALIZED ${key('project')},
       sums Array(Int64) CODEC(ZSTD(3)), bins Map(UInt8, UInt64) CODEC(ZSTD(3))
     ) ENGINE = ${form.engine('session_month', 'Replacing', '')} ORDER BY (day, rows, label, project_key) ${DURABLE}`,
    ...form.whole('session_month', 'day'),
    `CREATE TABLE IF NOT EXISTS ${part('session_month_summed')} (
       day Int32, rows UInt64
     ) ENGINE = ${form.engine('session_month_summed', 'Replacing', 'rows')} ORDER BY day ${DURABLE}`,
    ...form.whole('session_month_summed', 'day'),
  ];
}

export const STEPS: readonly SchemaStep[] = [
  (form) => [...keyedTables(form, KEYED), ...sessionTables(form), ...productionTables(form)],
  // What the store remembers of its own upkeep: when what was deleted last.
  (form) => [
    `CREATE TABLE IF NOT EXISTS ${form.part('store_note')} (
       name String, at String, value String
     ) ENGINE = ${form.engine('store_note', 'Replacing', '')} ORDER BY name`,
    ...form.whole('store_note', 'cityHash64(name)'),
  ],
  projectColumns,
  sentTables,
  (form) => keyedTables(form, [AUDIT]),
  sumTables,
];

/**
 * A version that knows at least so many steps works over all of them: what came after only adds. A step that others could not do
 * without raises it, and a release before has to bring both ways of reading.
 */
export const OLDEST_READER = 6;
