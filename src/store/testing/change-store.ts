import { DatabaseSync } from 'node:sqlite';

/** As somebody does who has the file and no Assay. */
export function changeStore(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
