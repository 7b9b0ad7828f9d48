import fc from 'fast-check';
import { expect, it } from 'vitest';
import { story } from '../testing/session-story.ts';
import { Connection, MEMORY } from './connection.ts';
import { migrate } from './migrate.ts';
import { pruneStep } from './prune.ts';
import { deriveSessions } from './session-cells.ts';
import { appendSessions } from './sessions.ts';

/** Everything that is derived from the rows of sessions. */
function derived(connection: Connection) {
  return {
    current: connection.all(
      'SELECT session_key, revision, current FROM session ORDER BY session_key, revision',
    ),
    cells: connection
      .all(
        `SELECT key, session_cell.cube, bucket, sums FROM session_cell LEFT JOIN session_group ON session_group.id = cell_group
       ORDER BY session_cell.cube, bucket, key`,
      )
      .map((row) => [...row]),
  };
}

it('keeps flags and sums as if they were worked out anew after every step', () =>
  fc.assert(
    fc.property(story, fc.integer({ min: 1, max: 8 }), (chapters, size) => {
      const connection = new Connection(MEMORY, 'write');
      try {
        migrate(connection);
        for (const chapter of chapters) {
          if ('before' in chapter) while (!pruneStep(connection, 'sessions', chapter.before).done);
          else
            for (let i = 0; i < chapter.rows.length; i += size)
              appendSessions(connection, chapter.rows.slice(i, i + size));
          const kept = derived(connection);
          deriveSessions(connection);
          expect(kept).toEqual(derived(connection));
        }
      } finally {
        connection.close();
      }
    }),
    { numRuns: 150 },
  ));
