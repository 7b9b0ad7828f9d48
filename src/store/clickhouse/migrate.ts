/** Brings a database to the schema of this version. Several processes may do so at once: every statement may be repeated. */
import { AssayError } from '../../errors.ts';
import type { ServerPlace } from './address.ts';
import type { Connection } from './connection.ts';
import { clusterForm, type Form, ONE_SERVER, STEPS } from './schema.ts';

function formOf({ place }: Connection): Form {
  return place.cluster === undefined ? ONE_SERVER : clusterForm(place.cluster, place.database);
}

export async function migrate(connection: Connection): Promise<void> {
  const version = await versionOf(connection);
  if (version > STEPS.length) {
    throw newerStore(connection.place, version);
  }
  if (version === STEPS.length) return;
  const form = formOf(connection);
  for (const [i, step] of STEPS.entries()) {
    if (i < version) continue;
    for (const statement of step(form)) await connection.run(statement);
    await connection.insert('schema_step', ['step', 'at'], [[i + 1, new Date().toISOString()]]);
  }
}

export function newerStore({ address }: ServerPlace, version: number): AssayError {
  return new AssayError(
    'STORE_NEWER',
    `${address} has schema ${version}; this version of Assay knows ${STEPS.length}`,
  );
}

async function versionOf(connection: Connection): Promise<number> {
  const { everywhere, engine, part, whole } = formOf(connection);
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${part('schema_step')}${everywhere} (step UInt32, at String)
     ENGINE = ${engine('schema_step', 'Replacing', '')} ORDER BY step`,
  );
  for (const statement of whole('schema_step', 'step')) await connection.run(statement);
  const [row] = await connection.all('SELECT max(step) FROM schema_step');
  return Number(row?.[0] ?? 0);
}
