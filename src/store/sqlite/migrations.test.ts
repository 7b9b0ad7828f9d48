import { expect, it } from 'vitest';
import { SESSION_FIELDS } from '../fields.ts';
import { Connection, MEMORY } from './connection.ts';
import { migrate } from './migrate.ts';
import { columnName } from './table.ts';

it('has a column for every declared column of a session, of its kind', () => {
  const connection = new Connection(MEMORY, 'write');
  try {
    migrate(connection);
    const columns = new Map(
      connection
        .all('SELECT name, type, "notnull" FROM pragma_table_info(\'session\')')
        .map(([name, type, required]) => [name, `${type}${required === 1 ? ' NOT NULL' : ''}`]),
    );
    for (const { name, kind, optional } of SESSION_FIELDS)
      expect([name, columns.get(columnName(name))]).toEqual([
        name,
        `${kind === 'number' ? 'REAL' : kind === 'json' ? 'BLOB' : 'TEXT'}${optional ? '' : ' NOT NULL'}`,
      ]);
  } finally {
    connection.close();
  }
});
