import { DatabaseSync } from 'node:sqlite';

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
