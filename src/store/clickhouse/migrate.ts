/**
 * Migrates every server to the schema of this version. An older version changes nothing and works as long as it knows
 * the required steps. Several processes may migrate at once: every statement can be repeated, and a step is recorded on
 * the server where it was done, so that a server added later gets all of them.
 */
import { AssayError } from '../../errors.ts';
import type { StoreState } from '../upkeep.ts';
import { placeOf, type ServerPlace } from './address.ts';
import { Connection } from './connection.ts';
import { clusterForm, type Form, OLDEST_READER, ONE_SERVER, STEPS } from './schema.ts';

/** `known`: the steps of this version; an older one has fewer. */
export async function migrate(place: ServerPlace, known = STEPS.length): Promise<void> {
  const states = await Promise.all(
    place.urls.map((url) =>
      stateOf({ ...place, urls: [url] }, known).catch((error: AssayError) => ({
        server: undefined,
        version: error,
      })),
    ),
  );
  const failures = states.map(({ version }) => version).filter((version) => version instanceof AssayError);
  const behind = states.filter(({ version }) => typeof version === 'number' && version < known);
  const isAllGone = failures.length === states.length;
  // A server that is away has to be there only while there is something to change.
  const [failure] = failures.filter(
    ({ code }) => isAllGone || behind.length > 0 || code !== 'STORE_UNREACHABLE',
  );
  if (failure !== undefined) throw failure;
  for (const { server, version } of behind)
    if (server !== undefined) await migrateServer(server, version as number, known, place.urls.length);
}

type State = { readonly server: ServerPlace; readonly version: number };

/** The last step that was done on a server. */
async function stateOf(server: ServerPlace, steps: number): Promise<State> {
  return outside(server, async (connection) => {
    const { database } = server;
    const [known] = await connection.all(
      "SELECT 1 FROM system.tables WHERE database = {database:String} AND name = 'schema_step'",
      { database },
    );
    if (known === undefined) return { server, version: 0 };
    const [row] = await connection.all(`SELECT max(step) FROM \`${database}\`.schema_step`);
    const version = Number(row?.[0] ?? 0);
    await refuseNewer(connection, server, version, steps);
    return { server, version };
  });
}

/** The number of steps a version has to know; all of them where it is not recorded. */
async function oldestReader(connection: Connection, database: string): Promise<number> {
  const [noted] = await connection.all(
    "SELECT 1 FROM system.tables WHERE database = {database:String} AND name = 'schema_reader'",
    { database },
  );
  if (noted === undefined) return Number.POSITIVE_INFINITY;
  const [row] = await connection.all(`SELECT max(steps) FROM \`${database}\`.schema_reader`);
  return Number(row?.[0] ?? Number.POSITIVE_INFINITY);
}

/** A schema that this version cannot do with. */
async function refuseNewer(
  connection: Connection,
  { address, database }: ServerPlace,
  version: number,
  known = STEPS.length,
): Promise<void> {
  if (version <= known) return;
  const oldest = await oldestReader(connection, database);
  if (oldest <= known) return;
  const needed = Number.isFinite(oldest) ? `, which requires a version that supports ${oldest}` : '';
  throw new AssayError(
    'STORE_NEWER',
    `${address} has schema ${version}${needed}; this version of Assay supports ${known}`,
  );
}

/** Asks a server on which the database may be missing. */
async function outside<T>(server: ServerPlace, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new Connection({ ...server, database: 'default' });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function migrateServer(
  server: ServerPlace,
  version: number,
  known: number,
  named: number,
): Promise<void> {
  const form = await outside(server, async (connection) => {
    const found = await formOf(connection, server, named);
    await connection.run(`CREATE DATABASE IF NOT EXISTS \`${server.database}\``);
    return found;
  });
  const connection = new Connection(server);
  try {
    for (const [i, step] of STEPS.slice(0, known).entries()) {
      if (i < version) continue;
      for (const statement of step(form)) await connection.run(statement);
      await connection.run(
        'CREATE TABLE IF NOT EXISTS schema_step (step UInt32, at String) ENGINE = ReplacingMergeTree ORDER BY step',
      );
      await connection.insert('schema_step', ['step', 'at'], [[i + 1, new Date().toISOString()]]);
    }
    await connection.run(
      'CREATE TABLE IF NOT EXISTS schema_reader (steps UInt32, at String) ENGINE = ReplacingMergeTree ORDER BY steps',
    );
    const oldest = Math.min(known, OLDEST_READER);
    await connection.insert('schema_reader', ['steps', 'at'], [[oldest, new Date().toISOString()]]);
  } finally {
    await connection.close();
  }
}

async function formOf(
  connection: Connection,
  { address, database, cluster }: ServerPlace,
  named: number,
): Promise<Form> {
  if (cluster === undefined) return ONE_SERVER;
  const [row] = await connection.all(
    `SELECT count(), max(replica_num), (SELECT count() FROM system.macros WHERE macro IN ('shard', 'replica'))
     FROM system.clusters WHERE cluster = {cluster:String}`,
    { cluster },
  );
  const [servers, copies, macros] = (row ?? []).map(Number) as [number, number, number];
  const wrong = (why: string, remedy: string) =>
    new AssayError('STORE_UNREADABLE', `${address} ${why}`, { remedy });
  if (servers === 0) throw wrong(`has no cluster ${cluster}`, 'Name it in remote_servers of every server.');
  if (servers !== named)
    throw wrong(
      `has ${servers} servers in the cluster ${cluster}, and the address names ${named}`,
      'List every server of the cluster, including each replica of a shard, separated by commas.',
    );
  if (copies > 1 && macros < 2)
    throw wrong(
      'has shards with several replicas, but no macros shard and replica, so replicas would not synchronise',
      'Set the macros shard and replica on every server, and Keeper with them.',
    );
  return clusterForm(cluster, database, macros === 2);
}

/** Only looks: no database is made and nothing is migrated. */
export async function inspectClickHouse(address: string): Promise<StoreState> {
  const place = placeOf(address);
  const connection = new Connection({ ...place, database: 'default' });
  try {
    const tables = await connection.all(
      'SELECT name, total_bytes FROM system.tables WHERE database = {database:String}',
      { database: place.database },
    );
    const exists = tables.some(([name]) => name === 'schema_step');
    const [row] = exists
      ? await connection.all(`SELECT max(step) FROM \`${place.database}\`.schema_step`)
      : [];
    const applied = Number(row?.[0] ?? 0);
    await refuseNewer(connection, place, applied);
    return {
      backend: 'ClickHouse',
      address: place.address,
      exists,
      schema: { applied, known: STEPS.length },
      bytes: tables.reduce((sum, [, bytes]) => sum + Number(bytes ?? 0), 0),
    };
  } finally {
    await connection.close();
  }
}
