import type { StoreState } from '../upkeep.ts';
import { placeOf } from './address.ts';
import { Connection } from './connection.ts';
import { refuseNewer } from './migrate.ts';
import { STEPS } from './schema.ts';

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
