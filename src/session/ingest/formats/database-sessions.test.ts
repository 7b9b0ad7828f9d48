import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it, vi } from 'vitest';
import { readFile } from '../reading/read-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const folder = tempFolder();
afterEach(() => vi.restoreAllMocks());

const SESSIONS = 120;

/** Fills a table from numbers `i`, one for each session. */
const each = (table: string, values: string, count = SESSIONS): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) INSERT INTO ${table} SELECT ${values} FROM n;`;

const AT = 1767261600;

/** Tables of an agent without any index, as somebody makes them who wants every question to go through all rows. */
const BARE: Readonly<Record<string, string>> = {
  crush: `CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, message_count INT, prompt_tokens INT,
       completion_tokens INT, cost REAL, created_at INT);
     CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INT);
     ${each('sessions (id, created_at)', `'s' || i, ${AT}`)}
     ${each('messages (id, session_id, role, parts, created_at)', `i, 's' || i, 'user', '[{"type":"text","data":{"text":"Fix it"}}]', ${AT}`)}`,
  goose: `CREATE TABLE sessions (id TEXT, session_type TEXT, working_dir TEXT);
     CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER,
       metadata_json TEXT);
     ${each('sessions', `'s' || i, 'user', '/work'`)}
     ${each('messages', `i, 's' || i, 'user', '[{"type":"text","text":"Fix it"}]', ${AT}, NULL`)}`,
  hermes: `CREATE TABLE sessions (id TEXT, source TEXT, started_at REAL);
     CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT, tool_call_id TEXT,
       timestamp REAL);
     ${each('sessions', `'s' || i, 'cli', ${AT}`)}
     ${each('messages', `i, 's' || i, 'user', 'Fix it', NULL, NULL, ${AT}`)}`,
  opencode: `CREATE TABLE session (id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER);
     CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
     CREATE TABLE part (id TEXT, message_id TEXT, data TEXT);
     ${each('session', `'s' || i, '/work', 'Fix it', '1', ${AT}000`)}
     ${each('message', `'m' || i, 's' || i, ${AT}000, '{"role":"user","time":{"created":${AT}000}}'`)}
     ${each('part', `'p' || i, 'm' || i, '{"type":"text","text":"Fix it"}'`)}`,
  openclaw: `CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);
     CREATE TABLE session_nodes (session_key TEXT, current_session_id TEXT, entry_json TEXT);
     CREATE TABLE session_windows (session_id TEXT, session_key TEXT, created_at INTEGER, status TEXT);
     CREATE TABLE trajectory_runtime_events (session_id TEXT, seq INTEGER, event_json TEXT);
     CREATE TABLE message_tool_run_outcomes (session_key TEXT, outcome TEXT, occurred_at INTEGER);
     ${each('transcript_events', `'s' || i, 1, '{"type":"session","version":3,"id":"s' || i || '","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work"}', ${AT}`)}
     ${each('transcript_events', `'s' || (i % ${SESSIONS} + 1), 1 + i, '{"type":"message","id":"m' || i || '","timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"Fix it"}]}}', ${AT}`, 4 * SESSIONS)}
     ${each('session_nodes', `'agent:main:' || i, 's' || i, '{"sessionId":"s' || i || '"}'`)}
     ${each('session_windows', `'s' || i, 'agent:main:' || i, ${AT}000, 'done'`)}
     ${each('trajectory_runtime_events', `'s' || i, 1, '{}'`)}
     ${each('message_tool_run_outcomes', `'agent:main:' || i, 'tool_delivered', ${AT}000`)}`,
  cursor: `CREATE TABLE cursorDiskKV (key TEXT, value BLOB);
     ${each('cursorDiskKV', `'composerData:s' || i, '{"createdAt":${AT}000,"fullConversationHeadersOnly":[{"bubbleId":"1","type":1}]}'`)}
     ${each('cursorDiskKV', `'bubbleId:s' || i || ':1', '{"type":1,"text":"Fix it","bubbleId":"1"}'`)}`,
};

/** An index that no question can use, and numbers that tell SQLite not to use it: the file decides over both. */
const MISLEADING = `CREATE INDEX of_another_order ON messages (session_id COLLATE NOCASE);
  CREATE INDEX of_some ON messages (session_id) WHERE role = 'nobody'; ANALYZE;
  UPDATE sqlite_stat1 SET stat = '1000000 1000000'`;

const FILES = [
  ...Object.entries(BARE).map(([agent, sql]) => ({ what: agent, agent, sql })),
  {
    what: 'crush, with indexes that mislead',
    agent: 'crush',
    sql: `${BARE.crush}; ${MISLEADING}`,
  },
];

/** How often all rows of a table are gone through, or sorted to take a portion of them, as SQLite plans each question. */
function countPasses(): { readonly passes: string[]; asked: number } {
  const counted = { passes: [] as string[], asked: 0 };
  const { prepare } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql, ...rest) {
    if (/^\s*SELECT/.test(sql) && !sql.includes('pragma_')) {
      counted.asked += 1;
      const plan = prepare.call(this, `EXPLAIN QUERY PLAN ${sql}`).all();
      const isPortion = sql.includes('seq > ?');
      for (const { detail } of plan)
        if (/^SCAN/.test(String(detail)) || (isPortion && /TEMP B-TREE/.test(String(detail))))
          counted.passes.push(`${detail} for ${sql}`);
    }
    return prepare.call(this, sql, ...rest);
  });
  return counted;
}

it.each(FILES)(
  'a database without indexes is gone through a few times for all sessions: $what',
  async (file) => {
    const path = join(folder.path, `${file.what}.db`);
    const database = new DatabaseSync(path);
    database.exec(file.sql);
    database.close();
    const counted = countPasses();
    const { sessions } = await readFile(path);
    expect(sessions[0]?.source).toBe(file.agent);
    expect(sessions).toHaveLength(SESSIONS);
    expect(counted.asked).toBeGreaterThan(SESSIONS);
    expect(counted.passes.length).toBeLessThan(16);
  },
);
