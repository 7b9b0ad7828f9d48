import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it, vi } from 'vitest';
import { scanFile } from '../reading/read-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const folder = tempFolder();
afterEach(() => vi.restoreAllMocks());

/** Tables of an agent without any index, as somebody makes them who wants every question to go through all rows. */
const BARE: readonly [agent: string, sql: string][] = [
  [
    'crush',
    `CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, message_count INT, prompt_tokens INT,
       completion_tokens INT, cost REAL, created_at INT);
     CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INT);
     INSERT INTO sessions (id, created_at) VALUES ('a', 1767261600), ('b', 1767261600);
     INSERT INTO messages (id, session_id, role, parts, created_at)
       VALUES ('m', 'a', 'user', '[{"type":"text","data":{"text":"Fix it"}}]', 1767261600)`,
  ],
];

it.each(BARE)(
  '%s: rows of a session are found by an index where the database has none',
  async (agent, sql) => {
    const path = join(folder.path, `${agent}.db`);
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    const asked = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const run = vi.spyOn(DatabaseSync.prototype, 'exec');
    const { kept } = await scanFile(path);
    expect(kept.source).toBe(agent);
    expect(asked.mock.calls.map(([text]) => text).join('\n')).toContain('WHERE session_id = ?');
    expect(run.mock.calls.map(([text]) => text).join('\n')).toMatch(/CREATE INDEX temp\.\w+_by_session_id/);
  },
);
