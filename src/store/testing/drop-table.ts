import { DatabaseSync } from 'node:sqlite';

/** Leaves a store that takes everything but one kind of record. */
export function dropTable(path: string, table: string): void {
  const database = new DatabaseSync(path);
  database.exec(`DROP TABLE ${table}`);
  database.close();
}
