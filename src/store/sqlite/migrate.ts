import { AssayError } from '../../errors.ts';
import { sessionKey } from '../../session/session-key.ts';
import type { Connection } from './connection.ts';
import { plainFacts } from './deflated-facts.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { planMove } from './move-sessions.ts';
import { addRunChecksums } from './runs.ts';
import { deriveSessions } from './session-cells.ts';
import { defineLinks } from './session-links.ts';
import { turnsIn } from './stored-session.ts';

/** 'Assa': says in the header of the file whose it is. */
export const APPLICATION_ID = 0x41737361;

/** How many migrations the file has; 0 is an empty file. Refuses a foreign file and one from a newer version. */
export function inspect(connection: Connection, migrations: readonly Migration[] = MIGRATIONS): number {
  // One transaction, or a store that is being created next door could look foreign.
  return connection.transaction(() => countApplied(connection, migrations), 'BEGIN');
}

/**
 * Applies what is missing, all of it or nothing, and returns the numbers. Whoever is second finds nothing to do. What
 * takes as long as there are sessions is only begun: `moveSessions` does it.
 */
export function migrate(
  connection: Connection,
  migrations: readonly Migration[] = MIGRATIONS,
): readonly number[] {
  return connection.transaction(() => {
    const applied = countApplied(connection, migrations);
    if (applied === 0) {
      connection.exec(`
        PRAGMA application_id = ${APPLICATION_ID};
        CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;
      `);
    }
    connection.define('session_key', (...parts) => sessionKeyOf(parts));
    connection.define('pack_facts', (facts) => plainFacts(String(facts)));
    defineLinks(connection);
    connection.define('turns_in', turnsIn);
    const missing = migrations.slice(applied);
    const numbers = missing.map(({ name, sql }, i) => {
      const number = applied + i + 1;
      connection.exec(sql);
      connection.run('INSERT INTO migration (number, name, applied_at) VALUES (?, ?, ?)', [
        number,
        name,
        new Date().toISOString(),
      ]);
      return number;
    });
    const hadChecksums = !missing.some(({ checksums }) => checksums);
    if (!hadChecksums) addRunChecksums(connection);
    if (missing.some(({ moves }) => moves))
      planMove(connection, { hadChecksums, derive: missing.some(({ derive }) => derive) });
    else if (missing.some(({ sums }) => sums)) deriveSessions(connection);
    return numbers;
  });
}

/** Of a row from before sessions had keys: its source, path and id. */
function sessionKeyOf([source, path, sessionId]: readonly unknown[]): string {
  return sessionKey(String(source), String(path ?? ''), String(sessionId));
}

/** A newer version may have migrated the file while this process had it open. */
export function assertNotNewer(connection: Connection): void {
  const latest = connection.get('SELECT max(number) FROM migration')?.[0];
  if (latest !== MIGRATIONS.length) countApplied(connection, MIGRATIONS);
}

function countApplied(connection: Connection, migrations: readonly Migration[]): number {
  const { path } = connection;
  const owner = connection.get('PRAGMA application_id')?.[0];
  if (owner === 0 && connection.get('SELECT count(*) FROM sqlite_schema')?.[0] === 0) return 0;
  if (owner !== APPLICATION_ID) {
    throw new AssayError('STORE_CORRUPT', `${path} is a SQLite database, but not an Assay store`);
  }
  const numbers = connection.all('SELECT number FROM migration ORDER BY number').map((row) => row[0]);
  if (numbers.length === 0 || numbers.some((number, i) => number !== i + 1 && i < migrations.length)) {
    throw new AssayError('STORE_CORRUPT', `${path} is damaged: its list of migrations has gaps`);
  }
  if (numbers.length > migrations.length) {
    throw new AssayError(
      'STORE_NEWER',
      `${path} has migration ${numbers.at(-1)}; this version of Assay knows ${migrations.length}`,
    );
  }
  return numbers.length;
}
