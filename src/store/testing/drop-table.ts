import { changeStore } from './change-store.ts';

/** Leaves a store that takes everything but one kind of record. */
export function dropTable(path: string, table: string): void {
  changeStore(path, `DROP TABLE ${table}`);
}
