import { DatabaseSync } from 'node:sqlite';

/** Alters the file without Assay. */
export function changeStore(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** Leaves a store that takes everything but one kind of record. */
export function dropTable(path: string, table: string): void {
  changeStore(path, `DROP TABLE ${table}`);
}

/** Nobody else can write to a store until it is let go of. */
export function holdStore(path: string): { readonly letGo: () => void } {
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  return {
    letGo: () => {
      other.exec('ROLLBACK');
      other.close();
    },
  };
}
